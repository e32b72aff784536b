/**
 * Reads and changes whether the app starts at login. The system stores it: as a desktop entry on Linux, as a login item
 * on other systems.
 */
import { app } from 'electron';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorText, errorCode } from '../../api/errorText.ts';
import { readOwnFile, replaceOwnFile } from '../../server/storage/replaceOwnFile.ts';
import { writeFailure } from '../../server/storage/writeAccess.ts';
import { queueForFolder } from '../../server/storage/stateFile.ts';
import { homeDirectory } from '../folders/folders.ts';
import { createAutostartEntry, entryName, restartCommand, readAutostart, shouldHaveEntry } from './autostartEntry.ts';

interface StartAtLogin {
  readonly on: boolean;
  /** Further information; `null` for none. */
  readonly note: string | null;
}

/** Returns whether the app starts at login. Never rejects: a read error is in the note. */
export async function readStartAtLogin(): Promise<StartAtLogin> {
  const path = autostartEntryPath();
  try {
    return process.platform === 'linux' ? await queueForFolder(path, () => readEntry(path)) : readLoginItem();
  } catch (error) {
    return { on: false, note: `${path} can't be read: ${errorText(error)}` };
  }
}

/**
 * Applies a change of the preferences, as decided by `shouldHaveEntry`.
 * @param choice whether the app starts at login; `undefined` if unchanged
 * @param startHidden whether its window then stays closed; `undefined` if unchanged
 * @param hidden the value of `startHidden` after the change
 * @throws Error with a user-facing message; nothing is changed then
 */
export async function changeStartAtLogin(
  choice: boolean | undefined,
  startHidden: boolean | undefined,
  hidden: boolean,
): Promise<void> {
  if (process.platform !== 'linux') {
    const on = shouldHaveEntry(choice, startHidden, readLoginItem());
    const args = process.platform === 'win32' && hidden ? loginArguments : [];
    if (on !== null) app.setLoginItemSettings({ openAtLogin: on, args });
    return;
  }
  const path = autostartEntryPath();
  const change = async (): Promise<void> => {
    const on = shouldHaveEntry(choice, startHidden, await readEntry(path));
    if (on === false) await rm(path, { force: true });
    if (on !== true) return;
    await mkdir(dirname(path), { recursive: true });
    await replaceOwnFile(path, createAutostartEntry(startCommand(), hidden), { mode: 0o644 });
  };
  await queueForFolder(path, change).catch((error: unknown) => {
    const reason = errorCode(error) === null ? errorText(error) : writeFailure(error);
    throw new Error(`${path} was not changed: ${reason}`, { cause: error });
  });
}

/** Returns whether the login item of macOS started the app; it passes no arguments. */
export function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

const loginArguments = ['--hidden'];

function autostartEntryPath(): string {
  const config = process.env['XDG_CONFIG_HOME'] || join(homeDirectory(), '.config');
  return join(config, 'autostart', entryName);
}

/** @throws {ForeignFileError} Error of the system for an unreadable entry */
async function readEntry(path: string): Promise<StartAtLogin> {
  const { on, program } = readAutostart(await readOwnFile(path));
  const [thisProgram] = startCommand();
  const isOtherCopy = on && program !== thisProgram;
  return {
    on,
    note: isOtherCopy ? `It starts another copy: ${program}. Switch it off and on to start this one.` : null,
  };
}

function readLoginItem(): StartAtLogin {
  // Windows identifies a login item by its arguments too.
  const on = [[], loginArguments].some((args) => app.getLoginItemSettings({ args }).openAtLogin);
  return { on, note: null };
}

/** Returns the command that starts this copy of the app. */
function startCommand(): readonly string[] {
  const launcher = join(dirname(process.execPath), 'launcher.sh');
  return restartCommand({
    execPath: process.execPath,
    appImage: process.env['APPIMAGE'],
    appPath: app.isPackaged ? null : app.getAppPath(),
    launcher: app.isPackaged && existsSync(launcher) ? launcher : null,
    userDataDir: app.commandLine.getSwitchValue('user-data-dir'),
  });
}
