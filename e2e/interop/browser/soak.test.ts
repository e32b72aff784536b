/** A busy real lab: the pages agree with the managers' responses. `npm run soak` runs longer on the demo lab. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { stopResponse } from '#api/lab/safetyStopApi.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { describeNodes, toWorkflowState, type ManagerStates } from '../../soak/managerStates.ts';
import { soak, describeContradictions, type Load } from '../../soak/soak.ts';
import { uniqueName, locations, nodeNames, workcell } from '../behaviour/lab.ts';
import { faulty, quick, resetNodes, slow, steady, submit, wait } from '../behaviour/workflows.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import { LabPages } from './labPage.ts';

const minutes = 1.5;
const workflows = 6;

let pages: LabPages;
let places: readonly [string, string];
beforeAll(async () => {
  pages = await LabPages.start();
  const at = (slot: number) => ({ representations: { [nodeNames.arm]: { slot } } });
  const [a, b] = [uniqueName('place'), uniqueName('place')];
  await locations.addLocation({ body: { location_name: a, ...at(11) } });
  await locations.addLocation({ body: { location_name: b, ...at(12) } });
  places = [a, b];
});
afterAll(async () => {
  await pages.stop();
  await resetNodes();
});
beforeEach(resetNodes);

/** The load on the real lab. A workflow that is no longer active has ended, and is then read once. */
class RealLoad implements Load {
  #submittedCount = 0;
  #last: Readonly<Record<string, Workflow>> = {};
  readonly #ended = new Map<string, Workflow>();

  async submit(): Promise<string> {
    this.#submittedCount += 1;
    const [source, target] = this.#submittedCount % 2 === 0 ? places : [places[1], places[0]];
    const transfer = { name: 'Move', action: 'transfer', args: { source, target } };
    const part = [wait(1), slow(1), quick(), transfer, steady(2), wait(2)];
    const steps = Array.from({ length: 5 }, () => part).flat();
    // Some workflows fail early.
    const all = this.#submittedCount % 4 === 0 ? [...steps.slice(0, 8), faulty('fail'), ...steps] : steps;
    const { workflow_id: id } = await submit(all, { definition: { name: `Assay ${this.#submittedCount}` } });
    return id;
  }

  async disturb(turn: number): Promise<void> {
    switch (turn % 3) {
      case 0:
        // The node is in error until it is reset.
        await submit([faulty('crash')], { definition: { name: `Crash ${turn}` } });
        await sleep(5000);
        await workcell.sendCommand({ command: 'reset', node: nodeNames.faulty });
        return;
      case 1: {
        const failed = [...this.#ended.values()].find(({ status }) => status.failed);
        if (failed !== undefined)
          await workcell.retryWorkflow({
            workflow_id: failed.workflow_id,
            index: Math.min(failed.status.current_step_index + 1, failed.steps.length - 1),
          });
        return;
      }
      default:
        await this.submit();
    }
  }

  async readStates(): Promise<ManagerStates> {
    const [active, { nodes }] = await Promise.all([workcell.getActiveWorkflows(), workcell.getState()]);
    for (const id of Object.keys(this.#last))
      if (!(id in active)) this.#ended.set(id, await workcell.getWorkflow({ workflow_id: id }));
    for (const id of Object.keys(active)) this.#ended.delete(id);
    this.#last = active;
    return {
      workflows: [...Object.values(active), ...this.#ended.values()].map(toWorkflowState),
      nodes: describeNodes(nodes),
    };
  }
}

it(
  'pages show only true states of workflows and nodes and never an older state after a newer one',
  async () => {
    const { context, url } = await pages.profile();
    // A stop of an earlier test whose release did not reach every node ends when the nodes were read again.
    const readStop = async () => stopResponse.parse(await (await fetch(new URL('safety_stop', url))).json());
    await pollUntil(readStop, ({ in_effect: isInEffect }) => !isInEffect);
    // Its workflows fail on purpose.
    pages.expectErrors(/./);
    const { contradictions, comparedTexts } = await soak({
      load: new RealLoad(),
      context,
      url,
      minutes,
      workflows,
      recordIntervalMs: 1000,
      log: (line) => console.log(line),
    });
    await pages.close();
    expect(describeContradictions(contradictions)).toEqual([]);
    // The number depends on the speed of the machine.
    expect(comparedTexts).toBeGreaterThan(50);
  },
  10 * 60_000,
);
