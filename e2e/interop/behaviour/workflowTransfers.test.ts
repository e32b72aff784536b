/** A built-in transfer: its child workflow, how the child is identified, and how both end. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { decideCancel } from '#dashboard/managers/guards/cancelGuards.ts';
import { findChild, childIdInResult, findParent } from '#dashboard/managers/workcell/transfers.ts';
import { blockingReason } from '#dashboard/managers/workcell/waiting.ts';
import { uniqueName, locations, nodeNames, workcell } from './lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import { waitUntilArchived, resetNodes, submit, wait } from './workflows.ts';

beforeEach(resetNodes);

const active = async (): Promise<Workflow[]> => Object.values(await workcell.getActiveWorkflows());

/** Adds two locations that the arm reaches, and returns their names. */
async function addLocations(): Promise<readonly [string, string]> {
  const at = (slot: number) => ({ location_name: uniqueName('place'), representations: { [nodeNames.arm]: { slot } } });
  const [a, b] = [at(21), at(22)];
  await locations.addLocation({ body: a });
  await locations.addLocation({ body: b });
  return [a.location_name, b.location_name];
}

/** Starts a workflow whose second step is a transfer that waits because the arm is locked. */
async function startTransfer(): Promise<{ readonly parent: Workflow; readonly child: Workflow }> {
  const [source, target] = await addLocations();
  await workcell.sendCommand({ command: 'lock', node: nodeNames.arm });
  await pollUntil(
    () => workcell.getNode({ node_name: nodeNames.arm }),
    ({ status }) => status?.locked === true,
  );
  const { workflow_id: id } = await submit([wait(0.1), { name: 'Move', action: 'transfer', args: { source, target } }]);
  const found = await pollUntil(
    async () => {
      const all = await active();
      const parent = all.find(({ workflow_id: other }) => other === id);
      return parent === undefined ? null : { parent, link: findChild(parent, all) };
    },
    (now) => (now?.link?.workflow.scheduler_metadata?.reasons ?? []).length > 0,
  );
  if (found?.link == null) throw new Error('The transfer started no child workflow');
  return { parent: found.parent, child: found.link.workflow };
}

describe('a transfer step', () => {
  it('is executed by a child workflow, which is identified by source, target and time; both wait for the locked arm', async () => {
    const { parent, child } = await startTransfer();
    // The step has no data while it runs, and the child has no reference to its parent.
    expect(parent.steps[1]).toMatchObject({ status: 'not_started', start_time: null, result: null });
    expect(parent.status).toMatchObject({ running: true, current_step_index: 1 });
    expect(JSON.stringify(child)).not.toContain(parent.workflow_id);
    const all = await active();
    expect(findParent(child, all)).toMatchObject({ index: 1, workflow: { workflow_id: parent.workflow_id } });
    const { nodes } = await workcell.getState();
    expect(blockingReason(parent, { nodes, workflows: all })).toMatchObject({ attention: true });
    expect(decideCancel(parent, { nodes, workflows: all })).toMatchObject({
      allowed: false,
      alternative: { id: child.workflow_id },
    });
    await workcell.cancelWorkflow({ workflow_id: child.workflow_id });
    await waitUntilArchived(parent.workflow_id);
  });

  it('fails when its child workflow is cancelled, and names the child', async () => {
    const { parent, child } = await startTransfer();
    await workcell.cancelWorkflow({ workflow_id: child.workflow_id });
    const { status, steps } = await waitUntilArchived(parent.workflow_id);
    expect(status.failed).toBe(true);
    expect(childIdInResult(steps[1]!)).toBe(child.workflow_id);
  });

  it('completes together with its child workflow and names it', async () => {
    const { parent, child } = await startTransfer();
    await workcell.sendCommand({ command: 'unlock', node: nodeNames.arm });
    const { status, steps } = await waitUntilArchived(parent.workflow_id);
    expect(status.completed).toBe(true);
    expect(steps[1]?.start_time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(childIdInResult(steps[1]!)).toBe(child.workflow_id);
  });
});
