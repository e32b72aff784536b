/** The folder chosen in the app, in which the search for settings starts, and its problems. */
import { statSync } from 'node:fs';
import type { ServiceStatus } from '../../server/status.ts';
import { programOptions } from '../../server/settings/parse/commandLine.ts';

interface LabFolderProblem {
  readonly path: string;
  /** End of a sentence: `does not exist`. */
  readonly problem: string;
}

/** @param path the chosen folder, `null` when none is chosen @returns `null` when it has no problem */
export function labFolderProblem(path: string | null, status: ServiceStatus): LabFolderProblem | null {
  if (path === null) return null;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return { path, problem: 'does not exist' };
  if (!stats.isDirectory()) return { path, problem: 'is not a folder' };
  const isInUse = status.phase === 'running' && !status.demo && status.followedUrl === null;
  return isInUse && !status.configured ? { path, problem: 'contains no settings of a lab' } : null;
}

/** Returns the folder where a folder dialog opens: `folder` if it exists, else `home`. */
export function chooserStart(folder: string | null, home: string): string {
  const exists = folder !== null && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return exists ? folder : home;
}

/**
 * Returns the source that overrides the folder chosen in the app.
 * @param argv the arguments after the program
 * @returns a sentence; `null` when the chosen folder is used
 */
export function overridingFolderSource(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const { names } = programOptions.settingsDir;
  const option = names.find((name) => argv.some((argument) => argument === name || argument.startsWith(`${name}=`)));
  const variable = Object.keys(env).find((name) => name.toUpperCase() === 'MADSCI_SETTINGS_DIR' && env[name]);
  const sourceName = option ?? (variable === undefined ? undefined : `the environment variable ${variable}`);
  return sourceName === undefined ? null : `This start uses another folder, given by ${sourceName}.`;
}
