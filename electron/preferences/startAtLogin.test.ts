import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeStartAtLogin, startAtLogin } from './startAtLogin.ts';

vi.mock('electron', () => ({
  app: { isPackaged: false, getAppPath: () => '/repo', commandLine: { getSwitchValue: () => '' } },
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
  rmSync(config, { recursive: true });
});

describe.runIf(process.platform === 'linux')('the autostart entry', () => {
  it('is written with public read permission when switched on and removed when switched off', async () => {
    await changeStartAtLogin(true, undefined, true);
    expect(await startAtLogin()).toEqual({ on: true, note: null });
    expect(readFileSync(entry, 'utf8')).toContain('--hidden');
    expect(statSync(entry).mode & 0o777).toBe(0o644);
    await changeStartAtLogin(false, undefined, true);
    expect(await startAtLogin()).toEqual({ on: false, note: null });
  });

  it('contains both of two simultaneous changes', async () => {
    await Promise.all([changeStartAtLogin(true, undefined, false), changeStartAtLogin(undefined, true, true)]);
    expect(readFileSync(entry, 'utf8')).toContain('--hidden');
  });

  it('is reported and left unchanged when it is a FIFO', async () => {
    mkdirSync(join(config, 'autostart'));
    execFileSync('mkfifo', [entry]);
    expect(await startAtLogin()).toEqual({ on: false, note: `${entry} can't be read: it is not a file` });
    await expect(changeStartAtLogin(true, undefined, true)).rejects.toThrow(
      `${entry} was not changed: it is not a file`,
    );
    expect(lstatSync(entry).isFIFO()).toBe(true);
  });
});
