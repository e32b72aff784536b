/**
 * The traces of the built service: in the bundle, the libraries of OpenTelemetry are separate files, which are loaded
 * when they are needed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createManagerAddressRecord } from '../../api/managers.ts';
import { OtlpCollector } from '../support/network/otlpCollector.ts';
import { pickFreePort } from '../support/managers.ts';
import { repository } from '../support/service.ts';

let folder: string;
let collector: OtlpCollector;
let service: ChildProcess;
let address: string;
let output: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telemetry-'));
  collector = await new OtlpCollector().start();
});
afterEach(async () => {
  service.kill('SIGKILL');
  collector.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startService(protocol: 'grpc' | 'http'): Promise<void> {
  address = `http://127.0.0.1:${await pickFreePort()}/`;
  const endpoint = protocol === 'grpc' ? collector.grpcAddress : collector.httpAddress;
  service = spawn(process.execPath, [join(repository, 'dist/server/main.js')], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      ...process.env,
      HOME: folder,
      XDG_STATE_HOME: folder,
      LAB_SERVER_URL: address,
      LAB_REMOTE_ACCESS: 'operate',
      LAB_OTEL_ENABLED: 'true',
      LAB_OTEL_EXPORTER: 'otlp',
      LAB_OTEL_ENDPOINT: endpoint,
      LAB_OTEL_PROTOCOL: protocol,
      ...createManagerAddressRecord(() => 'None'),
      workcell_server_url: 'http://127.0.0.1:1/',
    },
  });
  output = '';
  service.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(readHealth).toMatchObject({ 'otel.enabled': true });
}

const readHealth = () =>
  fetch(new URL('health', address)).then(
    (response): Promise<unknown> => response.json(),
    () => null,
  );

it.each(['http', 'grpc'] as const)(
  'the built service exports its traces over %s until it has ended',
  async (protocol) => {
    await startService(protocol);
    await fetch(new URL('managers/workcell/nodes', address));
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
    expect(collector.spans).toMatchObject([
      {
        name: 'GET /managers/workcell/nodes',
        attributes: { 'error.type': 'unreachable', 'user.roles': ['administrator'] },
      },
    ]);
  },
);

it.each(['http', 'grpc'] as const)(
  'the built service ends without waiting for a collector that hangs, over %s',
  async (protocol) => {
    await startService(protocol);
    collector.behaviour = 'hang';
    await fetch(new URL('managers/workcell/nodes', address));
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
    // The timeouts of the exporters are 10 s, and the service waits 1.5 s.
    await expect.poll(() => output).toContain('The last traces could not be exported in time');
  },
);
