/** What says where the search for settings starts, in place of the folder chosen in the app. Pure. */
import { programOptions } from '../../server/settings/parse/programOptions.ts';

/** @param argv the arguments after the program @returns a sentence; `null` where the chosen folder counts */
export function otherFolder(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): string | null {
  const { names } = programOptions.settingsDir;
  const option = names.find((name) => argv.some((argument) => argument === name || argument.startsWith(`${name}=`)));
  const variable = Object.keys(env).find((name) => name.toUpperCase() === 'MADSCI_SETTINGS_DIR' && env[name]);
  const who = option ?? (variable === undefined ? undefined : `the environment variable ${variable}`);
  return who === undefined ? null : `This start uses another folder, given by ${who}.`;
}
