import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { mostCrashes, readCrashes, recordCrash } from './crashFile.ts';
import { silentLog, type Log } from './log.ts';

const gpu = { process: 'gpu', reason: 'crashed', exitCode: 139, version: '1.2.3' } as const;

function collectingLog(): Log & { readonly said: string[] } {
  const said: string[] = [];
  return { ...silentLog, warn: (text) => void said.push(text), said };
}

it('keeps the last fifty, for the account alone', async () => {
  await using folder = await makeTempFolder();
  const logs = join(folder.path, 'logs');
  expect(readCrashes(logs)).toEqual([]);
  for (let number = 0; number < mostCrashes + 5; number += 1)
    recordCrash(logs, { ...gpu, exitCode: number }, silentLog);
  const known = readCrashes(logs);
  expect(known.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: mostCrashes }, (_, index) => index + 5));
  expect(known[0]).toMatchObject({ process: 'gpu', reason: 'crashed', version: '1.2.3' });
  expect((await stat(join(logs, 'crashes.json'))).mode & 0o777).toBe(0o600);
});

it('repeats no error that the app survived, but every crash', async () => {
  await using folder = await makeTempFolder();
  const survived = { ...gpu, process: 'app-error', exitCode: null } as const;
  for (const entry of [survived, survived, { ...survived, reason: 'another' }, gpu, gpu, survived])
    recordCrash(folder.path, entry, silentLog);
  const found = readCrashes(folder.path).map(({ process, reason }) => `${process} ${reason}`);
  expect(found).toEqual(['app-error crashed', 'app-error another', 'gpu crashed', 'gpu crashed', 'app-error crashed']);
});

it('makes one line of what is said, and no longer than it may be', async () => {
  await using folder = await makeTempFolder();
  recordCrash(folder.path, { ...gpu, reason: `\u001b[31mnot\nfound ${'x'.repeat(5000)}` }, silentLog);
  const [crash] = readCrashes(folder.path);
  expect(crash?.reason).toMatch(/^not found x+…$/);
  expect(crash?.reason.length).toBe(500);
});

it.each([
  ['no JSON', '{"at":'],
  ['another shape', '[{"at":"yesterday"}]'],
  ['too much', `[${'1,'.repeat(200_000)}1]`],
])('puts a file with %s aside, and says so', async (_name, text) => {
  await using folder = await makeTempFolder({ 'crashes.json': text });
  expect(() => readCrashes(folder.path)).toThrow(/crashes\.json can’t be read: it is (damaged|too large)/);
  const log = collectingLog();
  recordCrash(folder.path, gpu, log);
  expect(log.said).toEqual([expect.stringMatching(/can’t be read/)]);
  expect(readCrashes(folder.path)).toHaveLength(1);
  expect(await readFile(join(folder.path, 'crashes.json.damaged'), 'utf8')).toBe(text);
});

it('says where it could not be written, and goes on', async () => {
  await using folder = await makeTempFolder({ logs: 'a file where the folder should be' });
  const log = collectingLog();
  recordCrash(join(folder.path, 'logs'), gpu, log);
  expect(log.said.join()).toMatch(/could not be written to .*crashes\.json/);
});
