import { describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import type { WorkerSelf } from '#dashboard/managers/transport/worker/serveReads.ts';
import { workflowStateAt, type Layer, createTextTable } from '../layer/layer.ts';
import { getInvalidRecords, setInvalidRecords, type InvalidRecord } from '#api/client/invalidRecords.ts';
import { KnownWorkflows } from './knownWorkflows.ts';
import type { TimelineResponse, TimelineRequest } from './messages.ts';
import { serveTimeline } from './serveTimeline.ts';
import { trimWorkflow } from './trimWorkflow.ts';

const stamp = (minutes: number) => `2026-11-21T14:${String(minutes).padStart(2, '0')}:00`;
const ms = (minutes: number) => Date.UTC(2026, 10, 21, 14, minutes);
function createWorkflow(
  id: string,
  minute: number,
  flags: Parameters<typeof sampleWorkflow>[1] = { completed: true },
): Workflow {
  const hasEnded = flags.completed === true || flags.failed === true;
  const step = sampleStep({
    status: hasEnded ? 'succeeded' : 'running',
    start_time: stamp(minute + 1),
    end_time: hasEnded ? stamp(minute + 2) : null,
  });
  const end_time = hasEnded ? stamp(minute + 2) : null;
  return sampleWorkflow({ workflow_id: id, submitted_time: stamp(minute), end_time, steps: [step] }, flags);
}

function createWorkflowStore(limit?: number) {
  const knownWorkflows = new KnownWorkflows(limit);
  const texts = createTextTable();
  const table: string[] = [];
  return {
    known: knownWorkflows,
    readLayer: () => {
      const layer = knownWorkflows.buildLayer(texts);
      table.push(...texts.consumeAdded());
      return layer;
    },
    names: (layer: Layer | null) =>
      layer === null
        ? null
        : [...layer.workflows.id]
            .map((textIndex, at) => `${table[textIndex]} ${workflowStateAt(layer, at)}`)
            .toSorted(),
  };
}

describe('the known workflows', () => {
  it('are merged from the archive and the active ones, which have the current state', () => {
    const { known, readLayer, names } = createWorkflowStore();
    known.addArchive([createWorkflow('A', 1), createWorkflow('B', 2)], 500, 'all');
    known.addCurrent(
      ['B', 'C'],
      [createWorkflow('B', 2, { running: true }), createWorkflow('C', 3, { running: true })],
    );
    expect(names(readLayer())).toEqual(['A completed', 'B running', 'C running']);
    expect(readLayer()).toBeNull();
  });

  it('include a workflow that left the active ones until the archive is read again', () => {
    const { known, readLayer, names } = createWorkflowStore();
    known.addArchive([], 500, 'all');
    known.addCurrent(
      ['A', 'B'],
      [createWorkflow('A', 1, { running: true }), createWorkflow('B', 1, { running: true })],
    );
    known.addCurrent([], []);
    expect(names(readLayer())).toEqual(['A running', 'B running']);
    known.addArchive([createWorkflow('A', 1)], 50, 'newest');
    expect(names(readLayer())).toEqual(['A completed']);
  });

  it('stay the same while the archive is unchanged', () => {
    const { known, readLayer, names } = createWorkflowStore();
    known.addArchive([createWorkflow('A', 1)], 500, 'all');
    expect(names(readLayer())).toEqual(['A completed']);
    known.addArchive([createWorkflow('A', 1)], 50, 'newest');
    expect(readLayer()).toBeNull();
    known.addArchive([createWorkflow('A', 1, { failed: true })], 50, 'newest');
    expect(names(readLayer())).toEqual(['A failed']);
  });

  it('are shifted when the clock of the manager’s host changes', () => {
    const { known, readLayer } = createWorkflowStore();
    known.addArchive([createWorkflow('A', 1)], 500, 'all');
    const starts = () => [...(readLayer()?.start ?? [])];
    expect(starts()).toContain(ms(2));
    known.setClock({ zone: '+01:00', aheadMs: 0 });
    expect(starts()).toContain(ms(2) - 3_600_000);
  });

  it.each([
    ['the beginning of the archive', 500, 2, undefined, null, false],
    ['the oldest of the requested workflows', 2, 2, undefined, ms(1), false],
    ['the oldest workflow within the step limit', 500, 3, 2, ms(2), true],
  ])('reach back to %s', (_what, requestedCount, count, limit, since, isTruncated) => {
    const { known, readLayer } = createWorkflowStore(limit);
    known.addArchive(
      Array.from({ length: count }, (_none, index) => createWorkflow(`W${index}`, index + 1)),
      requestedCount,
      'all',
    );
    readLayer();
    expect(known.scope).toEqual({ readCount: count, requestedCount, since, isTruncated });
  });
});

it('a trimmed workflow omits large parameter values, arguments and results', () => {
  const full = sampleWorkflow({
    parameter_values: { large: 'x'.repeat(1000) },
    steps: [
      sampleStep({
        args: { large: 'y'.repeat(1000) },
        result: { action_id: 'A', status: 'succeeded', json_result: { large: 'z'.repeat(1000) } },
      }),
    ],
  });
  expect(JSON.stringify(trimWorkflow(full)).length).toBeLessThan(1000);
});

describe('the timeline worker', () => {
  function worker(archive: readonly Workflow[]) {
    const responses: { extra: TimelineResponse; invalid: readonly InvalidRecord[]; transfer: Transferable[] }[] = [];
    let listener: (event: { data: never }) => void = () => undefined;
    const waiting: (() => void)[] = [];
    const self: WorkerSelf = {
      postMessage: (message, { transfer }) => {
        responses.push({ ...(message as { extra: TimelineResponse; invalid: readonly InvalidRecord[] }), transfer });
        waiting.splice(0).forEach((go) => go());
      },
      addEventListener: (_type, listen) => (listener = listen),
    };
    serveTimeline(self, (_target, count) => {
      const part = archive.slice(0, count);
      setInvalidRecords(part, getInvalidRecords(archive));
      return Promise.resolve(part);
    });
    return async (request: Partial<TimelineRequest>) => {
      const nextResponse = new Promise<void>((resolve) => waiting.push(resolve));
      const input = { archive: null, current: null, clock: { zone: 'UTC', aheadMs: 0 }, nodes: {}, ...request };
      listener({ data: { id: responses.length, target: { baseUrl: 'x', version: null }, input } as never });
      await nextResponse;
      return responses.at(-1);
    };
  }

  it('names the invalid records of the archive', async () => {
    const archive = [createWorkflow('A', 1)];
    const invalid = [{ name: 'ODD', reason: 'status: invalid' }];
    setInvalidRecords(archive, invalid);
    const request = worker(archive);
    expect(await request({ archive: { count: 500, part: 'all' } })).toMatchObject({ invalid });
    expect(await request({ current: { ids: [], changed: [] } })).toMatchObject({ invalid: [] });
  });

  it('responds with a layer whose columns are transferred, and with new texts only', async () => {
    const request = worker([createWorkflow('A', 1)]);
    const first = await request({ archive: { count: 500, part: 'all' } });
    expect(first?.extra.texts).toContain('A');
    expect(first?.transfer).toContain(first?.extra.layer?.start.buffer);
    expect(first?.transfer).toContain(first?.extra.layer?.workflows.id.buffer);
    expect(first?.transfer).toHaveLength(16);
    const second = await request({ current: { ids: ['B'], changed: [createWorkflow('B', 3, { running: true })] } });
    expect(second?.extra.texts).toEqual(['B']);
    expect(second?.extra.layer?.workflows.id).toHaveLength(2);
    const third = await request({ current: { ids: ['B'], changed: [] } });
    expect(third).toMatchObject({ extra: { layer: null, texts: [] }, transfer: [] });
  });
});
