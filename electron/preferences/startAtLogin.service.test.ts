import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { changeStartAtLogin, readStartAtLogin } from './startAtLogin.ts';

vi.mock('electron', () => ({ app: {} }));

describe.runIf(process.platform === 'linux')('the autostart entry', () => {
  it('is unchanged, and reported as unreadable, when it is a FIFO', async () => {
    await using folder = await makeTempFolder({ 'autostart/': '' });
    const entry = join(folder.path, 'autostart', 'lab-manager.desktop');
    vi.stubEnv('XDG_CONFIG_HOME', folder.path);
    execFileSync('mkfifo', [entry]);
    expect(await readStartAtLogin()).toEqual({ on: false, note: `${entry} can't be read: it is not a file` });
    await expect(changeStartAtLogin(true, undefined, true)).rejects.toThrow(
      `${entry} was not changed: it is not a file`,
    );
    expect(lstatSync(entry).isFIFO()).toBe(true);
  });
});
