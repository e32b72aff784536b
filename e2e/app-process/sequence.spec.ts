/**
 * Random sequences of events in the packaged app: at most one service, at most one demo lab, and a tray that matches
 * the real state. The test title contains the sequence, so that a failure can be reproduced.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from '../support/desktop/outsideTest.ts';
import type { OutsideApp } from '../support/desktop/outsideApp.ts';

type Step =
  'kill service' | 'suspend and resume' | 'break settings' | 'repair settings' | 'second start' | 'demo' | 'reload';

const steps: readonly Step[] = [
  'kill service',
  'suspend and resume',
  'break settings',
  'repair settings',
  'second start',
  'demo',
  'reload',
];
/** Three sequences, the same in each run. */
const sequences = fc.sample(fc.shuffledSubarray([...steps], { minLength: 5 }), { numRuns: 3, seed: 8010 });

const healthStatus = (port: number) => () =>
  fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.status,
    () => null,
  );

function writeSettings(app: OutsideApp, extraLines: string): void {
  const text = `lab_listen_host: 127.0.0.1\nlab_listen_port: ${app.port}\nlab_manager_name: Bench Lab\n${extraLines}`;
  const file = join(app.config, 'lab.settings.yaml');
  // A file that is read before it is complete has other settings, which stay in effect if the next ones are invalid.
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

for (const sequence of sequences) {
  test(`the app is consistent after: ${sequence.join(', ')}`, async ({ outside }) => {
    const app = await outside({ settings: { lab_manager_name: 'Bench Lab' } });
    await expect.poll(healthStatus(app.port)).toBe(200);
    let hasDemo = false;
    for (const step of sequence) {
      switch (step) {
        case 'kill service':
          if (!hasDemo) app.signal('SIGKILL', 'node service');
          break;
        case 'suspend and resume':
          app.signal('SIGSTOP');
          app.signal('SIGCONT');
          break;
        case 'break settings':
          writeSettings(app, 'lab_log_level: LOUD\n');
          break;
        case 'repair settings':
          writeSettings(app, '');
          break;
        case 'second start':
          expect(await (await app.startAgain()).exit).toEqual({ code: 0, signal: null });
          break;
        case 'demo': {
          const starts = await Promise.all([app.startAgain(['--demo']), app.startAgain(['--demo'])]);
          for (const start of starts) expect(await start.exit).toEqual({ code: 0, signal: null });
          hasDemo = true;
          break;
        }
        case 'reload':
          // The app may navigate the window at this moment, which aborts a reload.
          await expect(async () => (await app.page()).reload()).toPass();
          break;
      }
      await expect.poll(healthStatus(app.port), { intervals: [50] }).toBe(200);
      await expect.poll(() => app.tray.tooltip(), { intervals: [100] }).toContain('Bench Lab: ');
      // The lab's service; with the demo lab also its managers and the service for them.
      const services = () => app.processes().filter(({ kind }) => kind === 'node service').length;
      await expect.poll(services).toBe(hasDemo ? 3 : 1);
    }
  });
}
