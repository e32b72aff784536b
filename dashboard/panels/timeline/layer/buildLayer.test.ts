import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step, Workflow } from '#api/managers/workflow.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { hostTime } from '#api/time/time.ts';
import type { ExecutingNodes } from '#dashboard/managers/workcell/workflowState.ts';
import { workcellLane } from '#dashboard/managers/workcell/stepSpans.ts';
import { trimWorkflow } from '../reading/trimWorkflow.ts';
import { buildLayer } from './buildLayer.ts';
import { isWait, maxRows, countRows, stateAt, workflowStateAt, type Layer, createTextTable } from './layer.ts';

/** Returns the stamp of a second after 14:00 UTC, as a host in UTC+1 writes it. */
const stamp = (seconds: number) => `2026-11-21T15:00:${String(seconds).padStart(2, '0')}`;
const base = Date.UTC(2026, 10, 21, 14);
const at = (text: string | null | undefined) => hostTime(text, { zone: '+01:00', aheadMs: 0 });

function build(workflows: readonly Workflow[]) {
  const texts = createTextTable();
  const layer = buildLayer(workflows.map(trimWorkflow), at, texts);
  return { layer, table: texts.consumeAdded() };
}
/** Returns each entry as text: lane, seconds, state. */
function describeEntries({ layer, table }: { layer: Layer; table: readonly string[] }): string[] {
  return layer.lanes.flatMap((lane, laneIndex) =>
    Array.from({ length: (layer.offsets[laneIndex + 1] ?? 0) - (layer.offsets[laneIndex] ?? 0) }, (_none, index) => {
      const entry = (layer.offsets[laneIndex] ?? 0) + index;
      const [start, end] = [layer.start, layer.end].map((times) => ((times[entry] ?? 0) - base) / 1000);
      const state = isWait(layer, entry) ? 'waits' : stateAt(layer, entry);
      const owner = table[layer.workflows.name[layer.owner[entry] ?? 0] ?? 0];
      return `${lane} ${start}–${end} ${state} (${owner}, ${table[layer.name[entry] ?? 0]})`;
    }),
  );
}
const succeededStep = (start: number, end: number, overrides: Partial<Step> = {}): Step =>
  sampleStep({ status: 'succeeded', start_time: stamp(start), end_time: stamp(end), ...overrides });

