/** The routes of the service's safety stop: to the nodes themselves, and through the workcell manager within limits. */
import { createClient, type Client } from '../../api/client/client.ts';
import { nodeApi } from '../../api/managers/node.ts';
import { nodeState, otherNodeFlags } from '../../api/managers/nodeState.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import type { StoppedNode } from '../../api/commandRecord.ts';
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
/** Timeout of the reading of a node's own state, in ms. */
const readingTimeoutMs = 900;

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

  /** Reads the state from the node itself: the workcell manager reports it seconds later. `null` without a response. */
  async readState(url: string): Promise<NonNullable<StoppedNode['now']> | null> {
    const client = createClient(nodeApi, { baseUrl: url, timeoutMs: readingTimeoutMs, fetch: freshFetch });
    const status = await client.getStatus({}, {}).catch(() => null);
    return status && { state: nodeState({ status }), flags: [...otherNodeFlags({ status })] };
  }
}
