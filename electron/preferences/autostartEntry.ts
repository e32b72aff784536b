/**
 * The entry that starts the app at login to a Linux desktop. Source: Desktop Entry Specification 1.5 (Exec, escapes),
 * Desktop Application Autostart Specification 0.5.
 */

export const entryName = 'lab-manager.desktop';

/** Returns the entry that starts the program with its arguments, with or without its window. */
export function createAutostartEntry(command: readonly string[], hidden: boolean): string {
  const parts = hidden ? [...command, '--hidden'] : command;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Lab Manager',
    'Comment=Service addresses and health of the lab',
    `Exec=${parts.map(quoteExecArgument).join(' ')}`,
    'Icon=lab-manager',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quotes an argument for the Exec key, then escapes it as a string of the file, which doubles each backslash. */
function quoteExecArgument(argument: string): string {
  const safe = argument.replaceAll('%', '%%');
  if (/^[\w@%+=:,./-]+$/.test(safe)) return safe;
  return `"${safe.replace(/["`$\\]/g, '\\$&')}"`.replaceAll('\\', '\\\\');
}

export interface Autostart {
  readonly on: boolean;
  readonly hidden: boolean;
  /** The program that the entry starts; empty if there is none. */
  readonly program: string;
}

/** Parses an entry. A file alone doesn't mean that autostart is on: desktop tools disable an entry by a key in it. */
export function readAutostart(text: string | null): Autostart {
  const keys = new Map(
    (text ?? '').split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  const exec = (keys.get('Exec') ?? '').replaceAll('\\\\', '\\');
  const program = /^(?:"((?:\\.|[^"\\])*)"|(\S+))/.exec(exec);
  const isOff = keys.get('Hidden') === 'true' || keys.get('X-GNOME-Autostart-enabled') === 'false';
  return {
    on: exec !== '' && !isOff,
    hidden: / --hidden(?:\s|$)/.test(exec),
    program: (program?.[1]?.replace(/\\(.)/g, '$1') ?? program?.[2] ?? '').replaceAll('%%', '%'),
  };
}

/**
 * Returns whether an entry of this copy should exist after a change of the preferences; `null` leaves the entry
 * unchanged. Another copy's entry is replaced only when autostart is switched on.
 */
export function shouldHaveEntry(
  startAtLogin: boolean | undefined,
  startHidden: boolean | undefined,
  current: { readonly on: boolean; readonly note: string | null },
): boolean | null {
  if (startAtLogin !== undefined) return startAtLogin;
  return startHidden !== undefined && current.on && current.note === null ? true : null;
}

interface RunningCopy {
  /** `process.execPath` */
  readonly execPath: string;
  /** The file of the running AppImage. */
  readonly appImage: string | undefined;
  /** The app's folder, if it was passed to the runtime. */
  readonly appPath: string | null;
  /** The packages' launcher, if it exists; it checks the system's requirements. */
  readonly launcher: string | null;
  /** The profile folder of the command line; empty if there is none. */
  readonly userDataDir: string;
}

/** Returns the command that starts the same copy of the app again. */
export function restartCommand({ execPath, appImage, appPath, launcher, userDataDir }: RunningCopy): readonly string[] {
  const program = appImage !== undefined && appImage !== '' ? appImage : (launcher ?? execPath);
  const folder = appPath === null ? [] : [appPath];
  return [program, ...folder, ...(userDataDir === '' ? [] : [`--user-data-dir=${userDataDir}`])];
}
