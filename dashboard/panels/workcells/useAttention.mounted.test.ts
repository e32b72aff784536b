import { afterEach, expect, it, vi } from 'vitest';
import { createPublishedHistory } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { useWorkcellAttention } from './useAttention.ts';

afterEach(() => void vi.unstubAllGlobals());

it('useWorkcellAttention omits a node in maintenance', async () => {
  respondAsLab({ nodes: { arm: sampleNode({ errored: true }), reader: sampleNode({ errored: true }) } });
  const respondAsWorkcell = globalThis.fetch;
  const from = new Date().toISOString();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const history = {
    ...createPublishedHistory({}),
    maintenance: [{ kind: 'node', id: 'arm', name: 'arm', from, until }],
  };
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    new URL(input).pathname === '/lab_health/history'
      ? Promise.resolve(Response.json(history))
      : respondAsWorkcell(input, init),
  );
  const { result } = runInComponent(useWorkcellAttention);
  await vi.waitFor(() => expect(result.value.map(({ name }) => name)).toEqual(['reader']));
});
