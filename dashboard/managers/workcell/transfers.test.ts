import { describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { findChild, childIdInResult, findParent } from './transfers.ts';
import { blockingReason, joinParts } from './waiting.ts';

const move = (source: string, target: string) =>
  sampleStep({ name: 'Move', node: null, action: 'transfer', args: { source, target } });
const time = (second: number) => `2026-11-21T14:00:${String(second).padStart(2, '0')}`;

/** A workflow with the transfer as its second step, started at `second`. */
function createParent(id: string, second: number, step = move('deck', 'reader')): Workflow {
  const first = sampleStep({ status: 'succeeded', end_time: time(second) });
  return sampleWorkflow(
    { workflow_id: id, name: id, start_time: time(0), submitted_time: time(0), steps: [first, step] },
    { running: true, current_step_index: 1 },
  );
}
function createChild(id: string, second: number, changed: Partial<Workflow> = {}): Workflow {
  return sampleWorkflow({
    workflow_id: id,
    name: "Transfer: 'deck' -> 'reader'",
    definition_metadata: { description: 'Transfer from deck (LDECK) to reader (LREADER)' },
    submitted_time: time(second),
    scheduler_metadata: { reasons: ['Node arm not ready: Node is in an error state'] },
    ...changed,
  });
}
const ids = (link: ReturnType<typeof findChild>) => link && [link.workflow.workflow_id, link.isUncertain ?? false];

describe('the workflow of a transfer', () => {
  const other = createChild('other', 6, { name: "Transfer: 'deck' -> 'bench'", definition_metadata: {} });
  it.each<[string, Workflow, Workflow[], [string, boolean] | null]>([
    ['by route and time', createParent('p', 5), [createChild('c', 6), other], ['c', false]],
    [
      'also by the IDs of its locations',
      createParent('p', 5, move('LDECK', 'LREADER')),
      [createChild('c', 6), other],
      ['c', false],
    ],
    ['not among earlier workflows', createParent('p', 5), [createChild('c', 4)], null],
    ['not among workflows of another route', createParent('p', 5), [other], null],
    [
      'as the newest one when an earlier attempt had one too',
      createParent('p', 5),
      [createChild('old', 6), createChild('c', 9)],
      ['c', false],
    ],
    [
      'as the first one started of two transfers on one route',
      createParent('p', 5),
      [createParent('q', 7), createChild('c', 6), createChild('d', 8)],
      ['c', true],
    ],
    [
      'as the second one of two transfers on one route',
      createParent('p', 8),
      [createParent('q', 5), createChild('c', 6), createChild('d', 9)],
      ['d', true],
    ],
    [
      'as likely for a resource at an unknown location',
      createParent(
        'p',
        5,
        sampleStep({ node: null, action: 'transfer_resource', args: { resource_id: 'R', target: 'reader' } }),
      ),
      [createChild('c', 6)],
      ['c', true],
    ],
    [
      'not after the transfer is over',
      sampleWorkflow({ steps: [move('deck', 'reader')] }),
      [createChild('c', 6)],
      null,
    ],
  ])('is found or not: %s', (_name, from, others, expected) => {
    expect(ids(findChild(from, [from, ...others]))).toEqual(expected);
  });

  it('is named by the result, also of a failed transfer', () => {
    const id = '01KY0000000000000000000000';
    const failed = `Transfer workflow failed during execution: Workflow Transfer: 'a' -> 'b' (${id}) failed on step 0: 't' with result:\n x.`;
    const result = { action_id: 'a', errors: [], json_result: null };
    expect(childIdInResult({ result: { ...result, status: 'succeeded', json_result: { workflow_id: id } } })).toBe(id);
    expect(childIdInResult({ result: { ...result, status: 'failed', errors: [{ message: failed }] } })).toBe(id);
    expect(
      childIdInResult({ result: { ...result, status: 'failed', errors: [{ message: 'out of tips' }] } }),
    ).toBeNull();
  });

  it('has a parent while it runs and afterwards', () => {
    const from = createParent('p', 5);
    const childWorkflow = createChild('c', 6);
    expect(findParent(childWorkflow, [from, childWorkflow])).toMatchObject({
      index: 1,
      workflow: { workflow_id: 'p' },
    });
    expect(findParent(sampleWorkflow(), [from, childWorkflow])).toBeNull();
    const step = {
      ...move('deck', 'reader'),
      result: { action_id: 'a', status: 'succeeded' as const, json_result: { workflow_id: 'c' } },
    };
    const endedParent = sampleWorkflow({ workflow_id: 'd', steps: [step] }, { completed: true });
    expect(findParent(childWorkflow, [from, endedParent])).toMatchObject({ index: 0, workflow: { workflow_id: 'd' } });
  });

  it('passes its waiting reasons to its parent', () => {
    const arm = sampleNode({ errored: true, ready: false, errors: [{ message: 'motor stalled' }] });
    const from = createParent('p', 5);
    const reason = blockingReason(from, { nodes: { arm }, workflows: [from, createChild('c', 6)] });
    expect(reason?.attention).toBe(true);
    expect(joinParts(reason?.parts ?? [])).toBe("moved by Transfer: 'deck' -> 'reader': arm in error: motor stalled");
    expect(reason?.parts).toContainEqual({ text: "Transfer: 'deck' -> 'reader'", workflow: 'c' });
    const running = { ...createChild('c', 6), status: { ...from.status, current_step_index: 0 } };
    expect(blockingReason(from, { nodes: { arm }, workflows: [from, running] })).toBeNull();
  });

  it('no longer waits for the earlier state of a node that was reset', () => {
    const childWorkflow = createChild('c', 6);
    const reason = blockingReason(childWorkflow, { nodes: { arm: sampleNode() }, workflows: [childWorkflow] });
    expect(reason).toEqual({
      attention: false,
      parts: [{ text: 'waiting for ' }, { text: 'arm', node: 'arm' }, { text: ', which has just changed: checking' }],
    });
  });
});
