/** The ways from the page to a node, for its safety stop. */
import type { AdminCommand, AdminCommandAnswer } from '../../../api/managers/action.ts';
import { createClient, type Client } from '../../../api/client/client.ts';
import { nodeApi } from '../../../api/managers/node.ts';
import type { StopRoutes } from '../../../api/safetyStop/safetyStop.ts';
import type { workcellApi } from '../../../api/managers/workcell.ts';
import type { StopTarget } from '../../../api/safetyStop/stopReport.ts';
import { stopDeadlineMs, stopTimeoutMs } from '../../../api/safetyStop/stopRun.ts';

export function routesTo({ name, url, commands }: StopTarget, workcell: Client<typeof workcellApi> | null): StopRoutes {
  return {
    throughWorkcell:
      workcell === null
        ? null
        : (command) => workcell.sendCommand({ command, node: name }, { deadlineMs: stopDeadlineMs, keepalive: true }),
    direct: url === null ? null : (command) => sendToNode(url, command),
    commands,
    timeoutMs: stopTimeoutMs,
  };
}

/** In the desktop window the shell lets the page read what nodes answer; elsewhere a browser forbids it. */
function readsNodes(): boolean {
  return navigator.userAgent.includes(' Electron/');
}

/** Straight to the node: its answer, or `null` where it may not be read. */
async function sendToNode(url: string, command: AdminCommand): Promise<AdminCommandAnswer | null> {
  if (readsNodes()) {
    try {
      const client = createClient(nodeApi, { baseUrl: url, deadlineMs: stopDeadlineMs });
      return await client.sendCommand({ admin_command: command }, { keepalive: true });
    } catch {
      // Not readable, or not reached: the request below tells which. A second stop does no harm.
    }
  }
  const address = `${url.replace(/\/+$/, '')}/admin/${command}`;
  await fetch(address, {
    method: 'POST',
    mode: 'no-cors',
    cache: 'no-store',
    // A page that is closed right after the press has sent it all the same.
    keepalive: true,
    signal: AbortSignal.timeout(stopDeadlineMs),
  });
  return null;
}
