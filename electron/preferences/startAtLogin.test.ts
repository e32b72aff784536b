import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeStartAtLogin, readStartAtLogin, wasOpenedAtLogin } from './startAtLogin.ts';

/** The system's login items, as Electron shows them. */
const loginItems = vi.hoisted(() => ({ open: new Set<string>(), wasOpened: false }));

vi.mock('electron', () => ({
  app: {
    isPackaged: false,
    getAppPath: () => '/repo',
    commandLine: { getSwitchValue: () => '' },
    // Only Windows distinguishes items by their arguments.
    getLoginItemSettings: ({ args = [] }: { args?: readonly string[] } = {}) => ({
      openAtLogin: loginItems.open.has(process.platform === 'win32' ? args.join(' ') : ''),
      wasOpenedAtLogin: loginItems.wasOpened,
    }),
    setLoginItemSettings: ({ openAtLogin, args }: { openAtLogin: boolean; args: readonly string[] }) =>
      openAtLogin ? loginItems.open.add(args.join(' ')) : loginItems.open.clear(),
  },
}));

let config: string;
let entry: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'autostart-'));
  entry = join(config, 'autostart', 'lab-manager.desktop');
  vi.stubEnv('XDG_CONFIG_HOME', config);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  loginItems.open.clear();
  rmSync(config, { recursive: true });
});

describe.runIf(process.platform === 'linux')('the autostart entry', () => {
  it('is written with public read permission when switched on and removed when switched off', async () => {
    await changeStartAtLogin(true, undefined, true);
    expect(await readStartAtLogin()).toEqual({ on: true, note: null });
    expect(readFileSync(entry, 'utf8')).toContain('--hidden');
    expect(statSync(entry).mode & 0o777).toBe(0o644);
    await changeStartAtLogin(false, undefined, true);
    expect(await readStartAtLogin()).toEqual({ on: false, note: null });
  });

  it('contains both of two concurrent changes', async () => {
    await Promise.all([changeStartAtLogin(true, undefined, false), changeStartAtLogin(undefined, true, true)]);
    expect(readFileSync(entry, 'utf8')).toContain('--hidden');
  });
});

describe.each(['darwin', 'win32'] as const)('the login item on %s', (platform) => {
  beforeEach(() => void vi.spyOn(process, 'platform', 'get').mockReturnValue(platform));

  it('is added and removed, with the argument for a hidden start only where the system passes it', async () => {
    await changeStartAtLogin(true, undefined, true);
    expect([...loginItems.open]).toEqual([platform === 'win32' ? '--hidden' : '']);
    expect(await readStartAtLogin()).toEqual({ on: true, note: null });
    await changeStartAtLogin(false, undefined, true);
    expect(await readStartAtLogin()).toEqual({ on: false, note: null });
  });

  it('is recognized at the start only on macOS, where it passes no argument', () => {
    loginItems.wasOpened = true;
    expect(wasOpenedAtLogin()).toBe(platform === 'darwin');
    loginItems.wasOpened = false;
    expect(wasOpenedAtLogin()).toBe(false);
  });
});
