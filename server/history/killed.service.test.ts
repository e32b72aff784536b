/** Acknowledged records survive a process that is killed at any moment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { HistoryFile } from './historyFile.ts';

/** Starting and ending a process takes a second under Wine. */
const rounds = process.platform === 'win32' ? 20 : 200;
const workerCount = 4;

let folder: TempFolder;
let program: string;
beforeAll(async () => {
  folder = await makeTempFolder();
  program = join(folder.path, 'append.mjs');
  const entry = join(import.meta.dirname, 'appendUntilKilled.ts');
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => folder.remove());

/** Starts the writer and kills it `ms` after its first record. Returns the last acknowledged number. */
async function killWriterAfter(path: string, first: number, ms: number): Promise<number> {
  const child = spawn(process.execPath, [program, path, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const lines = () =>
    output
      .slice(0, output.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => lines().length > 0 && resolve());
    child.once('close', (code) => reject(new Error(`The writer exited early, with code ${code}`)));
  });
  await sleep(ms);
  child.kill('SIGKILL');
  await once(child, 'close');
  // An incomplete last line is ignored.
  return Number(lines().at(-1));
}

it(`the history loses no acknowledged record in ${rounds} kills`, async () => {
  const output: string[] = [];
  const log: Log = { ...silentLog, warn: (line) => void output.push(line), error: (line) => void output.push(line) };
  const delays = fc.sample(fc.integer({ min: 0, max: 40 }), rounds);
  const delaysByWorker = Array.from({ length: workerCount }, (_, worker) =>
    delays.filter((_ms, index) => index % workerCount === worker),
  );
  await Promise.all(
    delaysByWorker.map(async (workerDelays, worker) => {
      const path = join(folder.path, `history-${worker}.jsonl`);
      let next = 0;
      for (const ms of workerDelays) {
        const acknowledged = await killWriterAfter(path, next, ms);
        const { file, records } = await HistoryFile.open(path, log);
        await file.close();
        const numbers = records.flatMap((record) => (record.kind === 'state' ? [Number(record.reason)] : []));
        expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index));
        expect(numbers.length).toBeGreaterThan(acknowledged);
        next = numbers.length;
      }
    }),
  );
  expect(output).toEqual([]);
}, 120_000);
