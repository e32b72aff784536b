/**
 * Normal ends of the app: a logout and Ctrl+C send a signal to all its processes at once. None of them is a crash.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listDumps } from '../../electron/crashes/dumps.ts';
import { endSignals } from '../../server/lifecycle/endSignals.ts';
import { readCrashes } from '../../server/storage/crashFile.ts';
import type { OutsideApp, OutsideProcess } from '../support/desktop/outsideApp.ts';
import { expect, test } from '../support/desktop/outsideTest.ts';
import { signalIfRunning } from '../support/desktop/program.ts';

for (const signal of endSignals) {
  for (const first of ['the app', 'its helpers'] as const) {
    for (const args of [[], ['--demo']]) {
      test(`the app${args.length === 0 ? '' : ' with --demo'} ends normally after ${signal} to every process, ${first} first`, async ({
        outside,
      }) => {
        // With the GPU enabled but missing, Chromium would restart its GPU process for some seconds.
        const app = await outside({ args: [...args, '--disable-gpu'] });
        await expect((await app.page()).getByRole('navigation').first()).toBeVisible();
        await waitUntilSettled(app);
        const isZygote = ({ commandLine }: OutsideProcess): boolean => commandLine.join(' ').includes('--type=zygote');
        // Chromium aborts when a zygote ends in the millisecond in which it forks, so zygotes end first. They ignore
        // SIGINT.
        for (const { pid } of app.processes().filter(isZygote)) signalIfRunning(pid, signal);
        const zygotePoll = { intervals: [20], message: 'Zygotes that still run' };
        if (signal !== 'SIGINT') await expect.poll(() => app.processes().filter(isZygote), zygotePoll).toEqual([]);
        const signalledAt = Date.now();
        const main = app.processes().filter(({ kind }) => kind === 'main');
        const helpers = app.processes().filter(({ kind }) => kind !== 'main');
        for (const { pid } of first === 'the app' ? [...main, ...helpers] : [...helpers, ...main]) {
          signalIfRunning(pid, signal);
        }
        expect(await app.exit, app.output()).toEqual({ code: 0, signal: null });
        await expect.poll(() => app.processes()).toEqual([]);

        const logs = join(app.config, 'logs');
        expect(await readCrashes(logs)).toEqual([]);
        const dumps = await listDumps(join(app.config, 'desktop', 'Crashpad'));
        const dumpSummaries = dumps.map(
          ({ path, at }) => `${readCrashedProcessType(path)}, ${Date.parse(at) - signalledAt} ms after the signals`,
        );
        expect(dumps, dumpSummaries.join('; ')).toEqual([]);
        expect(existsSync(join(logs, 'app-running.json'))).toBe(false);
        const desktopLog = join(logs, 'desktop.log');
        expect(existsSync(desktopLog) ? readFileSync(desktopLog, 'utf8') : '').not.toContain('[error]');
        if (args.length === 0) expect(readLastHistoryEntry(app.home)).toMatchObject({ kind: 'stop' });
      });
    }
  }
}

/**
 * Waits until no process starts any more: Chromium aborts when a process is ended in the millisecond in which it is
 * forked.
 */
async function waitUntilSettled(app: OutsideApp): Promise<void> {
  let last: string | null = null;
  let unchangedCount = 0;
  const countUnchanged = (): number => {
    const pids = app
      .processes()
      .map(({ pid }) => pid)
      .join();
    unchangedCount = pids === last ? unchangedCount + 1 : 0;
    last = pids;
    return unchangedCount;
  };
  await expect.poll(countUnchanged, { intervals: [100] }).toBeGreaterThanOrEqual(5);
}

/**
 * Returns the type of the process that wrote a minidump, from Crashpad's annotations. It is printed, because the
 * minidump is deleted with the home of the test.
 */
function readCrashedProcessType(dump: string): string {
  return (
    /browser|renderer|gpu-process|utility|zygote/.exec(readFileSync(dump, 'latin1').split('ptype').at(-1) ?? '')?.[0] ??
    'unknown'
  );
}

function readLastHistoryEntry(home: string): unknown {
  const state = join(home, '.local', 'state', 'lab-manager');
  const file = readdirSync(state, { recursive: true })
    .map(String)
    .find((name) => /history.*\.jsonl$/.test(name));
  return JSON.parse(
    readFileSync(join(state, file ?? ''), 'utf8')
      .trimEnd()
      .split('\n')
      .at(-1) ?? '',
  );
}
