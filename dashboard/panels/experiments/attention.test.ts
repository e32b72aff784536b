import { describe, expect, it } from 'vitest';
import type { WorkflowStatus } from '../../../api/managers/workflow.ts';
import { sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { findExperimentAttention, type AttentionInput } from './attention.ts';
import { experimentsTexts } from './texts.ts';

const { attention: texts } = experimentsTexts;
const hour = 3_600_000;
const now = Date.UTC(2026, 10, 22, 8);
const parseStamp = (stamp: string | null | undefined) => (stamp ? Date.parse(`${stamp}Z`) : null);
const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 23);
const attentionOf = (changed: Partial<AttentionInput>) =>
  findExperimentAttention({
    experiments: [],
    ends: new Map(),
    current: [],
    archived: [],
    parseStamp,
    parseWorkflowStamp: parseStamp,
    now,
    ...changed,
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
    ['in the last day, according to the log', 40 * hour, 2 * hour, [{ reason: texts.failed, since: now - 2 * hour }]],
    ['earlier, according to the log', 40 * hour, 30 * hour, []],
    [
      'at an unknown time but started in the last day',
      5 * hour,
      null,
      [{ reason: texts.failedSince, since: now - 5 * hour }],
    ],
    ['at an unknown time', 40 * hour, null, []],
  ])('is listed as long as necessary when it failed %s', (_name, started, ended, items) => {
    const ends = new Map(ended === null ? [] : [['X', now - ended]]);
    expect(attentionOf({ experiments: [createFailedExperiment(now - started)], ends })).toEqual(
      items.map((item) => ({ name: 'salt 1', ...item })),
    );
  });
});

describe('an experiment in progress', () => {
  const experiments = [sampleExperiment('X', { run_name: 'salt 1' })];
  const failedWorkflow = workflow('1', failed, now - hour);
  it.each([
    ['its newest workflow failed', {}, [texts.stuck('workflow 1')]],
    ['another of its workflows is running', { current: [workflow('2', running, null)] }, []],
    [
      'its failed workflow was followed by a completed one',
      { archived: [failedWorkflow, workflow('2', completed, now - hour / 4)] },
      [],
    ],
    ['its newest workflow failed just now', { archived: [workflow('1', failed, now - 60_000)] }, []],
    ['none of its workflows is known', { archived: [workflow('1', failed, now - hour, 'Y')] }, []],
    ['the running workflows are unknown', { current: null }, []],
  ])('is checked for attention when %s', (_name, changed, reasons) => {
    expect(attentionOf({ experiments, archived: [failedWorkflow], ...changed }).map(({ reason }) => reason)).toEqual(
      reasons,
    );
  });
});
