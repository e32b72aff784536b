/**
 * The lab of `nameServer.service.test.ts`, which runs without name resolution: prints the reported state of its managers in three
 * rounds.
 */
import dgram from 'node:dgram';
import { once } from 'node:events';
import { sendRequest } from '../support/rawRequest.ts';
import { FakeManager } from '../support/managers.ts';
import { startService } from '../support/service.ts';

const nameServer = dgram.createSocket('udp4');
let queries = 0;
nameServer.on('message', () => (queries += 1));
nameServer.bind(53, '127.0.0.1');
await once(nameServer, 'listening');

const manager = new FakeManager('event');
await manager.start();
const namedAddresses = ['experiment', 'resource', 'data', 'workcell'].map(
  (key) => `${key}_server_url: http://${key}-pc.lab:8001/`,
);
const localAddresses = [`event_server_url: http://localhost:${manager.port}/`, `location_server_url: ${manager.url}`];
const service = await startService({ files: { 'settings.yaml': [...namedAddresses, ...localAddresses].join('\n') } });
const rounds = [];
for (let round = 0; round < 3; round += 1) {
  const { body } = await sendRequest(service.port, '/lab_health');
  rounds.push({ body: JSON.parse(body) as unknown });
}
process.stdout.write(JSON.stringify({ rounds, queries }));
// Hanging lookups would keep the process alive until the C library's timeout.
process.exit(0);
