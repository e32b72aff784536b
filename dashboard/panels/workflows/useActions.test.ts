import { describe, expect, it } from 'vitest';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { interpretAction } from './useActions.ts';

describe('the outcome of a command on a workflow', () => {
  const step = sampleStep({ result: { action_id: 'action-1', status: 'running' } });
  const busy = { arm: sampleNode({ busy: true, running_actions: ['action-1'] }) };
  const idle = { arm: sampleNode() };

  it.each([
    ['cancel', 'cancelled', idle, 'Cancelled.'],
    ['pause', 'paused', idle, 'Paused.'],
    ['cancel', 'cancelled', busy, { state: 'queued', text: 'Cancelling: arm is still finishing step 1.' }],
    ['cancelNow', 'cancelled', busy, { state: 'queued', text: 'Cancelling: arm is still finishing step 1.' }],
    ['pause', 'paused', busy, { state: 'queued', text: 'Pausing: arm is still finishing step 1.' }],
  ] as const)('for %s with the response %s and the nodes %j is %j', (action, flag, nodes, outcome) => {
    const response = sampleWorkflow({ steps: [step] }, { [flag]: true });
    expect(interpretAction(action, response, nodes)).toEqual(outcome);
  });
});
