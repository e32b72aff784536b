/**
 * Two lab managers with one address, which keepalived moves: with the configuration in `resources/keepalived`, only
 * addresses and files differ.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { labHistory, type LabHistory } from '../../api/lab/lab.ts';
import { settingsResponse } from '../../api/lab/settings.ts';
import { pickFreePort, startLab, type FakeLab } from '../support/managers.ts';
import { TwoServers, type ServerProgram } from '../support/network/twoServers.ts';
import { repository } from '../support/service.ts';

const servers = [0, 1] as const;
const message = z.object({ title: z.string(), key: z.string(), incidents: z.array(z.string()) });
interface Received extends z.infer<typeof message> {
  /** The address of the server that sent it. */
  readonly from: string;
  readonly idempotencyKey: string;
  readonly accepted: boolean;
}

let folder: string;
let lab: FakeLab;
let network: TwoServers;
let port: number;
let receiver: Server;
const received: Received[] = [];
let isAccepting = true;
const labManagers: ServerProgram[] = [];

async function listenForNotifications(): Promise<string> {
  receiver = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    received.push({
      ...message.parse(JSON.parse(Buffer.concat(body).toString())),
      from: request.socket.remoteAddress ?? '',
      idempotencyKey: String(request.headers['idempotency-key']),
      accepted: isAccepting,
    });
    response.writeHead(isAccepting ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, network.host, resolve));
  return `http://${network.host}:${(receiver.address() as AddressInfo).port}/hook`;
}

/** Returns what a server, or the one with the shared address, reports; `null` without a response. */
async function readHistory(host: string): Promise<LabHistory | null> {
  const request = { signal: AbortSignal.timeout(1000) };
  const response = await fetch(`http://${host}:${port}/lab_health/history`, request).catch(() => null);
  return response === null ? null : labHistory.parse(await response.json());
}

/** Returns `active`, `standby` or `down`. */
async function readRole(server: 0 | 1): Promise<string> {
  const history = await readHistory(network.addresses[server]);
  return history === null ? 'down' : history.standby === undefined ? 'active' : 'standby';
}

const roles = () => Promise.all(servers.map(readRole));

async function activeServer(): Promise<0 | 1> {
  await expect.poll(async () => (await roles()).toSorted()).toEqual(['active', 'standby']);
  return (await readRole(0)) === 'active' ? 0 : 1;
}

const accepted = () => received.filter((notification) => notification.accepted);

/** Returns the number of messages that a server holds back or has not delivered yet. */
async function waitingAt(server: 0 | 1): Promise<number> {
  const settings = settingsResponse.parse(
    await (await fetch(`http://${network.addresses[server]}:${port}/settings`)).json(),
  );
  return settings.deliveries?.[0]?.waiting ?? 0;
}

function startLabManager(server: 0 | 1): void {
  labManagers[server] = network.startLabManager(server, join(folder, String(server)));
}

/**
 * Kills the lab manager that has the address.
 * @param onKilled called when it has ended
 * @returns the time until the other one responds there, in ms
 */
