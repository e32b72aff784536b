import { expect, it, vi } from 'vitest';
import { defineComponent, h, type PropType } from 'vue';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import type { Result } from './results.ts';
import { useOrigins } from './useOrigins.ts';

function createResult(id: string, workflow: string): Result {
  return {
    id,
    label: id,
    storedAt: null,
    workflow,
    step: 'step',
    experiment: '',
    node: '',
    value: 1,
    lines: [],
    content: 1,
  };
}

/** Renders the node of each result. */
const NodeNames = defineComponent({
  props: { results: { type: Array as PropType<readonly Result[]>, required: true } },
  setup(props) {
    const { nodeName } = useOrigins(() => props.results);
    return () => h('p', props.results.map((result) => `${result.id}: ${nodeName(result)}`).join(', '));
  },
});

it('useOrigins also reads the workflows of datapoints that are added during a read', async () => {
  const requested: string[] = [];
  let respond = (): void => undefined;
  const firstRead = new Promise<void>((resolve) => (respond = resolve));
  respondAsLab({
    respondToOther: async (_method, path) => {
      requested.push(path);
      await firstRead;
      return sampleWorkflow();
    },
  });
  const { setProps } = mountComponent(NodeNames, { results: [createResult('a', 'run_a')] });
  await vi.waitFor(() => expect(requested).toEqual(['/workflow/run_a']));
  await setProps({ results: [createResult('a', 'run_a'), createResult('b', 'run_b')] });
  respond();
  await vi.waitFor(() => expect(requested).toEqual(['/workflow/run_a', '/workflow/run_b']));
});

it('useOrigins repeats a failed read at the next change, but not that of a missing workflow', async () => {
  const requested: string[] = [];
  respondAsLab({
    respondToOther: (_method, path) => {
      if (path.startsWith('/workflow/')) requested.push(path);
      return path === '/workflow/failing' ? Promise.reject(new TypeError('Failed to fetch')) : undefined;
    },
  });
  const results = [createResult('a', 'failing'), createResult('b', 'missing')];
  const { setProps } = mountComponent(NodeNames, { results });
  await vi.waitFor(() => expect(requested).toEqual(['/workflow/failing', '/workflow/missing']));
  await setProps({ results: [...results, createResult('c', 'run_c')] });
  await vi.waitFor(() => expect(requested.slice(2)).toEqual(['/workflow/failing', '/workflow/run_c']));
});