describe('the layer of workflows', () => {
  it('contains waits and runs in the lanes of their nodes', () => {
    const workflow = sampleWorkflow(
      {
        submitted_time: stamp(0),
        steps: [succeededStep(15, 19), succeededStep(32, 40, { node: 'reader', name: 'Read' }), succeededStep(45, 50)],
      },
      { completed: true, current_step_index: 2 },
    );
    expect(describeEntries(build([workflow]))).toEqual([
      'arm 0–15 waits (Growth assay, Move)',
      'arm 15–19 succeeded (Growth assay, Move)',
      // A wait of five seconds is caused by the scheduler and not drawn.
      'arm 45–50 succeeded (Growth assay, Move)',
      'reader 19–32 waits (Growth assay, Read)',
      'reader 32–40 succeeded (Growth assay, Read)',
    ]);
  });

  it('shows the step of a cancelled workflow as running while its node still executes it', () => {
    const step = sampleStep({ status: 'running', start_time: stamp(5), result: { action_id: 'A' } as never });
    const workflow = sampleWorkflow(
      { submitted_time: stamp(4), end_time: stamp(9), steps: [step] },
      { cancelled: true },
    );
    const status = { busy: true, paused: false, running_actions: ['A'] };
    const listVisible = (nodes: ExecutingNodes) => {
      const texts = createTextTable();
      const layer = buildLayer([trimWorkflow(workflow)], at, texts, undefined, nodes);
      return describeEntries({ layer, table: texts.consumeAdded() });
    };
    expect(listVisible({ arm: { status } })).toEqual(['arm 5–Infinity running (Growth assay, Move: Cancelling)']);
    expect(listVisible({ arm: { status: { ...status, running_actions: ['B'] } } })).toEqual([
      'arm 5–5 cancelled (Growth assay, Move)',
    ]);
  });

  it('contains the error of a failed run', () => {
    const result = { action_id: 'A', status: 'failed', errors: [{ message: 'jam at slot 3' }] };
    const steps = [succeededStep(5, 9), succeededStep(15, 19, { status: 'failed', result: result as never })];
    const { layer, table } = build([sampleWorkflow({ submitted_time: stamp(4), steps }, { failed: true })]);
    const errors = [...layer.error].filter((textIndex) => textIndex !== 0).map((textIndex) => table[textIndex]);
    expect(errors).toEqual([expect.stringContaining('jam at slot 3')]);
  });

  it.each<[string, Partial<Workflow>, Parameters<typeof sampleWorkflow>[1], readonly string[]]>([
    [
      'continues a running step',
      { steps: [succeededStep(5, 9, { status: 'running', end_time: null })] },
      { running: true },
      ['5–Infinity running'],
    ],
    [
      'ends a step without an end with its workflow, in an unknown state',
      { steps: [succeededStep(5, 9, { status: 'running', end_time: null })], end_time: stamp(30) },
      { completed: true },
      ['5–30 unknown'],
    ],
    [
      'ends a step at its start if neither the step nor the workflow has an end',
      { steps: [succeededStep(5, 9, { status: 'running', end_time: null })] },
      { completed: true },
      ['5–5 unknown'],
    ],
    ['ignores an end before the start', { steps: [succeededStep(9, 5)] }, { completed: true }, ['9–9 succeeded']],
    ['omits a step without times', { steps: [sampleStep({ status: 'succeeded' })] }, { completed: true }, []],
    [
      'omits a step with an invalid start',
      { steps: [succeededStep(5, 9, { start_time: 'soon' })] },
      { completed: true },
      [],
    ],
    [
      'contains a failed step',
      { steps: [succeededStep(5, 9, { status: 'failed' }), sampleStep()] },
      { failed: true },
      ['5–9 failed'],
    ],
  ])('%s', (_what, changed, flags, expected) => {
    const entries = describeEntries(build([sampleWorkflow(changed, flags)]));
    expect(entries.map((text) => text.replace(/^arm /, '').replace(/ \(.*/, ''))).toEqual(expected);
  });

  it('assigns the steps of a child workflow to the workflow with the transfer', () => {
    const child = sampleWorkflow(
      {
        workflow_id: '01CHILD0000000000000000000',
        name: "Transfer: 'a' -> 'b'",
        steps: [succeededStep(6, 8, { node: 'crane', name: 'Carry' })],
      },
      { completed: true },
    );
    const parent = sampleWorkflow(
      {
        steps: [
          succeededStep(5, 9, {
            node: null,
            action: 'transfer',
            args: { source: 'a', target: 'b' },
            result: { action_id: 'A', status: 'succeeded', json_result: { workflow_id: child.workflow_id, more: 1 } },
          }),
        ],
      },
      { completed: true },
    );
    const result = build([child, parent]);
    expect(describeEntries(result)).toEqual([
      'crane 6–8 succeeded (Growth assay, Carry)',
      `${workcellLane} 5–9 succeeded (Growth assay, Move)`,
    ]);
    expect(result.layer.workflows.id).toHaveLength(1);
    // A child whose parent was not read is counted separately.
    expect(describeEntries(build([child]))).toEqual(["crane 6–8 succeeded (Transfer: 'a' -> 'b', Carry)"]);
  });

  it('puts parallel runs below each other', () => {
    const parallel = Array.from({ length: maxRows + 2 }, (_none, index) =>
      sampleWorkflow({ workflow_id: `W${index}`, steps: [succeededStep(index, 30)] }, { completed: true }),
    );
    const { layer } = build(parallel);
    const last = maxRows - 1;
    expect([...layer.row]).toEqual([...Array(maxRows).keys(), last, last]);
    const [start, end] = [layer.start[3] ?? 0, layer.end[3] ?? 0];
    const allVisible = new Uint8Array(maxRows + 2).fill(1);
    expect(countRows(layer, 0, start, end, end, allVisible)).toBe(maxRows);
    expect(countRows(layer, 0, start - 10_000, layer.start[1] ?? 0, end, allVisible)).toBe(2);
    expect(countRows(layer, 0, end + 60_000, end + 120_000, end, allVisible)).toBe(1);
    expect(
      countRows(
        layer,
        0,
        start,
        end,
        end,
        allVisible.map((_one, index) => (index < 2 ? 1 : 0)),
      ),
    ).toBe(2);
  });

  it('contains the outcome and end of workflows, and each text once', () => {
    const { layer, table } = build([
      sampleWorkflow({ workflow_id: 'A', end_time: stamp(9) }, { failed: true }),
      sampleWorkflow({ workflow_id: 'B', end_time: stamp(9) }, { running: true }),
    ]);
    expect([0, 1].map((workflowIndex) => workflowStateAt(layer, workflowIndex))).toEqual(['failed', 'running']);
    expect([...layer.workflows.endedAt]).toEqual([base + 9000, Number.NaN]);
    expect(table).toEqual(['', 'A', 'B', 'Growth assay']);
  });

  it('is sorted by start and has the latest end up to each entry, for any responses', () => {
    const time = fc.option(fc.integer({ min: 0, max: 59 }).map(stamp), { nil: null });
    const step = fc
      .record({
        start_time: time,
        end_time: time,
        status: fc.constantFrom('not_started', 'running', 'succeeded', 'failed', 'cancelled', 'paused', 'odd'),
        node: fc.constantFrom('arm', 'reader', null),
      })
      .map((changed) => sampleStep(changed as Partial<Step>));
    const flags = fc.record({
      completed: fc.boolean(),
      failed: fc.boolean(),
      running: fc.boolean(),
      paused: fc.boolean(),
      current_step_index: fc.nat(3),
    });
    const workflow = fc
      .tuple(fc.array(step, { maxLength: 4 }), flags, time, time)
      .map(([steps, status, submitted_time, end_time]) => sampleWorkflow({ steps, submitted_time, end_time }, status));
    fc.assert(
      fc.property(fc.array(workflow, { maxLength: 6 }), (workflows) => {
        const identified = workflows.map((generatedWorkflow, index) => ({
          ...generatedWorkflow,
          workflow_id: `W${index}`,
        }));
        const { layer } = build(identified);
        for (const [laneIndex] of layer.lanes.entries()) {
          let [last, reach] = [-Infinity, -Infinity];
          for (let entry = layer.offsets[laneIndex] ?? 0; entry < (layer.offsets[laneIndex + 1] ?? 0); entry += 1) {
            const [start, end] = [layer.start[entry] ?? Number.NaN, layer.end[entry] ?? Number.NaN];
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThanOrEqual(start);
            [last, reach] = [start, Math.max(reach, end)];
            expect(layer.maxEnd[entry]).toBe(reach);
            const hasEnded = ['completed', 'failed', 'cancelled'].includes(
              workflowStateAt(layer, layer.owner[entry] ?? 0),
            );
            if (hasEnded) expect(end).toBeLessThan(Infinity);
          }
        }
        expect(layer.offsets.at(-1)).toBe(layer.start.length);
      }),
    );
  });
});
