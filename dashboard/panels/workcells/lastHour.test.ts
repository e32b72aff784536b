import { describe, expect, it } from 'vitest';
import { stepAppearances } from '#api/states.ts';
import { parseTime } from '../../base/time.ts';
import { sampleNow } from '../../fixtures/sampleLabStatus.ts';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { hourLanes, hourSpans, hourTexts, hourUntil, findLoadedSince, limits } from './lastHour.ts';

const minute = 60_000;
const minutesAgo = (minutes: number) => new Date(sampleNow - minutes * minute).toISOString();
const range = hourUntil(sampleNow);
const completedStep = (from: number, to: number, node = 'arm') =>
  sampleStep({
    step_id: String(from),
    node,
    status: 'succeeded',
    start_time: minutesAgo(from),
    end_time: minutesAgo(to),
  });
const createWorkflow = (id: string, steps: ReturnType<typeof completedStep>[]) =>
  sampleWorkflow({ workflow_id: id, name: id, steps }, { completed: true });
const createSpans = (...workflows: Parameters<typeof hourSpans>[0]) => hourSpans(workflows, parseTime, range);

describe('the last hour of the nodes', () => {
  it('has a bar for each step, cut at the beginning, without earlier steps', () => {
    const spans = createSpans(
      createWorkflow('a', [completedStep(120, 90), completedStep(70, 50), completedStep(40, 30, 'reader')]),
    );
    expect(spans.map(({ lane, start, end }) => [lane, start, end])).toEqual([
      ['arm', range.from, sampleNow - 50 * minute],
      ['reader', sampleNow - 40 * minute, sampleNow - 30 * minute],
    ]);
  });

  it('extends running steps and excludes waiting and built-in ones', () => {
    const running = sampleStep({ status: 'running', start_time: minutesAgo(5) });
    const waitStep = sampleStep({
      status: 'succeeded',
      node: null,
      start_time: minutesAgo(9),
      end_time: minutesAgo(8),
    });
    const spans = createSpans(
      sampleWorkflow({ steps: [waitStep, running, sampleStep()] }, { running: true, current_step_index: 1 }),
    );
    expect(spans).toMatchObject([{ lane: 'arm', end: null, appearance: stepAppearances.running }]);
  });

  it('joins short steps of one workflow, but not failures or other workflows', () => {
    const short = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => completedStep(from - index * 0.1, from - index * 0.1 - 0.05));
    const failed = { ...completedStep(38.4, 38.3), status: 'failed' as const };
    const spans = createSpans(createWorkflow('a', [...short(10, 40), failed]), createWorkflow('b', short(2, 30)));
    expect(spans.map(({ label }) => label)).toEqual([hourTexts.several('a', 10), 'a', hourTexts.several('b', 2)]);
  });

  it('is limited to the newest bars', () => {
    const manyWorkflows = Array.from({ length: limits.spans + 50 }, (_, index) =>
      createWorkflow(`w${index}`, [completedStep(50 - index / 20, 49.99 - index / 20)]),
    );
    const spans = createSpans(...manyWorkflows);
    expect(spans).toHaveLength(limits.spans);
    expect(spans.at(-1)?.owner).toBe(`w${limits.spans + 49}`);
  });

  it('begins where the loaded data begins', () => {
    const archived = [createWorkflow('a', []), createWorkflow('b', [])].map((workflow, index) => ({
      ...workflow,
      end_time: minutesAgo(20 - index),
    }));
    expect(findLoadedSince(archived, 50, parseTime)).toBeNull();
    const loadedSince = findLoadedSince(archived, 2, parseTime);
    expect(loadedSince).toBe(sampleNow - 20 * minute);
    expect(hourUntil(sampleNow, loadedSince).from).toBe(loadedSince);
    expect(hourUntil(sampleNow, sampleNow - 90 * minute).from).toBe(range.from);
    expect(hourUntil(sampleNow, sampleNow).from).toBe(sampleNow - minute);
  });

  it('has a lane for each node, or for each active one in a large workcell', () => {
    const spans = createSpans(createWorkflow('a', [completedStep(40, 30, 'node_7')]));
    const names = (count: number) => Array.from({ length: count }, (_, index) => `node_${index}`);
    expect(hourLanes(names(8), spans)).toHaveLength(8);
    expect(hourLanes(names(200), spans)).toEqual([{ key: 'node_7', label: 'node_7' }]);
  });
});
