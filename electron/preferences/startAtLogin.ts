/** Whether the app starts when somebody logs in: an entry of their desktop on Linux, a login item elsewhere. The system knows. */
import { app } from 'electron';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFailure } from '../../server/settings/settingsFile.ts';
import { homeDirectory } from '../start/folders.ts';
import { autostartEntry, entryName, ownCommand, readAutostart } from './autostartEntry.ts';
import { replaceFileSync } from './replaceFile.ts';

export interface StartAtLogin {
  readonly on: boolean;
  /** What else one must know; `null`: nothing. */
  readonly note: string | null;
}

export function startAtLogin(): StartAtLogin {
  if (process.platform !== 'linux') {
    // Windows finds an item by its arguments too.
    const on = [[], loginArguments].some((args) => app.getLoginItemSettings({ args }).openAtLogin);
    return { on, note: null };
  }
  const text = readEntry();
  const { on, program } = readAutostart(text);
  const [own] = command();
  const note =
    on && program !== own ? `It starts another copy: ${program}. Switch it off and on to start this one.` : null;
  return { on, note };
}

/** @throws Error in words, with everything as it was */
export function setStartAtLogin(on: boolean, hidden: boolean): void {
  if (process.platform !== 'linux') {
    const args = process.platform === 'win32' && hidden ? loginArguments : [];
    return app.setLoginItemSettings({ openAtLogin: on, args });
  }
  const path = entryPath();
  try {
    if (on) replaceFileSync(path, autostartEntry(command(), hidden));
    else rmSync(path, { force: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    throw new Error(`${path} was not changed: ${writeFailure(code).words}`, { cause: error });
  }
}

/** Whether this start came from the login item of macOS, which hands over no arguments. */
export function wasOpenedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

const loginArguments = ['--hidden'];

function entryPath(): string {
  const config = process.env['XDG_CONFIG_HOME'] || join(homeDirectory(), '.config');
  return join(config, 'autostart', entryName);
}

function readEntry(): string | null {
  try {
    return readFileSync(entryPath(), 'utf8');
  } catch {
    // None, or one that nobody may read: the desktop starts nothing by it.
    return null;
  }
}

function command(): readonly string[] {
  const launcher = join(dirname(process.execPath), 'launcher.sh');
  return ownCommand({
    execPath: process.execPath,
    appImage: process.env['APPIMAGE'],
    appPath: app.isPackaged ? null : app.getAppPath(),
    launcher: app.isPackaged && existsSync(launcher) ? launcher : null,
    userDataDir: app.commandLine.getSwitchValue('user-data-dir'),
  });
}
