/** The locations of this program's own files and this user's settings. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

export interface Installation {
  readonly root: string;
  readonly version: string;
  readonly dashboard: string;
  readonly swaggerUi: string;
  /** The user guide's pages. */
  readonly help: string;
  /** Program of the process that simulates a lab. */
  readonly demo: string;
}

/**
 * This program's files, found by its package.json from `start` upwards.
 * @throws Error if there is none, which is a broken installation
 */
export function findInstallation(start: string): Installation {
  let root = start;
  while (!existsSync(join(root, 'package.json'))) {
    const parent = dirname(root);
    if (parent === root)
      throw new Error(`No package.json above ${start}: this installation is broken, install it again`);
    root = parent;
  }
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  // Served files are outside the archive: Electron 33 leaves a temporary copy of each file streamed from inside it.
  const servedRoot = root.replace(/app\.asar$/, 'app.asar.unpacked');
  return {
    root,
    version: manifest.version,
    dashboard: join(servedRoot, 'dist', 'dashboard'),
    swaggerUi: join(servedRoot, 'dist', 'swagger-ui'),
    help: join(servedRoot, 'dist', 'help'),
    demo: join(root, 'dist', 'demo', 'process.js'),
  };
}

/** The Debian package's systemd unit: its folders and its user, whose home directory is the state folder. */
export const systemService = {
  state: '/var/lib/lab-manager',
  settings: '/etc/lab-manager',
  user: 'lab-manager',
} as const;

/** The user configuration folder, by the system's convention. */
export function userConfigDir(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'Lab Manager');
  if (platform === 'win32') return join(env['APPDATA'] || join(homeDir, 'AppData', 'Roaming'), 'Lab Manager');
  return join(env['XDG_CONFIG_HOME'] || join(homeDir, '.config'), 'lab-manager');
}

/** The folder of the service's persistent state, by the system's convention; systemd provides a separate one. */
export function stateDir(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'Lab Manager', 'State');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(homeDir, 'AppData', 'Local'), 'Lab Manager');
  // systemd separates several folders by colons; the first is ours.
  const [systemdDir = ''] = (env['STATE_DIRECTORY'] ?? '').split(':');
  return systemdDir || join(env['XDG_STATE_HOME'] || join(homeDir, '.local', 'state'), 'lab-manager');
}
