/** The routes from the page to a node, for the safety stop. */
import type { AdminCommand, AdminCommandResponse } from '../../../api/managers/action.ts';
import { createClient, type Client } from '../../../api/client/client.ts';
import { nodeApi } from '../../../api/managers/node.ts';
import type { StopRoutes } from '../../../api/safetyStop/safetyStop.ts';
import type { workcellApi } from '../../../api/managers/workcell.ts';
import type { StopTarget } from '../../../api/safetyStop/stopReport.ts';
import { routeTimeoutMs, stopTimeoutMs } from '../../../api/safetyStop/stopRun.ts';

/** The ways to the manager of the node's workcell. */
interface ManagerRoutes {
  readonly workcell: Client<typeof workcellApi> | null;
  readonly relayed: StopRoutes['relayed'];
}

export function routesTo({ name, url, commands }: StopTarget, { workcell, relayed }: ManagerRoutes): StopRoutes {
  return {
    relayed: relayed ?? null,
    throughWorkcell:
      workcell === null
        ? null
        : (command) => workcell.sendCommand({ command, node: name }, { timeoutMs: routeTimeoutMs, keepalive: true }),
    direct: url === null ? null : (command) => sendToNode(url, command),
    commands,
    timeoutMs: stopTimeoutMs,
  };
}

/** In the desktop window the shell allows the page to read the nodes' responses; other browsers forbid it. */
function readsNodes(): boolean {
  return navigator.userAgent.includes(' Electron/');
}

/** Sends a command directly to the node; returns its response, or `null` if it can't be read. */
async function sendToNode(url: string, command: AdminCommand): Promise<AdminCommandResponse | null> {
  if (readsNodes()) {
    try {
      const client = createClient(nodeApi, { baseUrl: url, timeoutMs: routeTimeoutMs });
      return await client.sendCommand({ admin_command: command }, { keepalive: true });
    } catch {
      // Unreadable or not reached: the request below distinguishes these. A second stop does no harm.
    }
  }
  const address = `${url.replace(/\/+$/, '')}/admin/${command}`;
  await fetch(address, {
    method: 'POST',
    mode: 'no-cors',
    cache: 'no-store',
    // The request completes even if the page is closed right after the press.
    keepalive: true,
    signal: AbortSignal.timeout(routeTimeoutMs),
  });
  return null;
}
