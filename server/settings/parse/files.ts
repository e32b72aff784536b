/** Reads one discovered file into a layer: text, then the parser of its format, then known keys. */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from '#api/errorText.ts';
import { LockedFileError, openInOtherProgram, retryWhileLocked } from '../../storage/lockedFiles.ts';
import type { FoundFile } from './discovery.ts';
import { readDotenv } from './dotenv.ts';
import {
  type Candidate,
  type Layer,
  makeProblem,
  parserReason,
  type FoundKey,
  type Reading,
  unknownFileKeys,
} from './problem.ts';
import { findByFileKey } from '../schema/names.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';

/**
 * Maximum size of a settings file in bytes. The slowest parser needs about a second for the worst content of this size.
 */
export const maxFileBytes = 256 * 1024;

/** The maximum number of separately listed problems of one file. */
const maxProblems = 20;

/** The error for a file of this size in bytes. */
export function describeTooLarge(bytes: number): { readonly message: string; readonly expected: string } {
  const kibibytes = Math.ceil(bytes / 1024).toLocaleString('en');
  return {
    message: `this file has ${kibibytes} KiB, more than a settings file may have (${maxFileBytes / 1024} KiB)`,
    expected: 'settings only',
  };
}

/** Describes why a file is unreadable, from the system's error code. */
export function describeUnreadable(code: string | null): { readonly message: string; readonly expected: string } {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return {
        message: 'this file may not be read by the user the lab manager runs as',
        expected: 'permission to read it, or remove it',
      };
    case 'ENOENT':
      return { message: 'this file was just removed', expected: 'try again' };
    case 'EBUSY':
      return {
        message: `this file cannot be read: ${openInOtherProgram}`,
        expected: 'close that program and try again',
      };
    default:
      return {
        message: `this file cannot be read (${code ?? 'unknown reason'})`,
        expected: 'a file on a working disk',
      };
  }
}

type FileText = { readonly text: string } | { readonly message: string; readonly expected: string };

/** The file's text, without a byte order mark. */
async function readFileText(path: string): Promise<FileText> {
  try {
    const handle = await retryWhileLocked('open', () => open(path, 'r'));
    try {
      const bytes = Buffer.alloc(maxFileBytes + 1);
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return length > maxFileBytes
        ? describeTooLarge((await handle.stat()).size)
        : decodeText(bytes.subarray(0, length));
    } finally {
      await handle.close();
    }
  } catch (error) {
    return describeUnreadable(error instanceof LockedFileError ? 'EBUSY' : errorCode(error));
  }
}

function decodeText(bytes: Uint8Array): FileText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // The decoder's own message is not useful to users.
    return { message: 'this file is not UTF-8 text', expected: 'a file saved as UTF-8' };
  }
}

/** Parses the file. A parser's exception becomes a problem of the file and never ends the service. */
async function parseSafely(file: FoundFile, text: string, env: SettingsInputs['env']): Promise<Reading> {
  try {
    return await parseFormat(file, text, env);
  } catch (error) {
    const message = `this file cannot be read: ${parserReason(error)}`;
    const expected = 'a simpler file';
    return {
      keys: [],
      problems: [makeProblem({ severity: 'error', source: file.format, path: file.path, message, expected })],
    };
  }
}

/** The first problems, and the number of further ones; errors before warnings. */
function limitProblems(problems: readonly SettingsProblem[], file: FoundFile): readonly SettingsProblem[] {
  if (problems.length <= maxProblems) {
    return problems;
  }
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const summary = makeProblem({
    severity: 'warning',
    source: file.format,
    path: file.path,
    message: `there are ${problems.length - maxProblems} more problems in this file`,
  });
  return [...[...errors, ...warnings].slice(0, maxProblems), summary];
}

/** The parsers are loaded with the first file of their format. */
async function parseFormat(file: FoundFile, text: string, env: SettingsInputs['env']): Promise<Reading> {
  switch (file.format) {
    case 'yaml':
      return (await import('./yamlAndJson.ts')).readYaml(text, file.path);
    case 'toml':
      return (await import('./tomlFile.ts')).readToml(text, file.path);
    case 'json':
      return (await import('./yamlAndJson.ts')).readJson(text, file.path);
    case 'dotenv':
      return readDotenv(text, file.path, env);
  }
}

/** A dotenv key matches in any case; other files' keys only exactly. */
function toCandidate(file: FoundFile, fileKey: FoundKey): Candidate | null {
  const knownKey = findByFileKey(file.format === 'dotenv' ? fileKey.key.toLowerCase() : fileKey.key, file.group);
  return (
    knownKey && {
      ...knownKey,
      raw: fileKey.raw,
      origin: {
        source: file.format,
        name: fileKey.key,
        file: basename(file.path),
        path: file.path,
        line: fileKey.line,
      },
      column: fileKey.column,
    }
  );
}

/**
 * Reads one file. Its problems include the warnings for unknown keys.
 * @param replacement a text that replaces its content
 */
export async function readSettingsFile(
  file: FoundFile,
  env: SettingsInputs['env'],
  replacement?: string,
): Promise<{ readonly layer: Layer; readonly problems: readonly SettingsProblem[] }> {
  const content =
    replacement === undefined ? await readFileText(file.path) : { text: replacement.replace(/^\ufeff/, '') };
  if (!('text' in content)) {
    const problem = makeProblem({ severity: 'error', source: file.format, path: file.path, ...content });
    return { layer: [], problems: [problem] };
  }
  const { keys, problems } = await parseSafely(file, content.text, env);
  const layer: Candidate[] = [];
  const unknown: FoundKey[] = [];
  for (const fileKey of keys) {
    const candidate = toCandidate(file, fileKey);
    if (candidate === null) {
      unknown.push(fileKey);
    } else {
      layer.push(candidate);
    }
  }
  const unknownKeyWarnings = unknownFileKeys(unknown, { group: file.group, path: file.path, source: file.format });
  return { layer, problems: limitProblems([...problems, ...unknownKeyWarnings], file) };
}
