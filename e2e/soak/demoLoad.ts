/** A demo lab under load: many workflows of short steps, transfers with child workflows, failures and resets. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../api/client/client.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import { submitWorkflow } from '../../dashboard/managers/commands/submission.ts';
import type { DemoLab } from '../../demo/lab/lab.ts';
import { statusView } from '../../demo/workcell/view.ts';
import type { NewWorkflowDefinition } from '../../api/managers/workflowDefinition.ts';
import { nodeText, type ManagerStates } from './managerStates.ts';
import type { Stoppable } from './incident.ts';
import type { Load } from './soak.ts';

type Step = NonNullable<NewWorkflowDefinition['steps']>[number];

const slowNode = 'advanced_example_node';
const armNode = 'robotarm_1';
const locations = [
  'liquidhandler_1.deck_1',
  'liquidhandler_1.deck_3',
  'liquidhandler_2.deck_1',
  'platereader_1.plate_carriage',
];

/** Steps follow each other quickly, so that much changes; the pages keep their own intervals. */
export const demoTiming = { tick: 250, poll: 500, info: 10_000, reconnect: 3000 } as const;
/** The duration of a fault or pause in ms. */
const pauseMs = 4000;

/** Returns a generator of numbers below 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

export class DemoLoad implements Load, Stoppable {
  readonly #lab: DemoLab;
  readonly #random = createRandom(7);
  readonly #client;
  readonly #steps: number;
  #submittedCount = 0;

  constructor(lab: DemoLab, steps: number) {
    this.#lab = lab;
    this.#steps = steps;
    this.#client = createClient(workcellApi, { baseUrl: lab.context.workcell_server_url });
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  #createStep(): Step {
    const seconds = 1 + Math.round(this.#random() * 20) / 10;
    const kind = this.#random();
    if (kind < 0.02) return { name: 'Shake', node: slowNode, action: 'fail' };
    if (kind < 0.12) return { name: 'Incubate', node: slowNode, action: 'slow', args: { seconds } };
    if (kind < 0.2) {
      const [source, target] = [this.#pick(locations), this.#pick(locations)];
      if (source !== target) return { name: 'Move', action: 'transfer', args: { source, target } };
    }
    return { name: 'Settle', action: 'wait', args: { seconds } };
  }

  async submit(): Promise<string> {
    this.#submittedCount += 1;
    const steps = Array.from({ length: this.#steps }, () => this.#createStep());
    const { workflow_id: id } = await submitWorkflow(
      this.#client,
      { name: `Assay ${this.#submittedCount}`, steps },
      {},
    );
    return id;
  }

  async disturb(turn: number): Promise<void> {
    const runs = [...this.#lab.managers.workcell.store.active.values()].filter(({ definition }) =>
      definition.name.startsWith('Assay'),
    );
    const running = this.#pick(runs.filter(({ flags }) => flags.running));
    switch (turn % 4) {
      case 0:
        await this.#lab.faults.setNode(armNode, 'errored');
        await sleep(pauseMs);
        await this.#lab.faults.setNode(armNode, null);
        return;
      case 1: {
        const failed = this.#pick(
          [...this.#lab.managers.workcell.store.archived.values()].filter(({ flags }) => flags.failed),
        );
        if (failed !== undefined && failed.definition.name.startsWith('Assay'))
          await this.#client.retryWorkflow({
            workflow_id: failed.id,
            index: Math.min(failed.index + 1, failed.steps.length - 1),
          });
        else await this.submit();
        return;
      }
      case 2:
        if (running !== undefined && running.steps[running.index]?.filled.node === slowNode) {
          await this.#client.pauseWorkflow({ workflow_id: running.id });
          await sleep(pauseMs);
          await this.#client.resumeWorkflow({ workflow_id: running.id });
        }
        return;
      default:
        if (running !== undefined && running.steps[running.index]?.filled.node === slowNode) {
          await this.#client.cancelWorkflow({ workflow_id: running.id });
          await this.submit();
        }
    }
  }

  readonly outageNode = 'liquidhandler_1';

  async setReachable(isReachable: boolean): Promise<void> {
    await this.#lab.faults.setNode(this.outageNode, isReachable ? null : 'unreachable');
  }

  get nodesWithoutStop(): readonly string[] {
    return this.#lab.nodes.filter((node) => !node.commands().includes('safety_stop')).map(({ name }) => name);
  }

  isStopped(): boolean {
    return this.#lab.nodes.map((node) => node.status()).some(({ stopped, locked }) => stopped || locked);
  }

  readStates(): ManagerStates {
    const { active, archived, nodes } = this.#lab.managers.workcell.store;
    return {
      workflows: [...active.values(), ...archived.values()].map((run) => {
        const { description, has_started: hasStarted, current_step_index: index } = statusView(run);
        const { id, definition, steps } = run;
        return { id, name: definition.name, description: description ?? '', hasStarted, index, total: steps.length };
      }),
      nodes: Object.fromEntries([...nodes].map(([name, { status }]) => [name, nodeText(status)])),
    };
  }
}
