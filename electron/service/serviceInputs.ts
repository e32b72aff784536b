/** The inputs for the service's search for settings, from this app's start. */
import { app } from 'electron';
import type { SettingsInputs } from '../../server/settings/schema/types.ts';
import { homeDirectory } from '../folders/folders.ts';

/**
 * @param labFolder the folder chosen in the app
 * @param extraArguments appended to the app's arguments; the last of a repeated option applies
 */
export function serviceInputs(
  configDir: string,
  labFolder: string | null,
  extraArguments: readonly string[],
): SettingsInputs {
  return {
    argv: [...appArguments(), ...extraArguments],
    env: { ...process.env },
    cwd: searchableCwd(),
    homeDir: homeDirectory(),
    userConfigDir: configDir,
    commandLine: 'desktop',
    ...(labFolder === null ? {} : { labFolder }),
  };
}

/** Returns the arguments after the program, and after the app's directory if the runtime was started with one. */
export function appArguments(): readonly string[] {
  const args = process.argv.slice(1);
  if (app.isPackaged) return args;
  const directory = args.findIndex((argument) => !argument.startsWith('-'));
  return directory === -1 ? args : args.toSpliced(directory, 1);
}

/** Returns the working directory; `null` without a terminal, because a double-clicked app starts in any directory. */
function searchableCwd(): string | null {
  return app.isPackaged && !process.stdout.isTTY ? null : process.cwd();
}
