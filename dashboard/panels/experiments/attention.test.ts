import { describe, expect, it } from 'vitest';
import type { WorkflowStatus } from '#api/managers/workflow.ts';
import { sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { findExperimentAttention, type AttentionInput } from './attention.ts';
import { experimentsTexts } from './texts.ts';

const { attention: texts } = experimentsTexts;
const hour = 3_600_000;
const now = Date.UTC(2026, 10, 22, 8);
const parseStamp = (stamp: string | null | undefined) => (stamp ? Date.parse(`${stamp}Z`) : null);
const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 23);
const attentionOf = (overrides: Partial<AttentionInput>) =>
  findExperimentAttention({
    experiments: [],
    ends: new Map(),
    current: [],
    archived: [],
    parseStamp,
    parseWorkflowStamp: parseStamp,
    now,
    ...overrides,
  }).map(({ name, reason, since }) => ({ name, reason, since }));

const workflow = (id: string, flags: Partial<WorkflowStatus>, ended: number | null, experiment = 'X') =>
  sampleWorkflow(
    {
      workflow_id: id,
      name: `workflow ${id}`,
      submitted_time: stamp((ended ?? now) - hour),
      end_time: ended === null ? null : stamp(ended),
      ownership_info: { experiment_id: experiment },
    },
    flags,
  );
const [failed, completed, running] = [{ failed: true }, { completed: true }, { running: true }];

describe('a failed experiment', () => {
  const createFailedExperiment = (started: number) =>
    sampleExperiment('X', { status: 'failed', run_name: 'salt 1', started_at: stamp(started) });
  it.each([
    [
      'is listed when it failed in the last day, according to the log',
      40 * hour,
      2 * hour,
      [{ reason: texts.failed, since: now - 2 * hour }],
    ],
    ['is not listed when it failed earlier, according to the log', 40 * hour, 30 * hour, []],
    [
      'is listed with its start when the log has no failure and it started in the last day',
      5 * hour,
      null,
      [{ reason: texts.failedSince, since: now - 5 * hour }],
    ],
    ['is not listed when the log has no failure and it started earlier', 40 * hour, null, []],
  ])('%s', (_name, started, ended, items) => {
    const ends = new Map(ended === null ? [] : [['X', now - ended]]);
    expect(attentionOf({ experiments: [createFailedExperiment(now - started)], ends })).toEqual(
      items.map((item) => ({ name: 'Salt series · salt 1', ...item })),
    );
  });
});

describe('an experiment in progress', () => {
  const experiments = [sampleExperiment('X', { run_name: 'salt 1' })];
  const failedWorkflow = workflow('1', failed, now - hour);
  it.each([
    ['needs attention when its newest workflow failed', {}, [texts.stuck('workflow 1')]],
    ['needs no attention while another of its workflows is running', { current: [workflow('2', running, null)] }, []],
    [
      'needs no attention when a completed workflow followed the failed one',
      { archived: [failedWorkflow, workflow('2', completed, now - hour / 4)] },
      [],
    ],
    [
      'needs no attention directly after its newest workflow failed',
      { archived: [workflow('1', failed, now - 60_000)] },
      [],
    ],
    [
      'needs no attention when none of its workflows is known',
      { archived: [workflow('1', failed, now - hour, 'Y')] },
      [],
    ],
    ['needs no attention while the running workflows are unknown', { current: null }, []],
  ])('%s', (_name, overrides, reasons) => {
    expect(attentionOf({ experiments, archived: [failedWorkflow], ...overrides }).map(({ reason }) => reason)).toEqual(
      reasons,
    );
  });
});
