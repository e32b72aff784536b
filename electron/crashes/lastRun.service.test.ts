import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { writeRun } from './lastRun.ts';

it.skipIf(process.platform === 'win32')(
  'writeRun rejects a FIFO in place of the run file, with the reason',
  async () => {
    await using folder = await makeTempFolder();
    const run = { startedAt: '2026-01-15T12:00:00.000Z', version: '1' };
    const path = join(folder.path, 'app-running.json');
    execFileSync('mkfifo', [path]);
    await expect(writeRun(path, run, () => undefined)).rejects.toThrow('it is not a file');
  },
);
