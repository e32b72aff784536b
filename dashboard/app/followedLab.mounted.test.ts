/** The lab of a followed lab manager: the page names its machine, and sends no command until that is identified. */
import { expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import type { FollowedLab } from '../../api/lab/lab.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import { respondAsManagers } from '../fixtures/managerResponses.ts';
import { mountComponent } from '../fixtures/mounted.ts';
import { sampleNode } from '../fixtures/sampleWorkflow.ts';
import { useOutcomes } from '../managers/commands/outcomes.ts';
import { useSafetyStop } from '../managers/safetyStop/useSafetyStop.ts';
import { useConnection } from '../managers/transport/clients.ts';
import FollowedNotice from './notices/FollowedNotice.vue';

/** Followed at a loopback address, as through an SSH tunnel. */
const labThroughTunnel: FollowedLab = {
  url: 'http://127.0.0.1:9000/',
  machine: '127.0.0.1:9000',
  identified: false,
  reported: { total_managers: 6, healthy_managers: 0, differing: ['event', 'data'] },
};

it('no command and no safety stop is sent to a followed lab until its machine is identified', async () => {
  let followed = labThroughTunnel;
  const nodes = { arm: sampleNode() };
  const requests = respondAsManagers(
    { workcell: ({ method, path }) => (method === 'POST' ? { success: true } : path === '/nodes' ? nodes : { nodes }) },
    {},
    () => followed,
  );
  const writtenPaths = () => requests.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  let composables!: {
    stop: ReturnType<typeof useSafetyStop>;
    outcomes: ReturnType<typeof useOutcomes>;
    workcell: ReturnType<typeof useConnection<typeof workcellApi>>;
  };
  const Page = defineComponent({
    setup() {
      composables = { stop: useSafetyStop(), outcomes: useOutcomes(), workcell: useConnection(workcellApi) };
      return () => h(FollowedNotice);
    },
  });
  const { page } = mountComponent(Page);
  const notices = await page.findAllByRole('status');
  expect(notices[0]?.textContent).toContain(
    'http://127.0.0.1:9000/ is a loopback address and does not identify a machine',
  );
  expect(notices[1]?.textContent).toContain(
    '127.0.0.1:9000 reports 0/6 managers healthy; measured from this machine: 0/0. They differ for: Event Manager, Data Manager.',
  );
  await vi.waitFor(() => expect(composables.workcell.value).toHaveProperty('commands'));
  const pause = () => composables.workcell.value?.commands.sendCommand({ command: 'pause', node: 'arm' });

  await expect(pause()).rejects.toThrow('127.0.0.1:9000 does not identify the lab’s machine. Confirm the machine');
  await composables.stop.stop();
  expect(composables.stop.open).toBe(false);
  expect(composables.outcomes.list).toMatchObject([
    { state: 'failed', text: expect.stringContaining('Confirm the machine') },
  ]);
  expect(writtenPaths()).toEqual([]);

  followed = { ...labThroughTunnel, identified: true };
  await vi.waitFor(() => expect(page.queryAllByRole('status')).toHaveLength(1));
  await pause();
  expect(writtenPaths()).toEqual([expect.stringContaining('pause')]);
});
