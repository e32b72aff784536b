import { defineComponent, h } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import { respondAsLab } from '#dashboard/fixtures/workcellResponses.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleNode } from '#dashboard/fixtures/sampleWorkflow.ts';
import { nodeCommandTexts as texts } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { nodeCommandTable } from '#dashboard/managers/guards/nodeCommandTable.ts';
import CommandBar from './CommandBar.vue';
import { providePageCommands } from './pageCommands.ts';

const Page = defineComponent({
  setup() {
    providePageCommands();
    return () => h(CommandBar, { name: 'arm' });
  },
});

afterEach(() => vi.useRealTimers());

it('a command shows “sending” until the response, and its effect before the next regular poll', async () => {
  // Simulated time advances only while the test waits.
  vi.useFakeTimers();
  const pendingResponses: ((response: unknown) => void)[] = [];
  const lab = respondAsLab({
    nodes: { arm: sampleNode() },
    respondToOther: (method, path) =>
      method === 'POST' && path === '/admin/pause/arm'
        ? new Promise((resolve) => pendingResponses.push(resolve))
        : undefined,
  });
  const { page } = mountComponent(Page);
  await click(await vi.waitFor(() => page.getByRole('button', { name: nodeCommandTable.pause.verb })));
  const sending = page.getByRole('button', { name: texts.sending });
  expect(sending.getAttribute('aria-busy')).toBe('true');
  await click(sending);
  await vi.waitFor(() => expect(pendingResponses).toHaveLength(1));

  const startedAt = Date.now();
  pendingResponses[0]?.({ success: true, errors: [], data: null });
  lab.nodes = { arm: sampleNode({ paused: true }) };
  await vi.waitFor(() => page.getByRole('button', { name: nodeCommandTable.resume.verb }));
  // Otherwise the workcell's state is read only every 3 s.
  expect(Date.now() - startedAt).toBeLessThan(2000);
  expect(page.queryByRole('button', { name: texts.sending })).toBeNull();
  expect(pendingResponses).toHaveLength(1);
});
