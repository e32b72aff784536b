/**
 * Adds files sequentially to one uncompressed archive, so that only a chunk of one file is in memory at a time.
 * @see docs/adr/0008-numbers-times-and-files.md
 */
import { errorText } from '#api/errorText.ts';
import { currentTime } from '#dashboard/base/clock.ts';
import { Zip, ZipPassThrough } from 'fflate';
import { BlobParts } from '#dashboard/managers/data/receiveBytes.ts';

export interface ZipEntry {
  /** Path within the archive; the caller ensures that it is unique. */
  readonly name: string;
  /** ms since the epoch; `null` if unknown. */
  readonly at: number | null;
  /** Returns small contents as bytes, others as a blob. @throws an error with the reason if the content can't be read */
  readonly read: (signal: AbortSignal) => Promise<Blob | Uint8Array<ArrayBuffer>>;
}

export interface ZipProgress {
  /** The number of processed files, including those that are not in the archive. */
  readonly done: number;
  /** Size of the archive so far, in bytes. */
  readonly bytes: number;
}

export interface ZipResult {
  readonly blob: Blob;
  /** Files that are not in the archive, with the reason. */
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

/** An archive has at most 4 GB, because the ZIP format stores sizes as 32-bit numbers; the limit is well below. */
export const maxZipBytes = 2_000_000_000;
/** ZIP archives store local times from 1980; the first day is omitted, because time zones differ. */
const minTime = Date.UTC(1980, 0, 2);

export class TooLargeError extends Error {}

/**
 * Returns the archive and the files that could not be read.
 * @throws {TooLargeError} if the archive would exceed `limit`; the reason of `signal` after a cancellation
 */
export async function makeZip(
  entries: readonly ZipEntry[],
  signal: AbortSignal,
  onProgress: (progress: ZipProgress) => void,
  limit = maxZipBytes,
): Promise<ZipResult> {
  const parts = new BlobParts();
  const missing: { name: string; reason: string }[] = [];
  let zipError: Error | null = null;
  const zip = new Zip((error, chunk) => {
    zipError ??= error;
    parts.add(chunk);
  });
  let lastYield = performance.now();
  for (const [index, { name, at, read }] of entries.entries()) {
    signal.throwIfAborted();
    const content = await readOrReport(read, signal, (reason) => missing.push({ name, reason }));
    if (content === null) continue;
    if (parts.size + getSize(content) > limit) throw new TooLargeError(name);
    const file = new ZipPassThrough(name);
    file.mtime = Math.max(minTime, at ?? currentTime());
    zip.add(file);
    for await (const bytes of splitIntoPieces(content)) {
      signal.throwIfAborted();
      file.push(bytes);
      if (performance.now() - lastYield < maxTaskMs) continue;
      onProgress({ done: index, bytes: parts.size });
      await new Promise((resolve) => setTimeout(resolve));
      lastYield = performance.now();
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  if (zipError !== null) throw zipError as Error;
  onProgress({ done: entries.length, bytes: parts.size });
  return { blob: parts.blob('application/zip'), missing };
}

/** The size of the pieces in which a file is read, in bytes. */
const pieceBytes = 1024 * 1024;
/** The maximum duration of one task; longer ones would block the page. */
const maxTaskMs = 12;

const getSize = (content: Blob | Uint8Array): number => (content instanceof Blob ? content.size : content.byteLength);

/** Reads slices instead of `blob.stream()`, whose chunk size the browser chooses. */
async function* splitIntoPieces(content: Blob | Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!(content instanceof Blob)) {
    yield content;
    return;
  }
  for (let from = 0; from < content.size; from += pieceBytes)
    yield new Uint8Array(await content.slice(from, from + pieceBytes).arrayBuffer());
}

async function readOrReport(
  read: ZipEntry['read'],
  signal: AbortSignal,
  report: (reason: string) => void,
): Promise<Blob | Uint8Array<ArrayBuffer> | null> {
  try {
    return await read(signal);
  } catch (error) {
    signal.throwIfAborted();
    report(errorText(error));
    return null;
  }
}

/** Characters that some system forbids in file names, and path separators. */
// oxlint-disable-next-line no-control-regex -- names must not contain these characters
const forbiddenCharacters = /[\u0000-\u001F\u007F<>:"/\\|?*]/g;
/** Lone surrogates can't be encoded. */
const loneSurrogates = /\p{Surrogate}/gu;
/** Names of devices in Windows, with or without an extension. */
const reservedNames = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const maxNameLength = 120;

/** Returns a name that is valid on every system. */
export function toSafeName(name: string): string {
  const cleaned = name
    .replaceAll(loneSurrogates, '_')
    .normalize('NFC')
    .replaceAll(forbiddenCharacters, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  const validName = cleaned === '' ? 'datapoint' : reservedNames.test(cleaned) ? `_${cleaned}` : cleaned;
  if (validName.length <= maxNameLength) return validName;
  const [, stem = validName, extension = ''] = /^(.*?)(\.[^.]{1,10})?$/s.exec(validName) ?? [];
  return `${stem
    .slice(0, maxNameLength - extension.length)
    .replace(loneSurrogates, '')
    .trimEnd()}${extension}`;
}

/** Returns the names in their order; a duplicate, ignoring case, gets a number: `curve (2).json`. */
export function createEntryNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  /** Next number to try for each name, because thousands may have the same label. */
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const safeName = toSafeName(name);
    const [, stem = safeName, extension = ''] = /^(.+?)(\.[^.]+)?$/s.exec(safeName) ?? [];
    let candidate = safeName;
    const key = safeName.toLowerCase();
    for (let number = numbers.get(key) ?? 2; used.has(candidate.toLowerCase()); number += 1) {
      candidate = `${stem} (${number})${extension}`;
      numbers.set(key, number + 1);
    }
    used.add(candidate.toLowerCase());
    return candidate;
  });
}
