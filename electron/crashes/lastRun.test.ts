import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { clearRun, markRun } from './lastRun.ts';

const run = (version: string) => ({ startedAt: '2026-01-15T12:00:00.000Z', version });

it('tells of a run that did not quit, once', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  expect(markRun(path, run('1'))).toBeNull();
  expect(markRun(path, run('2'))).toEqual(run('1'));
  clearRun(path);
  clearRun(path);
  expect(markRun(path, run('3'))).toBeNull();
});

it('makes nothing of a mark that was half written', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  await writeFile(path, '{"startedAt":');
  expect(markRun(path, run('1'))).toBeNull();
});
