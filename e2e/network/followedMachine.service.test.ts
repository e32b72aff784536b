/**
 * This machine follows a lab manager on another machine whose `/context` has loopback addresses: the checks must reach
 * the managers of that machine, not those of this one. Needs network namespaces (root).
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { startLab, type FakeLab } from '../support/managers.ts';
import { OtherMachine } from '../support/network/otherMachine.ts';
import { repository, startService, type TestService } from '../support/service.ts';

const program = join(repository, 'e2e/support/network/remoteLab.ts');
const probe = await OtherMachine.make().catch(() => null);
const canRun = typeof probe?.address === 'string';
await probe?.remove();

let machine: OtherMachine;
let service: TestService | null;
let localLab: FakeLab | null;
beforeEach(async () => {
  machine = await OtherMachine.make();
  service = null;
  localLab = null;
});
afterEach(async () => {
  await service?.stop();
  await localLab?.stop();
  await machine.remove();
});

async function follow(port: number): Promise<TestService> {
  const url = `http://${machine.address ?? ''}:${port}/`;
  service = await startService({ managerOptions: { follow: url, listen: { host: '127.0.0.1', port: 0 } } });
  return service;
}
const readLab = ({ manager }: TestService) => manager.lab?.currentStatus();

describe.skipIf(!canRun)('a followed lab manager on another machine', () => {
  it('is shown with its own managers although none run on this machine', async () => {
    const { port, managers } = JSON.parse(await machine.start(program)) as {
      port: number;
      managers: Record<string, number>;
    };
    const followed = await follow(port);
    await vi.waitFor(() => expect(readLab(followed)?.healthy_managers).toBe(6), 10_000);
    const context = (await (await fetch(`${followed.url}context`)).json()) as Record<string, string>;
    for (const key of managerKeys) {
      expect(context[contextKey(key)]).toBe(`http://${machine.address ?? ''}:${managers[key] ?? 0}/`);
    }
    await vi.waitFor(
      () =>
        expect(readLab(followed)).toMatchObject({
          lab_name: 'Other Bench',
          followed: {
            machine: `${machine.address}:${port}`,
            identified: true,
            reported: { total_managers: 6, differing: [] },
          },
        }),
      15_000,
    );
  });

  it('is not shown as healthy because of managers of this machine at the same loopback addresses', async () => {
    localLab = await startLab();
    const { port } = JSON.parse(await machine.start(program, [localLab.settings])) as { port: number };
    const followed = await follow(port);
    await vi.waitFor(() => expect(readLab(followed)?.state).toBe('down'), 10_000);
    await vi.waitFor(() => expect(readLab(followed)?.followed?.reported?.total_managers).toBe(6), 15_000);
    expect(readLab(followed)).toMatchObject({
      healthy_managers: 0,
      followed: { reported: { healthy_managers: 0, differing: [] } },
    });
    expect(managerKeys.map((key) => localLab?.managers[key].requests)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
