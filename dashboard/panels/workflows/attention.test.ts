import { describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { parseTime } from '../../base/time.ts';
import { sampleNow, sampleTime } from '../../fixtures/sampleLabStatus.ts';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { workflowAttention, type WorkflowAttentionInput } from './attention.ts';

const listItems = (changed: Partial<WorkflowAttentionInput>) =>
  workflowAttention({ current: [], archived: [], now: sampleNow, parseStamp: parseTime, ...changed });
const lines = (changed: Partial<WorkflowAttentionInput>) =>
  listItems(changed).map(({ name, reason }) => `${name}: ${reason}`);

const createFailedWorkflow = (hour: number, id: string, message = ''): Workflow =>
  sampleWorkflow(
    {
      workflow_id: id,
      name: id,
      end_time: sampleTime(hour, 0),
      steps: [
        sampleStep({
          node: null,
          status: 'failed',
          result: { action_id: 'action', status: 'failed', errors: message === '' ? [] : [{ message }] },
        }),
      ],
    },
    { failed: true },
  );

describe('attention items of workflows', () => {
  it('include failures and losses of the last day once, as past items that can be hidden', () => {
    const old = sampleWorkflow({ end_time: '2026-11-19T10:00:00Z' }, { failed: true });
    const items = listItems({
      current: [createFailedWorkflow(13, 'a')],
      archived: [createFailedWorkflow(13, 'a'), createFailedWorkflow(12, 'b'), old],
      lost: { seen: sampleTime(13, 29), missed: sampleTime(13, 30), total: 2, workflows: [] },
    });
    expect(items.map(({ name, past, hideable, since }) => [name, past, hideable, since])).toEqual([
      ['2 active workflows', true, true, parseTime(sampleTime(13, 30))],
      ['a', true, true, parseTime(sampleTime(13, 0))],
      ['b', true, true, parseTime(sampleTime(12, 0))],
    ]);
  });

  it('treat a repeated failure as a new item, so that hiding applies to one failure only', () => {
    const [previousItem] = listItems({ current: [createFailedWorkflow(12, 'a')] });
    const [repeatedItem] = listItems({ current: [createFailedWorkflow(13, 'a')] });
    expect(previousItem?.key).not.toBe(repeatedItem?.key);
    expect(listItems({ current: [createFailedWorkflow(12, 'a')] })[0]?.key).toBe(previousItem?.key);
  });

  it('show a transfer and its child workflow in one line', () => {
    const id = '01M7YEVB2R7MFAXG5HCXD0PDDV';
    const child = createFailedWorkflow(12, id, 'gripper stalled');
    const parent = createFailedWorkflow(
      13,
      'Transfer',
      `Transfer workflow failed during execution: Workflow Move it (${id}) failed on step 0: 'pick' with result:\n action_id='x' errors=[Error(message='gripper stalled')].`,
    );
    expect(lines({ archived: [child, parent] })).toEqual([
      expect.stringMatching(/^Transfer: Failed at step 1 of 1: .*pick: gripper stalled$/),
    ]);
    expect(lines({ archived: [child] })).toHaveLength(1);
  });
});
