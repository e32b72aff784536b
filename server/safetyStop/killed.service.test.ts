/** A safety stop continues after the service was killed at any moment, and every node has received it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { StopLab, withoutLog } from '../fixtures/stopLab.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { SafetyStops } from './safetyStops.ts';

let folder: TempFolder;
let program: string;
beforeAll(async () => {
  folder = await makeTempFolder();
  program = join(folder.path, 'stop.mjs');
  const entryPoints = [join(import.meta.dirname, '../fixtures/stopUntilKilled.ts')];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
});
afterAll(() => folder.remove());

it.each([0, 100, 500, 3000])('the service is killed %i ms after the press', async (ms) => {
  const lab = await StopLab.start({ nodes: { arm: 'stopper', slow: 'slow', bad: 'deaf' } });
  const path = join(folder.path, `stop-${ms}.json`);
  const child = spawn(process.execPath, [program, path, lab.workcell], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await sleep(ms);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const stops = new SafetyStops(withoutLog(lab.workcell));
  onTestFinished(async () => {
    lab.stop();
    await stops.stop();
  });
  await stops.start(path);
  const { last } = stops;
  expect(last).toMatchObject({ user: 'ann', sending: true });
  lab.nodes.set('slow', 'stopper');
  const read = () => Object.fromEntries((stops.last?.nodes ?? []).map(({ name, result }) => [name, result]));
  await expect.poll(read).toEqual({ arm: 'confirmed', slow: 'confirmed', bad: 'refused' });
  expect(lab.commandsTo('bad')).toEqual(expect.arrayContaining(['node safety_stop', 'node lock', 'node pause']));
});
