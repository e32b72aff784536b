/**
 * The routes of the desktop app's safety stop and its release: through the workcell manager, or directly to the node.
 */
import { errorText } from '../../api/errorText.ts';
import { createClient } from '../../api/client/client.ts';
import type { AdminCommand } from '../../api/managers/action.ts';
import { nodeApi } from '../../api/managers/node.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import type { StopRoutes } from '../../api/safetyStop/safetyStop.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import type { Release, StopTarget } from '../../api/safetyStop/stopReport.ts';
import { routeTimeoutMs as timeoutMs, stopTimeoutMs } from '../../api/safetyStop/stopRun.ts';

/**
 * Releases one node: implements `release` of `StopDependencies`.
 * @returns the failures, or that the stop was pressed again; `null` on success
 */
export async function releaseNode(
  target: StopTarget,
  finalRelease: Promise<Release>,
  isSuperseded: () => boolean,
): Promise<string | null> {
  const { commands } = await finalRelease;
  const routes = createRoutes(target);
  const failures: string[] = [];
  // In sequence, because a node that is still locked may reject `resume`.
  for (const command of commands) {
    if (isSuperseded()) return texts.releaseSuperseded;
    const failure = await sendWithFallback(routes, command);
    if (failure !== null) failures.push(`${command}: ${failure}`);
  }
  return failures.length === 0 ? null : failures.join('; ');
}

export function createRoutes({ workcell, name, url, commands }: StopTarget): StopRoutes {
  const manager = workcell === '' ? null : createClient(workcellApi, { baseUrl: workcell, timeoutMs });
  const direct = url === null ? null : createClient(nodeApi, { baseUrl: url, timeoutMs });
  return {
    throughWorkcell: manager === null ? null : (command) => manager.sendCommand({ command, node: name }, { timeoutMs }),
    direct: direct === null ? null : (command) => direct.sendCommand({ admin_command: command }, { timeoutMs }),
    commands,
    timeoutMs: stopTimeoutMs,
  };
}

/**
 * Sends a command through the workcell manager, or else directly to the node.
 * @returns the failure, `null` on success
 */
async function sendWithFallback(
  { throughWorkcell, direct }: Pick<StopRoutes, 'throughWorkcell' | 'direct'>,
  command: AdminCommand,
): Promise<string | null> {
  let reason: string = texts.noWorkcell;
  for (const send of [throughWorkcell, direct]) {
    if (send === null) continue;
    try {
      const response = await send(command);
      if (response?.success) return null;
      reason = (response?.errors ?? []).map(({ message }) => message ?? '').join('; ') || 'refused';
      // The node has responded: another route would give the same result.
      return reason;
    } catch (error) {
      reason = errorText(error);
    }
  }
  return reason;
}
