/** The lab manager's ID on Windows: from MADSci's ID registry, whose lock is a file that no other program can open. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { sendRequest } from '../support/rawRequest.ts';
import { endServicesAfterEach, startService, type RunningService } from './labManager.ts';
import { makeFolder, startNode, unixPath, waitForOutput } from './wine.ts';

let cwd = '';
let registry = '';
beforeEach(() => {
  cwd = makeFolder();
  registry = `${cwd}\\registry.json`;
});
endServicesAfterEach();

const start = (...args: readonly string[]) =>
  startService(['--lab-server-url=http://127.0.0.1/', ...args], { cwd, env: { MADSCI_REGISTRY_PATH: registry } });

interface Settings {
  readonly settings: { readonly manager_id: string };
  readonly identity: { readonly settled: boolean; readonly problem: string | null };
}

async function readSettings(service: RunningService): Promise<Settings> {
  return JSON.parse((await sendRequest(service.port, '/settings')).body) as Settings;
}

/** Waits until the ID is settled. @returns the ID */
async function waitUntilSettled(service: RunningService): Promise<string> {
  await expect
    .poll(async () => (await readSettings(service)).identity.settled, { message: service.output() })
    .toBe(true);
  return (await readSettings(service)).settings.manager_id;
}

it('the identity is settled in the registry, and is the same after a restart', async () => {
  const first = await start();
  const id = await waitUntilSettled(first);
  expect(JSON.parse(readFileSync(unixPath(registry), 'utf8'))).toMatchObject({ entries: { LabManager: { id } } });
  first.interrupt();
  expect(await first.exitCode).toBe(0);
  expect(await waitUntilSettled(await start())).toBe(id);
});

it('the identity belongs to one lab manager at a time', async () => {
  await waitUntilSettled(await start());
  const second = await start();
  await expect.poll(async () => (await readSettings(second)).identity.problem).toMatch(/is in use by another process/);
});

it('the identity is settled only after another program has closed the lock file that it opened as Python’s filelock does', async () => {
  // Python shares the file for reading and writing, and then locks one byte of it.
  const code = `
    require('node:fs').openSync(process.argv[1], 'w+');
    setTimeout(() => {}, 60_000);
    console.log('open');
  `;
  const other = startNode(['-e', code, `${registry}.lock`]);
  await waitForOutput(other, /^open$/m);
  const service = await start();
  await expect
    .poll(async () => (await readSettings(service)).identity.problem)
    .toBe('The ID registry cannot be used: another program holds the lock');
  other.kill();
  await other.exitCode;
  await waitUntilSettled(service);
});
