import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { clearRun, markRun, type RunMark } from './lastRun.ts';

const run = (version: string) => ({ startedAt: '2026-01-15T12:00:00.000Z', version });

async function leftBefore(path: string, version: string): Promise<RunMark | null> {
  let left: RunMark | null = null;
  await markRun(path, run(version), (mark) => (left = mark));
  return left;
}

it('leftBefore reports a run that did not quit, once', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  expect(await leftBefore(path, '1')).toBeNull();
  expect(await leftBefore(path, '2')).toEqual(run('1'));
  await clearRun(path);
  await clearRun(path);
  expect(await leftBefore(path, '3')).toBeNull();
});

it('leftBefore ignores an incomplete mark', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  await writeFile(path, '{"startedAt":');
  expect(await leftBefore(path, '1')).toBeNull();
});

it.skipIf(process.platform === 'win32')('a FIFO in place of the mark is refused with the reason', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  execFileSync('mkfifo', [path]);
  await expect(leftBefore(path, '1')).rejects.toThrow('it is not a file');
});
