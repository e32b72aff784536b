/** State storage that does not respond, such as a network share: every call hangs. */
import { afterEach, expect, it, vi } from 'vitest';
import { useAdvancingClock } from '../api/fixtures/manualClock.ts';
import { sendRequest } from '../e2e/support/rawRequest.ts';
import { startService, type TestService } from '../e2e/support/service.ts';

/** The calls that hang until the storage fails. */
const storage = vi.hoisted(() => ({ hasFailed: false, failures: [] as (() => void)[] }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const hanging =
    <F extends (...args: never[]) => Promise<unknown>>(call: F) =>
    (...args: Parameters<F>) =>
      /lab-manager-state|registry\.json/.test(String(args[0]))
        ? new Promise((_resolve, reject) => {
            const fail = () => reject(new Error('the storage failed'));
            if (storage.hasFailed) fail();
            else storage.failures.push(fail);
          })
        : call(...args);
  return {
    ...real,
    open: hanging(real.open),
    readFile: hanging(real.readFile),
    stat: hanging(real.stat),
    mkdir: hanging(real.mkdir),
    rename: hanging(real.rename),
  };
});

let service: TestService;
afterEach(async () => {
  await service.stop();
  storage.hasFailed = true;
  for (const fail of storage.failures) fail();
});

it('the service starts, watches, reports its identity as not settled, and stops within 3.5 s while storage hangs', async () => {
  const time = useAdvancingClock();
  service = await startService({ env: { STATE_DIRECTORY: '/lab-manager-state', LOCALAPPDATA: '/lab-manager-state' } });
  const { port } = service;
  await expect.poll(async () => (await sendRequest(port, '/lab_health/history')).body).toContain('Failed to connect');
  expect(service.log.join('\n')).toMatch(/maintenance[^\n]*storage does not respond/);
  expect(service.log.join('\n')).toMatch(/history can't be kept[^\n]*storage does not respond/);
  expect((await sendRequest(port, '/settings')).body).toContain('"settled":false');
  const startedAt = time.monotonic();
  await service.manager.stop();
  expect(time.monotonic() - startedAt).toBeLessThan(3500);
});
