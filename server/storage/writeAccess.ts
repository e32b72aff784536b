/** Finds why an account cannot write the service's folders, and the command by which an administrator permits it. */
import { constants, existsSync } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../api/errorText.ts';
import { quoteForShell } from '../logging/text.ts';
import { LockedFileError, openInOtherProgram } from './lockedFiles.ts';
import { ForeignFileError } from './replaceOwnFile.ts';

/** An account of the system by its numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The reason why the account cannot write to a folder. */
export interface WriteRefusal {
  readonly folder: string;
  /** The folder, its nearest existing parent if it is missing, or a file in it. */
  readonly blockingPath: string;
  /** The account that `blockingPath` belongs to; `null` if it is unknown. */
  readonly owner: number | null;
  /** Whether the disk refuses every account. */
  readonly isReadOnly: boolean;
}

/** The account of this process; `null` on systems without account numbers. */
export function currentAccount(): Account | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

/** @returns `null` if the account can write to the folder, or create it. Never rejects */
export async function findWriteRefusal(folder: string, account: Account): Promise<WriteRefusal | null> {
  const refusal = async (path: string, code: string | null): Promise<WriteRefusal> => {
    const owner = await stat(path).catch(() => null);
    return { folder, blockingPath: path, owner: owner?.uid ?? null, isReadOnly: code === 'EROFS' };
  };
  for (let path = folder; ; path = dirname(path)) {
    const code = await findRefusalCode(path, account, constants.W_OK | constants.X_OK);
    if (code === 'ENOENT' && path !== dirname(path)) continue;
    if (code !== null) return refusal(path, code);
    if (path !== folder) return null;
    break;
  }
  // Appending to a file of another account fails, for example after a start as root.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter((entry) => entry.isFile() && /\.(?:jsonl?|log)$/.test(entry.name))) {
    const code = await findRefusalCode(join(folder, name), account, constants.W_OK);
    if (code !== null && code !== 'ENOENT') return refusal(join(folder, name), code);
  }
  return null;
}

/** The code of the refusal; `null` if the account has the access. */
async function findRefusalCode(path: string, account: Account, mode: number): Promise<string | null> {
  try {
    await access(path, mode);
    if (account.uid === currentAccount()?.uid) return null;
    const stats = await stat(path);
    const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
    return account.uid === 0 || ((stats.mode >> shift) & mode) === mode ? null : 'EACCES';
  } catch (error) {
    return errorCode(error) ?? 'EACCES';
  }
}

/** The fields of each account of the system. Source: passwd(5) */
async function readAccountFields(): Promise<readonly string[][]> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return accounts.split('\n').map((line) => line.split(':'));
}

/** `user lab-manager (999)`; only the number where the system has no such name. */
export async function accountText(uid: number): Promise<string> {
  const name = (await readAccountFields()).find(([, , number]) => number === String(uid))?.[0];
  return name === undefined ? `user ${uid}` : `user ${name} (${uid})`;
}

/** The account of this name. */
export async function findAccount(name: string): Promise<Account | null> {
  const [, , uid, gid] = (await readAccountFields()).find(([first]) => first === name) ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

/** Describes what refuses the access: `/lab/.madsci belongs to user root (0)`. */
export async function refusalText({ blockingPath, owner, isReadOnly }: WriteRefusal): Promise<string> {
  if (isReadOnly) return `the disk of ${blockingPath} is read-only`;
  return owner === null ? `${blockingPath} refuses it` : `${blockingPath} belongs to ${await accountText(owner)}`;
}

/** @param hasShell whether this system has a shell; the container image has none */
export function permitText(
  refusals: readonly WriteRefusal[],
  { uid, gid }: Account,
  hasShell = existsSync('/bin/sh'),
): string {
  if (refusals.every(({ isReadOnly }) => isReadOnly))
    return 'Mount the disk, or the volume of the container, writable.';
  const numbers = `${uid}:${gid}`;
  if (!hasShell)
    return `On the machine of the container, give the folder that is mounted there to this user: sudo chown -R ${numbers} FOLDER`;
  const commands = refusals
    .filter(({ isReadOnly }) => !isReadOnly)
    .map(({ folder, blockingPath: path }) =>
      folder.startsWith(`${path}/`)
        ? `sudo install -d -m 0700 -o ${uid} -g ${gid} ${quoteForShell(folder)}`
        : `sudo chown ${numbers} ${quoteForShell(path)}`,
    );
  return `Permit it: ${[...new Set(commands)].join(' && ')}`;
}

/** The reason why a file could not be written, as the end of a sentence. */
export function writeFailure(error: unknown): string {
  if (error instanceof ForeignFileError || error instanceof LockedFileError) return error.message;
  const code = errorCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EACCES':
    case 'EPERM':
      return 'writing there is not permitted';
    case 'EBUSY':
      return openInOtherProgram;
    case 'EROFS':
      return 'the disk is read-only';
    // Node's recursive mkdir reports this on a read-only disk.
    case 'ENOENT':
      return 'the folder can’t be created there, as on a read-only disk';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a file exists in place of the folder';
    default:
      return code === null ? 'the system reports no reason' : `the system reports ${code}`;
  }
}

/** Runs `write` of a file. @throws Error with a message of `failedWriteText` for an error of the system */
export async function describeWriteErrors<Value>(path: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    const isOfSystem =
      errorCode(error) !== null || error instanceof ForeignFileError || error instanceof LockedFileError;
    if (!isOfSystem) throw error;
    throw new Error(await failedWriteText(path, error), { cause: error });
  }
}

/**
 * The message of a failed write to a file.
 * @returns the refusal, the owner of the folder and the command that permits it; for other errors only the reason
 */
export async function failedWriteText(path: string, error: unknown): Promise<string> {
  const account = currentAccount();
  const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '');
  const refusal = account && isRefused ? await findWriteRefusal(dirname(path), account) : null;
  if (account === null || refusal === null) return `${path} can't be written: ${writeFailure(error)}`;
  const [accountLabel, reason] = [await accountText(account.uid), await refusalText(refusal)];
  return `${path} can't be written by ${accountLabel}: ${reason}. ${permitText([refusal], account)}`;
}
