/**
 * Files one after the other into one archive, stored as they are: only a piece of one is in the page's memory at a time.
 * @see docs/adr/0040-zip-of-datapoints.md
 */
import { Zip, ZipPassThrough } from 'fflate';
import { BlobParts } from '../../../managers/data/receiveBytes.ts';

export interface ZipEntry {
  /** Within the archive; the caller sees to it that each is there once. */
  readonly name: string;
  /** ms since the epoch; `null` where nobody says. */
  readonly at: number | null;
  /** @throws with the reason when it can't be had */
  readonly read: (signal: AbortSignal) => Promise<Blob>;
}

export interface ZipProgress {
  /** How many are done with, in the archive or not. */
  readonly done: number;
  /** Of the archive so far, in bytes. */
  readonly bytes: number;
}

export interface Zipped {
  readonly blob: Blob;
  /** Those that are not in it, and why. */
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

/** The archive's form counts bytes in 32 bits. */
export const largestZip = 2_000_000_000;
/** Files of before this year can't be dated in an archive. */
const firstYear = Date.UTC(1980, 0, 2);

export class TooLarge extends Error {}

/** @throws {TooLarge} when the archive would be, and whatever `signal` says when it is called off */
export async function makeZip(
  entries: readonly ZipEntry[],
  signal: AbortSignal,
  onProgress: (progress: ZipProgress) => void,
  most = largestZip,
): Promise<Zipped> {
  const parts = new BlobParts();
  const missing: { name: string; reason: string }[] = [];
  let failed: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failed ??= error;
    parts.add(chunk);
  });
  for (const [index, { name, at, read }] of entries.entries()) {
    signal.throwIfAborted();
    onProgress({ done: index, bytes: parts.size });
    const blob = await readOr(read, signal, (reason) => missing.push({ name, reason }));
    if (blob === null) continue;
    if (parts.size + blob.size > most) throw new TooLarge(name);
    const file = new ZipPassThrough(name);
    file.mtime = Math.max(firstYear, at ?? Date.now());
    zip.add(file);
    // Not `blob.stream()`: its pieces are as large as the browser likes.
    for (let from = 0; from < blob.size; from += piece) {
      signal.throwIfAborted();
      file.push(new Uint8Array(await blob.slice(from, from + piece).arrayBuffer()));
      onProgress({ done: index, bytes: parts.size });
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  if (failed !== null) throw failed as Error;
  onProgress({ done: entries.length, bytes: parts.size });
  return { blob: parts.blob('application/zip'), missing };
}

/** In bytes. */
const piece = 1024 * 1024;

async function readOr(
  read: ZipEntry['read'],
  signal: AbortSignal,
  note: (reason: string) => void,
): Promise<Blob | null> {
  try {
    return await read(signal);
  } catch (error) {
    signal.throwIfAborted();
    note(error instanceof Error ? error.message : String(error));
    return null;
  }
}
