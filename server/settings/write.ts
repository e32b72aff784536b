/** Writing settings back into `lab.settings.yaml`: comments and order kept, all or nothing. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isMap, isScalar, parseDocument, YAMLMap, type Document, type Pair } from 'yaml';
import { expectedWords } from './resolve/expected.ts';
import { largestFile, tooLarge } from './readers/files.ts';
import { fileKeys } from './schema/names.ts';
import { formatProblem, makeProblem } from './resolve/problem.ts';

import { settingNames, settingOf, type SettingName } from './schema/table.ts';
import type { SettingsProblem } from './schema/types.ts';
import { parseValue } from './resolve/values.ts';
import { readYaml } from './readers/yamlFile.ts';

/** The file that settings are written to. */
export const writtenFile = 'lab.settings.yaml';

/** A new value; `null` removes the setting from the file, `'None'` writes that there is none. */
export type SettingChange = string | number | boolean | readonly string[] | null;

export type WriteFailure = 'broken-file' | 'invalid' | 'no-space' | 'not-writable' | 'outranked' | 'failed';

/** Nothing was written, and the file is as it was. */
export class SettingsWriteError extends Error {
  override readonly name = 'SettingsWriteError';
  readonly reason: WriteFailure;
  readonly path: string;
  /** What is wrong with the file or the values, where that is the reason. */
  readonly problems: readonly SettingsProblem[];

  constructor(reason: WriteFailure, path: string, message: string, problems: readonly SettingsProblem[] = []) {
    super(message);
    this.reason = reason;
    this.path = path;
    this.problems = problems;
  }
}

/** Why the system refused, by its error code. */
export function writeFailure(code: string | null): { readonly reason: WriteFailure; readonly words: string } {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return { reason: 'no-space', words: 'the disk is full' };
    case 'EACCES':
    case 'EPERM':
      return { reason: 'not-writable', words: 'writing there is not permitted' };
    case 'EROFS':
      return { reason: 'not-writable', words: 'the disk is read-only' };
    case 'ENOTDIR':
    case 'EEXIST':
      return { reason: 'not-writable', words: 'a file is where the folder should be' };
    default:
      return { reason: 'failed', words: `the system says ${code ?? 'nothing about why'}` };
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

function refused(error: unknown, path: string): SettingsWriteError {
  const { reason, words } = writeFailure(codeOf(error));
  return new SettingsWriteError(reason, path, `${path} was not written: ${words}`);
}

/** Errors of the changes themselves. A relative path is judged as text only, so its base doesn't matter. */
function checkChanges(changes: Readonly<Record<string, SettingChange>>, path: string): readonly SettingsProblem[] {
  const base = { baseDir: dirname(path), homeDir: dirname(path), madsciDir: dirname(path) };
  return Object.entries(changes).flatMap(([key, value]) => {
    const name = settingNames.find((known) => known === key && settingOf(known).scope !== 'contextOnly');
    const parsed =
      name === undefined
        ? ({ ok: false, message: 'there is no such setting' } as const)
        : value === null || parseValue(settingOf(name), { style: 'native', value }, base);
    return parsed === true || parsed.ok
      ? []
      : [
          makeProblem({
            severity: 'error',
            source: 'yaml',
            path,
            key,
            value,
            message: parsed.message,
            expected: name === undefined ? 'the unprefixed name of a setting' : expectedWords(settingOf(name)),
          }),
        ];
  });
}

function keyOf(pair: Pair): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

/** Removes a pair; a comment above it stays, above what follows. */
function removePair(document: Document, map: YAMLMap, pair: Pair): void {
  const index = map.items.indexOf(pair);
  const comment = isScalar(pair.key) ? pair.key.commentBefore : undefined;
  map.items.splice(index, 1);
  const next = map.items[index];
  if (comment == null) {
    return;
  }
  if (next !== undefined && isScalar(next.key)) {
    next.key.commentBefore = [comment, next.key.commentBefore].filter((part) => part != null).join('\n');
  } else {
    document.comment = [comment, document.comment].filter((part) => part != null).join('\n');
  }
}

/** One change in the document. The spelling that is there is kept; of several, the one that counts is changed. */
function applyChange(document: Document, map: YAMLMap, name: SettingName, value: SettingChange): void {
  const spellings = fileKeys(settingOf(name), 'lab');
  const present = map.items.filter((pair) => spellings.includes(keyOf(pair) ?? ''));
  if (value === null) {
    for (const pair of present) {
      removePair(document, map, pair);
    }
    return;
  }
  const counting = spellings
    .map((key) => present.findLast((pair) => keyOf(pair) === key))
    .find((pair) => pair !== undefined);
  const node = document.createNode(value, { flow: Array.isArray(value) });
  if (counting === undefined) {
    map.items.push(document.createPair(spellings[0], node));
    return;
  }
  const old = counting.value;
  if (isScalar(old) && isScalar(node)) {
    // Replacing the value inside the node keeps the comment behind it; the old quotes may not fit the new value.
    old.value = node.value;
    delete old.source;
    delete old.type;
    delete old.format;
  } else {
    if (old !== null && typeof old === 'object' && 'comment' in old && typeof old.comment === 'string') {
      node.comment = old.comment;
    }
    counting.value = node;
  }
}

/** The file's text with the changes made. */
function changedText(text: string, path: string, changes: Readonly<Record<string, SettingChange>>): string {
  const errors = readYaml(text, path).problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) {
    throw new SettingsWriteError(
      'broken-file',
      path,
      `${path} was not written, because it cannot be read: ${errors.map(formatProblem).join('; ')}`,
      errors,
    );
  }
  const document: Document = parseDocument(text, { uniqueKeys: false, version: '1.2' });
  const map = isMap(document.contents) ? document.contents : new YAMLMap();
  document.contents = map;
  for (const name of settingNames) {
    const value = changes[name];
    if (value !== undefined) {
      applyChange(document, map, name, value);
    }
  }
  const written =
    map.items.length === 0 ? commentsOnly(document) : document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return /\r\n/.test(text) ? written.replace(/\r?\n/g, '\r\n') : written;
}

