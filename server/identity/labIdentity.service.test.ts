/** The identity of a running lab manager, as `/settings` reports it. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { settingsResponse, type SettingsResponse } from '../../api/lab/settings.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { startService, type ServiceOptions, type TestService } from '../../e2e/support/service.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { acquireFileLock } from './fileLock.ts';

const services: TestService[] = [];
const folders: TempFolder[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  await Promise.all(folders.splice(0).map((folder) => folder.remove()));
});

async function registryPath(): Promise<string> {
  const folder = await makeTempFolder();
  folders.push(folder);
  return join(folder.path, 'registry.json');
}

async function startTestService(options: ServiceOptions): Promise<TestService> {
  const service = await startService(options);
  services.push(service);
  return service;
}

async function settings(service: TestService): Promise<SettingsResponse> {
  return settingsResponse.parse(JSON.parse((await sendRequest(service.port, '/settings')).body));
}

const identity = async (service: TestService) => (await settings(service)).identity;

it('the lab’s ID is read from the registry by name and survives a restart', async () => {
  const env = { MADSCI_REGISTRY_PATH: await registryPath(), LAB_MANAGER_NAME: 'Bench 4' };
  const first = await startTestService({ env });
  await expect.poll(() => identity(first)).toMatchObject({ name: 'Bench 4', settled: true });
  const { settings: firstSettings, sources } = await settings(first);
  expect(sources['manager_id']).toEqual({ source: 'registry', name: 'Bench 4', file: 'registry.json', line: null });
  await first.stop();
  const second = await startTestService({ env });
  await expect.poll(() => identity(second)).toMatchObject({ settled: true });
  expect((await settings(second)).settings['manager_id']).toBe(firstSettings['manager_id']);
});

it('a locked registry delays neither the start nor the stop, and the identity is reported as not settled', async () => {
  const path = await registryPath();
  const lock = await acquireFileLock(`${path}.lock`, AbortSignal.timeout(5000));
  const time = useManualClock(Date.now());
  try {
    const service = await startTestService({ env: { MADSCI_REGISTRY_PATH: path } });
    expect(await identity(service)).toMatchObject({ settled: false, problem: expect.any(String) });
    expect((await settings(service)).sources['manager_id']).toMatchObject({ source: 'generated' });
    await time.settle(service.manager.stop(), { withinMs: 3000, stepMs: 20 });
  } finally {
    await lock.close();
  }
});

it.each<[string, ServiceOptions]>([
  ['the settings contain the ID', { env: { LAB_MANAGER_ID: 'mine' } }],
  [
    'LAB_ENABLE_REGISTRY_RESOLUTION is false',
    { files: { 'lab.settings.yaml': 'lab_enable_registry_resolution: false\n' } },
  ],
  ['the lab is the demo lab', { managerOptions: { demo: true } }],
])('the registry is not used when %s', async (_when, options) => {
  const service = await startTestService(options);
  expect(await identity(service)).toBeUndefined();
  await service.stop();
  expect(service.log.filter((line) => /identity/i.test(line))).toEqual([]);
});

it('the lab’s ID changes with the name at run time', async () => {
  const service = await startTestService({ files: { 'lab.settings.yaml': 'lab_manager_name: Bench 4\n' } });
  await expect.poll(() => identity(service)).toMatchObject({ name: 'Bench 4', settled: true });
  const before = (await settings(service)).settings['manager_id'];
  await service.write({ 'lab.settings.yaml': 'lab_manager_name: Bench 5\n' });
  await expect.poll(() => identity(service)).toMatchObject({ name: 'Bench 5', settled: true });
  expect((await settings(service)).settings['manager_id']).not.toBe(before);
});
