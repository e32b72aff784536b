/** Reads settings files, and writes them atomically through a temporary file that gets their permissions. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '#api/errorText.ts';
import { replaceOwnFile } from '../../storage/replaceOwnFile.ts';
import { writeFailure } from '../../storage/writeAccess.ts';
import { maxFileBytes, describeTooLarge } from '../parse/files.ts';

/** The file to which a setting is written if no file contains it yet. */
export const defaultSettingsFile = 'lab.settings.yaml';

/** Saving failed. The files are unchanged, except those that the message lists as not restored. */
export class SettingsWriteError extends Error {
  override readonly name = 'SettingsWriteError';
}

/** The error for a file that could not be read or written when it was saved. */
export function toWriteError(error: unknown, path: string): SettingsWriteError {
  return new SettingsWriteError(`${path} was not written: ${writeFailure(error)}`);
}

/**
 * The whole text of a settings file, with its byte order mark; `null` if it does not exist. @throws {SettingsWriteError}
 */
export async function readExistingText(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > maxFileBytes) {
      throw new SettingsWriteError(`${path} was not written: ${describeTooLarge(size).message}`);
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof SettingsWriteError) {
      throw error;
    }
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? new SettingsWriteError(`${path} was not written, because it is not UTF-8 text`)
      : toWriteError(error, path);
  }
}

/** The target of a link; the path itself if nothing exists there. @throws {SettingsWriteError} */
export async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return path;
    }
    throw toWriteError(error, path);
  }
}

/** Checks the permissions without writing; `null` if the file can be written. */
export async function findWriteProblem(path: string): Promise<string | null> {
  for (const [target, mode] of [
    [path, constants.W_OK],
    [dirname(path), constants.W_OK | constants.X_OK],
  ] as const) {
    try {
      await access(target, mode);
    } catch (error) {
      // Missing files and folders are created.
      if (errorCode(error) !== 'ENOENT') return writeFailure(error);
    }
  }
  return null;
}

/** The permissions of a file, `null` if it does not exist. */
async function readMode(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

/**
 * Replaces the file atomically. Keeps the permissions, or copies them from `modeFrom`.
 * @param newMode the permissions of a new file; `null` for the defaults of this account
 * @throws {SettingsWriteError} with the file unchanged
 */
export async function replaceSettingsFile(
  path: string,
  text: string,
  modeFrom = path,
  newMode: number | null = null,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await replaceOwnFile(path, text, { temporary, mode: (await readMode(modeFrom)) ?? newMode });
  } catch (error) {
    throw toWriteError(error, path);
  }
}
