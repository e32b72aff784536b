/** The desktop app's folders and the lab folder chosen in it: for the app itself, and for reports of the command line. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { userConfigDir } from './installation.ts';
import { desktopLogName } from '../logging/rotation.ts';
import { readOwnFile } from './replaceOwnFile.ts';
import { withStorageTimeout } from './storageTimeout.ts';

export interface AppFolders {
  /** The user configuration folder. */
  readonly configDir: string;
  /** The logs of the app and of its service, with the crash records. */
  readonly logDir: string;
  readonly preferencesFile: string;
}

/** @param profile the folder with which the app was started, instead of the default one */
export function appFolders(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
  profile: string | null = null,
): AppFolders {
  const configDir = profile ?? userConfigDir(platform, env, homeDir);
  const isMacDefault = platform === 'darwin' && profile === null;
  return {
    configDir,
    logDir: isMacDefault ? join(homeDir, 'Library', 'Logs', 'Lab Manager') : join(configDir, 'logs'),
    preferencesFile: join(configDir, 'preferences.json'),
  };
}

const preferences = z.object({
  labFolder: z.nullable(z.string()),
  /** Address of a lab manager on another machine whose lab the app shows. */
  follow: z.optional(z.nullable(z.string())),
});
export interface ChosenLab {
  readonly labFolder: string | null;
  readonly follow: string | null;
}

/** The lab chosen in the app; `null` for each choice not made, and if its preferences are unreadable. */
export async function readChosenLab({ preferencesFile }: AppFolders): Promise<ChosenLab> {
  try {
    const text = await withStorageTimeout(readOwnFile(preferencesFile));
    const { labFolder, follow = null } = preferences.parse(JSON.parse(text ?? ''));
    return { labFolder, follow };
  } catch {
    return { labFolder: null, follow: null }; // The app never ran for this account, or starts with its defaults.
  }
}

/** Whether the app has run for this account, so that its logs and crash records exist. */
export function hasAppRun({ logDir }: AppFolders): boolean {
  return existsSync(join(logDir, desktopLogName));
}
