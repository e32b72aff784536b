import { execFileSync } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import { StateFile, waitForStateFiles } from './stateFile.ts';

describe.skipIf(process.platform === 'win32')('a state file', () => {
  it('is reported and left unchanged when it is a FIFO', async () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'things.json');
    execFileSync('mkfifo', [path]);
    const file = new StateFile(path, 'Things', log);
    expect(await file.load(() => undefined)).toBe('it is not a file');
    file.save('1');
    await waitForStateFiles();
    expect((await lstat(path)).isFIFO()).toBe(true);
    expect(lines).toEqual([
      `Things can't be read from ${path}: it is not a file`,
      `Things can't be kept in ${path}: it is not a file`,
    ]);
  });

  it('is written although its temporary file is a FIFO', async () => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'things.json');
    execFileSync('mkfifo', [`${path}.new`]);
    new StateFile(path, 'Things', silentLog).save('1');
    await waitForStateFiles();
    expect(await readFile(path, 'utf8')).toBe('1');
  });
});
