/** The routes of the service's safety stop: to the nodes themselves, and through the workcell manager within limits. */
import { createClient, type Client } from '../../api/client/client.ts';
import { nodeApi } from '../../api/managers/node.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import { routeTimeoutMs as timeoutMs, type NodeRoutes } from '../../api/safetyStop/safetyStop.ts';
import type { StopTarget } from '../../api/safetyStop/stopReport.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import { freshFetch } from '../net/freshFetch.ts';

/**
 * The maximum number of pending requests to the workcell manager, which executes 40 at once: a node that hangs occupies one
 * for each command. Safety stops do not wait for other commands.
 */
const maxStops = 28;
const maxOthers = 8;

export class StopRoutes {
  readonly workcell: Client<typeof workcellApi> | null;
  readonly #stops = new TaskQueue(maxStops);
  readonly #others = new TaskQueue(maxOthers);

  /** @param workcell address of the workcell manager; `null` without one */
  constructor(workcell: string | null) {
    this.workcell =
      workcell === null ? null : createClient(workcellApi, { baseUrl: workcell, timeoutMs, fetch: freshFetch });
  }

  routesTo({ name, url }: Pick<StopTarget, 'name' | 'url'>): NodeRoutes {
    const { workcell } = this;
    const node = url === null ? null : createClient(nodeApi, { baseUrl: url, timeoutMs, fetch: freshFetch });
    return {
      direct: node && ((command) => node.sendCommand({ admin_command: command }, { timeoutMs })),
      workcell:
        workcell &&
        ((command, signal) => {
          const limit = command === 'safety_stop' ? this.#stops : this.#others;
          // After the end of the stop, a late `lock` would undo its release.
          return limit.run(() => workcell.sendCommand({ command, node: name }, { timeoutMs }), signal);
        }),
    };
  }
}
