/** The app's identity for the system, and the paths of its files. Runs before the app is ready. */
import { app, protocol } from 'electron';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appFolders } from '../../server/storage/appFolders.ts';
import { findInstallation, type Installation } from '../../server/storage/installation.ts';
import { appId } from './appId.ts';
import { homeDirectory, temporaryProfile, unwritableReason, type FolderProblem } from './folders.ts';
import { shellScheme } from '../ipc/ownPages.ts';

export interface AppPaths {
  readonly installation: Installation;
  /** The user configuration folder: `lab.settings.yaml` is here. */
  readonly configDir: string;
  readonly preferencesFile: string;
  readonly logDir: string;
  /** Folders that aren't writable. */
  readonly folderProblems: readonly FolderProblem[];
  /** Program of the service process. */
  readonly serviceEntry: string;
  /** Preload script of the shell's pages, and of the dashboard in the app's window. */
  readonly preload: string;
  readonly shellPages: string;
  readonly iconDir: string;
}

export function findAppPaths(): AppPaths {
  const installation = findInstallation(import.meta.dirname);
  app.setName('Lab Manager');
  app.setAppUserModelId(appId);
  const { configDir, preferencesFile, logDir, folderProblems } = chooseFolders();
  // Every renderer is sandboxed, unless the app runs without any sandbox, as root must.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: shellScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  const unpackedRoot = installation.root.replace(/app\.asar$/, 'app.asar.unpacked');
  const unpackedIcons = join(unpackedRoot, 'dist', 'icons');
  return {
    installation,
    configDir,
    preferencesFile,
    logDir,
    folderProblems,
    serviceEntry: join(installation.root, 'dist', 'server', 'process.js'),
    preload: join(installation.root, 'dist', 'electron', 'preload', 'shell.cjs'),
    shellPages: join(installation.root, 'dist', 'shell'),
    iconDir: existsSync(unpackedIcons) ? unpackedIcons : join(installation.root, 'dist', 'icons'),
  };
}

/** Creates a new folder for Chromium's files, separate from the desktop app's, which may run at the same time. */
export function useTemporaryProfile(): string {
  const profile = mkdtempSync(join(tmpdir(), 'lab-manager-'));
  app.setPath('userData', profile);
  app.setPath('crashDumps', join(profile, 'Crashpad'));
  return profile;
}

interface Folders {
  readonly configDir: string;
  readonly preferencesFile: string;
  readonly logDir: string;
  readonly folderProblems: readonly FolderProblem[];
}

/**
 * Chooses the folders. Chromium's files are below the configuration folder, unless Chromium's switch sets their folder;
 * if either isn't writable, they are in a temporary folder, because without a writable one no window opens.
 */
function chooseFolders(): Folders {
  const userDataPath = app.commandLine.getSwitchValue('user-data-dir');
  const {
    configDir,
    logDir: logs,
    preferencesFile,
  } = appFolders(process.platform, process.env, homeDirectory(), userDataPath || null);
  const profile = userDataPath || join(configDir, 'desktop');
  const problems: FolderProblem[] = [];
  const reason = unwritableReason(configDir) ?? unwritableReason(profile);
  const usedProfile = reason === null ? profile : temporaryProfile(configDir);
  if (reason !== null) problems.push({ path: configDir, use: 'The position of the window and other choices', reason });
  app.setPath('userData', usedProfile);
  app.setPath('crashDumps', join(usedProfile, 'Crashpad'));
  const logReason = unwritableReason(logs);
  const logDir = logReason === null ? logs : join(usedProfile, 'logs');
  if (logReason !== null && reason === null) problems.push({ path: logs, use: 'The log', reason: logReason });
  app.setAppLogsPath(logDir);
  return { configDir, preferencesFile, logDir, folderProblems: problems };
}
