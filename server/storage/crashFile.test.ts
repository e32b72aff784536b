import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { maxCrashes, readCrashes, recordCrash } from './crashFile.ts';
import { silentLog, type Log } from '../logging/log.ts';

const gpu = { process: 'gpu', reason: 'crashed', exitCode: 139, version: '1.2.3' } as const;

function collectingLog(): Log & { readonly output: string[] } {
  const output: string[] = [];
  return { ...silentLog, warn: (text) => void output.push(text), output };
}

it('the crash file keeps the last fifty crashes and is private', async () => {
  await using folder = await makeTempFolder();
  const logs = join(folder.path, 'logs');
  expect(await readCrashes(logs)).toEqual([]);
  for (let number = 0; number < maxCrashes + 5; number += 1)
    await recordCrash(logs, { ...gpu, exitCode: number }, silentLog);
  const crashes = await readCrashes(logs);
  expect(crashes.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: maxCrashes }, (_, index) => index + 5));
  expect(crashes[0]).toMatchObject({ process: 'gpu', reason: 'crashed', version: '1.2.3' });
  if (process.platform !== 'win32') expect((await stat(join(logs, 'crashes.json'))).mode & 0o777).toBe(0o600);
});

it('the crash file lists a repeated app error once, but every crash', async () => {
  await using folder = await makeTempFolder();
  const appError = { ...gpu, process: 'app-error', exitCode: null } as const;
  for (const entry of [appError, appError, { ...appError, reason: 'another' }, gpu, gpu, appError])
    await recordCrash(folder.path, entry, silentLog);
  const lines = (await readCrashes(folder.path)).map(({ process, reason }) => `${process} ${reason}`);
  expect(lines).toEqual(['app-error crashed', 'app-error another', 'gpu crashed', 'gpu crashed', 'app-error crashed']);
});

it('the crash file shortens a message to one line', async () => {
  await using folder = await makeTempFolder();
  await recordCrash(folder.path, { ...gpu, reason: `\u001b[31mnot\nfound ${'x'.repeat(5000)}` }, silentLog);
  const [crash] = await readCrashes(folder.path);
  expect(crash?.reason).toMatch(/^not found x+…$/);
  expect(crash?.reason.length).toBe(500);
});

it.each([
  ['invalid JSON', '{"at":'],
  ['another format', '[{"at":"yesterday"}]'],
  ['too much content', `[${'1,'.repeat(200_000)}1]`],
])('a crash file with %s is set aside and logged', async (_name, text) => {
  await using folder = await makeTempFolder({ 'crashes.json': text });
  await expect(readCrashes(folder.path)).rejects.toThrow(
    /crashes\.json can’t be read: it (is damaged|has 1 MB, which is too large)/,
  );
  const log = collectingLog();
  await recordCrash(folder.path, gpu, log);
  expect(log.output).toEqual([expect.stringMatching(/can’t be read/)]);
  expect(await readCrashes(folder.path)).toHaveLength(1);
  expect(await readFile(join(folder.path, 'crashes.json.damaged'), 'utf8')).toBe(text);
});

it('a crash file that can’t be written is logged', async () => {
  await using folder = await makeTempFolder({ logs: 'a file where the folder should be' });
  const log = collectingLog();
  await recordCrash(join(folder.path, 'logs'), gpu, log);
  expect(log.output.join()).toMatch(/could not be written to .*crashes\.json/);
});

it('the crash file contains every one of several simultaneous crashes', async () => {
  await using folder = await makeTempFolder();
  await Promise.all([1, 2, 3].map((exitCode) => recordCrash(folder.path, { ...gpu, exitCode }, silentLog)));
  expect((await readCrashes(folder.path)).map(({ exitCode }) => exitCode)).toEqual([1, 2, 3]);
});
