import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { clearRun, writeRun, type RunRecord } from './lastRun.ts';

const run = (version: string) => ({ startedAt: '2026-01-15T12:00:00.000Z', version });

async function reportedRun(path: string, version: string): Promise<RunRecord | null> {
  let previousRun: RunRecord | null = null;
  await writeRun(path, run(version), (reported) => (previousRun = reported));
  return previousRun;
}

it('writeRun reports a previous run that did not quit, and none after clearRun', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  expect(await reportedRun(path, '1')).toBeNull();
  expect(await reportedRun(path, '2')).toEqual(run('1'));
  await clearRun(path);
  await clearRun(path);
  expect(await reportedRun(path, '3')).toBeNull();
});

it('writeRun ignores an incomplete run file', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'app-running.json');
  await writeFile(path, '{"startedAt":');
  expect(await reportedRun(path, '1')).toBeNull();
});
