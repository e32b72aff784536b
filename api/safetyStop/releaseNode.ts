/** The release of one node after a safety stop, shared by the service and by the fallback. */
import { errorText } from '../errorText.ts';
import type { AdminCommand } from '../managers/action.ts';
import type { NodeRoutes, SendCommand } from './safetyStop.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';

/**
 * Sends the commands of a release in sequence, because a node that is still locked may reject `resume`: through the
 * workcell manager, which then reads the node again, or else to the node itself.
 * @param signal the stop was pressed again: then the release sends no more
 * @returns the failures; `null` on success
 */
export async function releaseNode(
  routes: NodeRoutes,
  commands: readonly AdminCommand[],
  signal: AbortSignal,
): Promise<string | null> {
  const failures: string[] = [];
  for (const command of commands) {
    if (signal.aborted) return texts.releaseSuperseded;
    const failure = await sendByEither([routes.workcell, routes.direct], command, signal);
    if (failure !== null) failures.push(`${command}: ${failure}`);
  }
  return failures.length === 0 ? null : failures.join('; ');
}

async function sendByEither(
  routes: readonly (SendCommand | null)[],
  command: AdminCommand,
  signal: AbortSignal,
): Promise<string | null> {
  let reason: string = texts.noRoute;
  for (const send of routes) {
    if (send === null) continue;
    if (signal.aborted) return texts.releaseSuperseded;
    try {
      const response = await send(command, signal);
      if (response?.success === true) return null;
      // The node has responded: another route would give the same result.
      return (response?.errors ?? []).map(({ message }) => message ?? '').join('; ') || texts.releaseNotConfirmed;
    } catch (error) {
      reason = errorText(error);
    }
  }
  return reason;
}
