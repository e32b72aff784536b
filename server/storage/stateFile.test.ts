import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stuckStorage } from '../fixtures/stuckStorage.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { StateFile, waitForStateFiles } from './stateFile.ts';

let folder: TempFolder;
let path: string;
let lines: string[];
let log: Log;
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'state', 'things.json');
  lines = [];
  log = { ...silentLog, warn: (line) => lines.push(line) };
});
afterEach(() => folder.remove());

describe('a state file', () => {
  it('contains the last of the saved texts', async () => {
    const file = new StateFile(path, 'Things', log);
    for (const text of ['1', '2', '3']) file.save(text);
    await waitForStateFiles();
    expect(await readFile(path, 'utf8')).toBe('3');
    expect(lines).toEqual([]);
  });

  it.each([
    ['a folder', async () => folder.write({ 'state/things.json/': '' }), 'it is not a file'],
    [
      'larger than anything the service writes',
      async () => {
        await folder.write({ 'state/': '' });
        await writeFile(path, 'x'.repeat(5_000_000));
      },
      'it has 5 MB, which is too large',
    ],
  ])('is not read when it is %s', async (_name, make, reason) => {
    await make();
    expect(await new StateFile(path, 'Things', log).load(() => expect.unreachable())).toBe(reason);
  });

  it('is not read within the time limit of hanging storage, but before the next write when storage responds', async () => {
    await folder.write({ 'state/things.json': 'old' });
    const file = new StateFile(path, 'Things', log);
    const respond = stuckStorage(path);
    let adopted: string | null = null;
    expect(await file.load((text) => void (adopted = text))).toContain('the storage does not respond');
    file.save('new');
    expect(adopted).toBeNull();
    respond();
    await waitForStateFiles();
    expect(adopted).toBe('old');
    expect(await readFile(path, 'utf8')).toBe('new');
  });
});