/** A file whose last setting was removed: its comments, rather than `{}`. */
function commentsOnly(document: Document): string {
  const parts = [document.commentBefore, document.contents?.commentBefore, document.comment];
  const lines = parts.filter((part) => part != null).flatMap((part) => part.split('\n'));
  return lines.map((line) => (line === '' ? '\n' : `#${line}\n`)).join('');
}

async function existingText(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > largestFile) {
      throw new SettingsWriteError('broken-file', path, `${path} was not written: ${tooLarge(size).message}`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof SettingsWriteError) {
      throw error;
    }
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? new SettingsWriteError('broken-file', path, `${path} was not written, because it is not UTF-8 text`)
      : refused(error, path);
  }
}

/** Where a link leads; the path itself where nothing is yet. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return path;
    }
    throw refused(error, path);
  }
}

/** The permissions of a file, `undefined` where there is none yet. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Writes beside the file and renames, so that a reader sees the old text or the new, and a crash loses neither. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${writtenFile}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const mode = await modeOf(path);
    const handle = await open(temporary, 'wx', mode ?? 0o666);
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (mode !== undefined) {
      // The mode given to open() was narrowed by the umask.
      await chmod(temporary, mode);
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw refused(error, path);
  }
}

let writing: Promise<unknown> = Promise.resolve();

/**
 * Writes settings, by their unprefixed names, to `<dir>/lab.settings.yaml`, which is created with its folder when it
 * isn't there. Writes of one process come one after the other.
 *
 * @returns the path of the file written (the target where it is a link)
 * @throws {SettingsWriteError} with nothing changed: the file is broken, a value isn't allowed, the disk is full or
 *   read-only
 */
export function writeSetting(dir: string, changes: Readonly<Record<string, SettingChange>>): Promise<string> {
  const result = writing.then(() => write(resolve(dir), changes));
  // The caller has the error; the next write only waits for the end.
  writing = result.catch(() => null);
  return result;
}

async function write(dir: string, changes: Readonly<Record<string, SettingChange>>): Promise<string> {
  const asked = join(dir, writtenFile);
  const problems = checkChanges(changes, asked);
  if (problems.length > 0) {
    throw new SettingsWriteError('invalid', asked, problems.map(formatProblem).join('; '), problems);
  }
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw refused(error, asked);
  }
  const path = await linkTarget(asked);
  const before = await existingText(path);
  const after = changedText(before ?? '', path, changes);
  if (after !== before) {
    await replaceFile(path, after);
  }
  return path;
}
