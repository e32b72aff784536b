/**
 * Requests to the service from another machine: a network namespace behind a veth pair. If namespaces are unavailable
 * (not root, or a sandbox), the requests use this machine's address on the network; the log names the variant.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labContext } from '../../api/lab/lab.ts';
import { contextKey, managerKeys, serviceKeys } from '../../api/managers.ts';
import { startLab, type FakeLab } from '../support/managers.ts';
import { OtherMachine } from '../support/network/otherMachine.ts';
import { startService, type TestService } from '../support/service.ts';

let machine: OtherMachine;
let lab: FakeLab;
let service: TestService;

beforeAll(async () => {
  machine = await OtherMachine.make();
  console.log(machine.description);
  lab = await startLab({}, '0.0.0.0');
});
afterAll(async () => {
  try {
    await lab.stop();
  } finally {
    await machine.remove();
  }
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  service = await startService({ files: { 'settings.yaml': lab.settings }, env });
}

const readContext = async () =>
  labContext.parse(JSON.parse(await machine.get(`http://${machine.host}:${service.port}/context`)));

describe('the service requested from another machine', () => {
  it('returns the seven addresses of /context as configured', async () => {
    await start();
    try {
      const response = await readContext();
      expect(Object.keys(response)).toEqual(serviceKeys.map(contextKey));
      for (const key of managerKeys) expect(response[contextKey(key)]).toBe(lab.managers[key].url);
      expect(response.lab_server_url).toBe('http://localhost:8000/');
    } finally {
      await service.stop();
    }
  });

  it('returns addresses that respond from there with LAB_ADVERTISED_HOST=auto', async () => {
    await start({ LAB_ADVERTISED_HOST: 'auto' });
    try {
      const served = await readContext();
      const addresses = managerKeys.map((key) => served[contextKey(key)] ?? '');
      expect(addresses.map((address) => new URL(address).hostname)).toEqual(managerKeys.map(() => machine.host));
      const responses = await Promise.all(addresses.map((address) => machine.get(`${address}health`)));
      for (const response of responses) expect(JSON.parse(response)).toMatchObject({ healthy: true });
      // The lab manager's address has the port of LAB_SERVER_URL; in this test, the service listens on another port.
      const address = new URL(served.lab_server_url ?? '');
      expect([address.hostname, address.port]).toEqual([machine.host, '8000']);
      address.port = String(service.port);
      expect(JSON.parse(await machine.get(`${address.href}lab_health`))).toMatchObject({ healthy_managers: 6 });
    } finally {
      await service.stop();
    }
  });
});
