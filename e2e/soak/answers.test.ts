import { expect, it } from 'vitest';
import { workflowStateTexts } from '../../dashboard/managers/workcell/workflowTexts.ts';
import { passed, type WorkflowAnswer } from './answers.ts';

const answer = (description: string, index: number): WorkflowAnswer => ({
  id: 'A',
  name: 'Assay',
  description,
  hasStarted: true,
  total: 39,
  index,
});
const { running, between, queued, queuedAt } = workflowStateTexts;

it('a workflow that runs passes the steps between two answers', () => {
  expect(passed(answer('Running step 1', 1), answer('Running step 2', 2))).toEqual([
    running(2, 39),
    between(2, 39),
    running(3, 39),
    between(3, 39),
  ]);
});

it('one that had ended was queued before it went on', () => {
  const words = passed(answer('Failed on step 1', 1), answer('Running step 2', 2));
  expect(words).toEqual(expect.arrayContaining([queuedAt(3, 39), queued, running(3, 39)]));
  expect(passed(answer('Running step 1', 1), answer('Running step 2', 2))).not.toContain(queuedAt(3, 39));
});
