import { execFileSync } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import { readCrashes, recordCrash } from './crashFile.ts';

it.skipIf(process.platform === 'win32')(
  'a FIFO in place of the crash file is set aside, and the crash is written',
  async () => {
    const crash = { process: 'gpu', reason: 'crashed', exitCode: 139, version: '1.2.3' } as const;
    await using folder = await makeTempFolder();
    execFileSync('mkfifo', [join(folder.path, 'crashes.json')]);
    await expect(readCrashes(folder.path)).rejects.toThrow('crashes.json can’t be read: it is not a file');
    await recordCrash(folder.path, crash, silentLog);
    expect(await readCrashes(folder.path)).toHaveLength(1);
    expect((await lstat(join(folder.path, 'crashes.json.damaged'))).isFIFO()).toBe(true);
  },
);
