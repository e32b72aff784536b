/** Whether other accounts of this machine can change or read settings and state. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nothingToDo, type Check, type Finding } from '../check.ts';

const why =
  'Whoever may change the settings decides where this lab’s programs connect; what is kept there may hold addresses that nobody else is to know.';

/** What other accounts may do with a file or folder; `null` where it is not there. */
export interface Access {
  readonly path: string;
  readonly others: { readonly read: boolean; readonly write: boolean } | null;
}

export function permissionsVerdict(found: readonly Access[], holdsSecrets: boolean): Finding {
  const those = (may: 'read' | 'write') => found.filter(({ others }) => others?.[may]).map(({ path }) => path);
  const [writable, readable] = [those('write'), those('read')];
  if (writable.length > 0)
    return {
      result: 'problem',
      what: `Every account of this machine can change: ${writable.join(', ')}.`,
      why,
      whatToDo: `Take that right away: chmod o-w ${writable.join(' ')}`,
    };
  if (readable.length > 0 && holdsSecrets)
    return {
      result: 'warning',
      what: `Every account of this machine can read ${readable.join(', ')}, and the settings hold the address of a webhook.`,
      why,
      whatToDo: `Take that right away: chmod o-rwx ${readable.join(' ')}`,
    };
  return { result: 'ok', what: 'No other account can change settings or state.', why, whatToDo: nothingToDo };
}

/** Rights count only where every folder above lets others through. */
async function accessOf(path: string): Promise<Access> {
  try {
    const { mode } = await stat(path);
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return { path, others: { read: false, write: false } };
    }
    return { path, others: { read: (mode & 0o004) !== 0, write: (mode & 0o002) !== 0 } };
  } catch {
    return { path, others: null }; // Not there, or not for us to see.
  }
}

export const permissions: Check = {
  id: 'permissions',
  title: 'Permissions of settings and state',
  async run({ folders, settingsFiles, holdsSecrets }) {
    if (process.platform === 'win32')
      return { result: 'unknown', what: 'Not looked at on Windows.', why, whatToDo: nothingToDo };
    const paths = [...folders.filter(({ use }) => use !== 'log').map(({ path }) => path), ...settingsFiles];
    return permissionsVerdict(await Promise.all([...new Set(paths)].map(accessOf)), holdsSecrets);
  },
};
