/** The problems of a lab: each state of a manager, of a node with and without waiting workflows, and of a step. */
import { describe, expect, it } from 'vitest';
import { sampleLabStatus } from '../../fixtures/sampleLabStatus.ts';
import { needsAttention } from '#api/managers/nodeState.ts';
import { managerStates, nodeStates } from '#api/states.ts';
import type { LabActivity, NodeActivity } from '#api/lab/lab.ts';
import { listProblems, type Problem } from '#api/lab/problems.ts';

const since = '2026-11-28T14:00:00.000Z';
const node = (name: string, state: NodeActivity['state']): NodeActivity => ({ name, state, reason: null, since });
const activity = (fields: Partial<LabActivity>): LabActivity => ({ nodes: null, ended_workflows: [], ...fields });
const step = { id: 'w', name: 'Assay', step: 'Incubate', node: 'arm', start: since, since, longest_seconds: 60 };
const nameOf = (problem: Problem): string =>
  problem.kind === 'manager'
    ? problem.manager.manager
    : problem.kind === 'node'
      ? problem.node.name
      : problem.step.step;

it.each(nodeStates.flatMap((state) => [0, 2].map((waiting) => [state, waiting] as const)))(
  'a node that is %s with %i waiting workflows needs a person only if it cannot work or blocks them',
  (state, waiting) => {
    const cannotWork = ['disconnected', 'unconfigured', 'errored', 'stopped', 'notReady'].includes(state);
    const blocks = (state === 'locked' || state === 'paused') && waiting > 0;
    expect(needsAttention(state, waiting)).toBe(cannotWork || blocks);
  },
);

describe('listProblems', () => {
  it.each(managerStates)('contains a manager that is %s only if it fails', (state) => {
    const status = sampleLabStatus('degraded', { data: { state } });
    const isFailing = state === 'unreachable' || state === 'unhealthy';
    expect(listProblems(status).map(nameOf)).toEqual(isFailing ? ['data'] : []);
  });

  it('contains managers, nodes and overdue steps, the worst first', () => {
    const status = {
      ...sampleLabStatus('degraded', { data: { state: 'unreachable' } }),
      activity: activity({
        nodes: { total: 3, in_need: [node('reader', 'locked'), node('arm', 'errored')] },
        overdue_steps: [step],
      }),
    };
    expect(listProblems(status).map(nameOf)).toEqual(['data', 'arm', 'Incubate', 'reader']);
  });

  it('contains no manager in maintenance', () => {
    const status = sampleLabStatus('degraded', { data: { state: 'unreachable' } });
    const maintenance = [{ kind: 'manager' as const, id: 'data', name: 'Data', from: since, until: since }];
    expect(listProblems({ ...status, maintenance })).toEqual([]);
  });
});