async function killActive(active: 0 | 1, onKilled: () => void): Promise<number> {
  const startedBefore = (await readHistory(network.sharedAddress))?.service.started;
  const killedAt = performance.now();
  await labManagers[active]?.end('SIGKILL');
  onKilled();
  await expect
    .poll(async () => (await readHistory(network.sharedAddress))?.service.started ?? startedBefore, { interval: 50 })
    .not.toBe(startedBefore);
  return performance.now() - killedAt;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'two-servers-'));
  network = await TwoServers.make();
  port = await pickFreePort();
  lab = await startLab({}, network.host);
  const settings = [
    lab.settings.replaceAll('127.0.0.1', network.host),
    'lab_manager_name: Bench 4',
    'lab_watch_interval: 1',
    // These tests poll more often than a page.
    'lab_rate_limit_enabled: false',
    `lab_server_url: http://${network.sharedAddress}:${port}/`,
    `lab_shared_address: ${network.sharedAddress}`,
    `lab_notify_webhook_url: ${await listenForNotifications()}`,
    '',
  ].join('\n');
  const example = await readFile(join(repository, 'resources/keepalived/keepalived.conf'), 'utf8');
  const config = example
    .replaceAll('10.0.0.10/24', `${network.sharedAddress}/29`)
    .replaceAll('10.0.0.11', network.addresses[0])
    .replaceAll('10.0.0.12', network.addresses[1])
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`);
  await writeFile(join(folder, 'keepalived.conf'), config);
  for (const server of servers) {
    await mkdir(join(folder, String(server)));
    await writeFile(join(folder, String(server), 'settings.yaml'), settings);
    startLabManager(server);
    const file = (name: string) => join(folder, String(server), name);
    network.start(server, 'keepalived', [
      '--dont-fork',
      '--log-console',
      '--vrrp',
      '--config-id',
      server === 0 ? 'first' : 'second',
      '--use-file',
      join(folder, 'keepalived.conf'),
      '--pid',
      file('keepalived.pid'),
      '--vrrp_pid',
      file('vrrp.pid'),
    ]);
  }
});

afterAll(async () => {
  await network?.remove();
  receiver?.close();
  await lab?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('one of two servers has the shared address, and the other one is on standby', async () => {
  const active = await activeServer();
  const shared = await readHistory(network.sharedAddress);
  expect(shared?.service.started).toBe((await readHistory(network.addresses[active]))?.service.started);
  const otherHistory = await readHistory(network.addresses[active === 0 ? 1 : 0]);
  expect(otherHistory?.standby).toBe(`this machine does not have the shared address ${network.sharedAddress}`);
  expect([otherHistory?.total_managers, otherHistory?.healthy_managers]).toEqual([6, 6]);
});

it('only the server with the shared address notifies, and the server on standby drops the delivered message', async () => {
  const active = await activeServer();
  const standby = active === 0 ? 1 : 0;
  await lab.managers.event.stop();
  await expect.poll(() => waitingAt(standby)).toBe(1);
  await expect.poll(() => received.length).toBe(1);
  await expect.poll(() => waitingAt(standby)).toBe(0);
  expect(received.map(({ from, title }) => [from, title])).toEqual([
    [network.addresses[active], 'Event Manager: unreachable'],
  ]);
});

it('a notification that a killed server could not deliver is sent by the server that takes over the address', async () => {
  received.splice(0);
  const active = await activeServer();
  const standby = active === 0 ? 1 : 0;
  isAccepting = false;
  await lab.managers.data.stop();
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await expect.poll(() => waitingAt(standby)).toBe(1);
  expect(new Set(received.map(({ from }) => from))).toEqual(new Set([network.addresses[active]]));

  // Not before the end of the killed server, which could deliver the message until then.
  const failoverMs = await killActive(active, () => (isAccepting = true));
  console.log(`The other server answered at the address after ${(failoverMs / 1000).toFixed(1)} s`);
  await expect.poll(() => accepted().length).toBe(1);
  const [first] = received;
  const [last] = accepted();
  expect(last).toMatchObject({ from: network.addresses[standby], title: 'Data Manager: unreachable', key: first?.key });
  expect(last?.idempotencyKey).toBe(first?.key);
  expect(last?.incidents).toEqual([first?.key]);

  // The end of an outage that the killed server had reported is the next message: nothing is repeated before it.
  await lab.managers.event.start(network.host);
  await expect.poll(() => accepted().length).toBe(2);
  expect(accepted().at(-1)?.title).toBe('Event Manager is back');
});

it('a killed server is on standby when it returns, and the other one keeps the address', async () => {
  const returning = (await readRole(0)) === 'down' ? 0 : 1;
  startLabManager(returning);
  expect(await activeServer()).not.toBe(returning);
});
