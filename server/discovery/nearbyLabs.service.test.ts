/** Tests the list of announced labs with their state, on the loopback interface, with real lab managers. */
import { afterEach, expect, it } from 'vitest';
import { startLab } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import { silentLog } from '../logging/log.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { Announcer } from './announcer.ts';
import { NearbyLabsReader } from './nearbyLabs.ts';

const loopback = () => [{ address: '127.0.0.1', cidr: '127.0.0.1/8' }];
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of cleanups.splice(0).toReversed()) await stop();
});

/** @returns the folder's inputs */
async function makeInputs(env: Readonly<Record<string, string>> = {}) {
  const folder = await makeTempFolder({});
  cleanups.push(() => folder.remove());
  return folder.inputs({ env });
}

function announce(labName: string, port: number): void {
  const announced = { labName, id: null, version: '1', port, host: null, https: false };
  const announcer = new Announcer(() => announced, silentLog, loopback);
  cleanups.push(() => announcer.stop());
  announcer.start();
}

function createReader(): NearbyLabsReader {
  const newReader = new NearbyLabsReader(silentLog, loopback);
  cleanups.push(() => newReader.stop());
  return newReader;
}

async function startAnnounced(labName: string, files: Readonly<Record<string, string>>): Promise<TestService> {
  const service = await startService({ files });
  cleanups.push(() => service.stop());
  announce(labName, service.port);
  return service;
}

it('NearbyLabsReader returns the announced labs with their state, without this machine’s own lab', async () => {
  const lab = await startLab();
  cleanups.push(() => lab.stop());
  const name = `Nearby ${process.pid}`;
  const { port } = await startAnnounced(name, { 'settings.yaml': lab.settings });
  announce(`${name} own`, 42_001);
  announce(`${name} gone`, 1);
  const nearby = createReader();
  const inputs = await makeInputs();
  const read = async () => (await nearby.read(inputs, 42_001)).labs.filter((entry) => entry.name.startsWith(name));
  await expect.poll(read).toEqual([
    expect.objectContaining({
      name,
      url: `http://127.0.0.1:${port}/`,
      state: 'healthy',
      managers: { healthy: 6, total: 6 },
    }),
    expect.objectContaining({ name: `${name} gone`, state: 'unreachable', managers: null }),
  ]);
});

it('NearbyLabsReader is off and returns no lab if LAB_MDNS is false or the settings have errors', async () => {
  for (const value of ['false', 'perhaps'])
    expect(await createReader().read(await makeInputs({ LAB_MDNS: value }), null)).toEqual({ isOff: true, labs: [] });
});
