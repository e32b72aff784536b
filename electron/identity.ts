/** Who this app is to the system, and where its files are. Runs before the app is ready. */
import { app, protocol } from 'electron';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findInstallation, userConfigDir, type Installation } from '../server/installation.ts';
import { shellScheme } from './window/addresses.ts';

export interface Identity {
  readonly installation: Installation;
  /** The user configuration folder: `lab.settings.yaml` is here. */
  readonly configDir: string;
  readonly logDir: string;
  /** Program of the service process. */
  readonly serviceEntry: string;
  /** Preload script of the shell's pages. */
  readonly preload: string;
  readonly shellPages: string;
  readonly iconDir: string;
}

export function identify(): Identity {
  const installation = findInstallation(import.meta.dirname);
  app.setName('Lab Manager');
  app.setAppUserModelId('lab-manager');
  const configDir = chooseDirectories();
  // Every renderer is sandboxed. Who starts the app without any sandbox, as root must, can't have this one either.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: shellScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  const served = installation.root.replace(/app\.asar$/, 'app.asar.unpacked');
  const unpackedIcons = join(served, 'resources', 'icons');
  return {
    installation,
    configDir,
    logDir: app.getPath('logs'),
    serviceEntry: join(installation.root, 'dist', 'server', 'process.js'),
    preload: join(installation.root, 'dist', 'electron', 'preload', 'shell.cjs'),
    shellPages: join(installation.root, 'resources', 'shell'),
    iconDir: existsSync(unpackedIcons) ? unpackedIcons : join(installation.root, 'resources', 'icons'),
  };
}

/** Chromium's own files go below the configuration folder, unless its own switch says where. */
function chooseDirectories(): string {
  const given = app.commandLine.getSwitchValue('user-data-dir');
  const configDir = given || userConfigDir(process.platform, process.env, homedir());
  if (!given) app.setPath('userData', join(configDir, 'desktop'));
  app.setAppLogsPath(process.platform === 'darwin' && !given ? undefined : join(configDir, 'logs'));
  return configDir;
}
