import { expect, it } from 'vitest';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { arrangeRows } from '../../components/table/rows/arrange.ts';
import { toWorkflowRow, withNodeState, type WorkflowRow } from '../../managers/workcell/workflowRow.ts';
import { workflowColumns } from './columns.ts';

const columns = workflowColumns({ parseStamp: () => null, experiment: () => '', describeCurrent: () => '' });
const state = columns.find(({ key }) => key === 'state')!;

const stamp = '2026-11-21T14:00:00';
const cancelled = (id: string, node: string) =>
  sampleWorkflow(
    {
      workflow_id: id,
      submitted_time: stamp,
      start_time: stamp,
      end_time: '2026-11-21T14:01:00',
      steps: [sampleStep({ node, status: 'running', result: { action_id: id } as never })],
    },
    { cancelled: true },
  );
const node = sampleNode();
const nodes = { mover: { ...node, status: { ...node.status!, busy: true, running_actions: ['W1'] } } };
/** A row from the archive, without the workflow itself. */
const archived = (id: string): WorkflowRow => structuredClone(toWorkflowRow(cancelled(id, 'mover')));

it('a cancelled workflow whose node still executes it is Cancelling in filter, order and CSV', () => {
  const [finishing, endedRow] = [withNodeState(archived('W1'), nodes), withNodeState(archived('W2'), nodes)];
  expect([finishing, endedRow].map((row) => state.text?.(row))).toEqual(['Cancelling', 'Cancelled']);
  expect(state.csv?.(finishing)).toBe('Cancelling: mover is still finishing step 1');
  const { selectRows } = arrangeRows([endedRow, finishing], columns);
  const view = { search: '', sort: { key: 'state', descending: false } };
  expect(selectRows({ ...view, filters: {} })).toEqual([finishing, endedRow]);
  expect(selectRows({ ...view, filters: { state: ['Cancelling'] } })).toEqual([finishing]);
});
