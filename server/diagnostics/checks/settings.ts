/**
 * Checks whether the settings are valid, and whether other accounts of this machine can change or read settings and
 * state.
 */
import { finding, openSettings, type Check, type Finding, type CheckContext } from './check.ts';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, errorText } from '#api/errorText.ts';
import type { Fix } from '#api/diagnostics.ts';
import { quoteForShell } from '../../logging/text.ts';
import { systemService } from '../../storage/installation.ts';
import { findAccount } from '../../storage/writeAccess.ts';

export function settingsFinding(problems: readonly string[], files: readonly string[]): Finding {
  if (problems.length > 0)
    return finding(
      'problem',
      problems.join(' | '),
      'Correct the listed settings, each by file and line.',
      openSettings,
    );
  const read = files.length === 0 ? 'no settings file was found' : `read from ${files.join(', ')}`;
  return finding('ok', `The settings are valid: ${read}.`);
}

export const settings: Check = {
  id: 'settings',
  title: 'Settings',
  guide: 'troubleshooting.html#settings',
  why: 'With an error in the settings the service does not start; a running lab manager keeps its previous settings.',
  run: ({ settingsProblems, settingsFiles }) => settingsFinding(settingsProblems, settingsFiles),
};

/** The permissions of other accounts for a file or folder; `null` if it does not exist or is not readable. */
interface Access {
  readonly path: string;
  readonly othersAccess: { readonly read: boolean; readonly write: boolean } | null;
}

/** Returns the paths where others have excessive permissions. */
function findExcessiveAccess(
  files: readonly Access[],
  containsSecrets: boolean,
): { readonly paths: readonly string[]; readonly access: 'write' | 'read' } | null {
  const withAccess = (permission: 'read' | 'write') =>
    files.filter(({ othersAccess }) => othersAccess?.[permission]).map(({ path }) => path);
  const [writable, readable] = [withAccess('write'), withAccess('read')];
  if (writable.length > 0) return { paths: writable, access: 'write' };
  return readable.length > 0 && containsSecrets ? { paths: readable, access: 'read' } : null;
}

/** Whether the machine's service uses this settings file. @param gid its group, which must be able to read the file */
function isServiceFile(path: string, gid: number | null): boolean {
  return gid !== null && path.startsWith(`${systemService.settings}/`);
}

/** @param access of others that the command removes @param serviceGid the group of the machine's service */
function restrictCommand(paths: readonly string[], access: 'write' | 'read', serviceGid: number | null): string {
  if (access === 'write') return `chmod o-w ${paths.map(quoteForShell).join(' ')}`;
  const [serviceFiles, others] = [true, false].map((expected) =>
    paths
      .filter((path) => isServiceFile(path, serviceGid) === expected)
      .map(quoteForShell)
      .join(' '),
  );
  const commands = [
    others && `chmod o-rwx ${others}`,
    serviceFiles && `sudo chown root:${systemService.user} ${serviceFiles} && sudo chmod 640 ${serviceFiles}`,
  ];
  return commands.filter((command) => command).join(' && ');
}

/** @param serviceGid the group of the machine's service; `null` if there is none */
export function permissionsFinding(
  accesses: readonly Access[],
  containsSecrets: boolean,
  serviceGid: number | null = null,
): Finding {
  const excess = findExcessiveAccess(accesses, containsSecrets);
  if (excess === null) return finding('ok', 'No other account can change settings or state.');
  const { paths, access } = excess;
  const command = restrictCommand(paths, access, serviceGid);
  const fix: Fix = { id: 'restrict-access', label: 'Remove that permission', command };
  if (access === 'write')
    return finding(
      'problem',
      `Every account of this machine can change: ${paths.join(', ')}.`,
      'Remove that permission.',
      fix,
    );
  return finding(
    'warning',
    `Every account of this machine can read ${paths.join(', ')}, and the settings contain the address of a webhook.`,
    'Remove that permission, unless programs of other accounts read these settings.',
    fix,
  );
}

/** The permissions of other accounts; none if a parent folder denies them access. */
async function readAccess(path: string): Promise<Access> {
  try {
    const { mode } = await stat(path);
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return { path, othersAccess: { read: false, write: false } };
    }
    return { path, othersAccess: { read: (mode & 0o004) !== 0, write: (mode & 0o002) !== 0 } };
  } catch {
    return { path, othersAccess: null }; // Missing or not readable.
  }
}

function readAllAccess({ folders, settingsFiles }: CheckContext): Promise<readonly Access[]> {
  const paths = [...folders.filter(({ use }) => use !== 'log').map(({ path }) => path), ...settingsFiles];
  return Promise.all([...new Set(paths)].map(readAccess));
}

/** Removes permission bits of others from the file or folder that was checked. @param gid its new group, if any */
async function removePermissions(path: string, bits: number, gid: number | null): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      const { mode, uid } = await handle.stat();
      if (gid !== null) await handle.chown(uid, gid);
      await handle.chmod(mode & 0o7777 & ~bits);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const isForeign = ['EPERM', 'EACCES'].includes(errorCode(error) ?? '');
    const reason = isForeign ? 'it belongs to another account, which must do it' : errorText(error);
    throw new Error(`The permissions of ${path} can’t be changed: ${reason}`, { cause: error });
  }
}

async function serviceGroup(): Promise<number | null> {
  return (await findAccount(systemService.user))?.gid ?? null;
}

export const permissions: Check = {
  id: 'permissions',
  title: 'Permissions of settings and state',
  guide: 'troubleshooting.html#permissions-of-settings-and-state',
  why: 'An account that can change the settings controls where this lab’s programs connect, and the settings may contain confidential addresses.',
  async run(context) {
    if (process.platform === 'win32') return finding('unknown', 'Not checked on Windows.');
    return permissionsFinding(await readAllAccess(context), context.containsSecrets, await serviceGroup());
  },
  async fix(context) {
    const excess = findExcessiveAccess(await readAllAccess(context), context.containsSecrets);
    const serviceGid = await serviceGroup();
    for (const path of excess?.paths ?? []) {
      const isWrite = excess?.access === 'write';
      await removePermissions(
        path,
        isWrite ? 0o002 : 0o007,
        !isWrite && isServiceFile(path, serviceGid) ? serviceGid : null,
      );
    }
  },
};
