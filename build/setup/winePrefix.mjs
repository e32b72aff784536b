// @ts-check
/** A Wine prefix (a Windows installation) in a temporary folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Node loads this before each program. It creates the file named by LAB_MANAGER_WINE_STARTED as a sign that Node has
 * started, and disables TCP keep-alive, whose interval Wine before 10 cannot set: `fetch` would fail.
 */
const preloadFile = 'preload.cjs';
const preload = `
const started = process.env.LAB_MANAGER_WINE_STARTED;
if (started) require('node:fs').writeFileSync(started, '');
const { Socket } = require('node:net');
Socket.prototype.setKeepAlive = function () {
  return this;
};
`;

/**
 * The variables that Wine needs, and no others of this machine's environment.
 * @param {string} prefix absolute path of the Wine prefix
 * @returns {NodeJS.ProcessEnv}
 */
export function wineEnvironment(prefix) {
  return {
    PATH: process.env['PATH'],
    // Wine links folders of the Windows profile to this one.
    HOME: prefix,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    // Neither menu entries nor the installers of Mono and Gecko.
    WINEDLLOVERRIDES: 'winemenubuilder.exe,mscoree,mshtml=d',
    NODE_SKIP_PLATFORM_CHECK: '1',
    NODE_OPTIONS: `--require C:/${preloadFile}`,
    LC_ALL: 'C.UTF-8',
  };
}

/** @returns {{ prefix: string, remove: () => void }} full path of the prefix; `remove` ends its processes and deletes it */
export function makeWinePrefix() {
  const prefix = mkdtempSync(join(tmpdir(), 'lab-manager-wine-'));
  /** @type {import('node:child_process').ExecFileSyncOptions} */
  const options = { env: wineEnvironment(prefix), cwd: prefix, stdio: 'ignore' };
  const remove = () => {
    // It fails if no program is running.
    spawnSync('wineserver', ['-k'], options);
    spawnSync('wineserver', ['-w'], options);
    rmSync(prefix, { recursive: true, force: true });
  };
  try {
    execFileSync('wineboot', ['-i'], options);
    writeFileSync(join(prefix, 'drive_c', preloadFile), preload);
    // Node refuses earlier versions of Windows.
    execFileSync('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], options);
    // The server ends with its last program; a program that starts at that moment would lose its connection.
    execFileSync('wineserver', ['-w'], options);
    execFileSync('wineserver', ['-p'], options);
  } catch (error) {
    remove();
    throw error;
  }
  return { prefix, remove };
}
