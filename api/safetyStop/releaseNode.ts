/** The release of one node after a safety stop, shared by the service and by the fallback. */
import { ManagerError } from '../client/managerError.ts';
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
  const open = new Set([routes.workcell, routes.direct].filter((send) => send !== null));
  for (const command of commands) {
    if (signal.aborted) return texts.releaseSuperseded;
    const failure = await sendByEither(open, command, signal);
    if (failure !== null) failures.push(`${command}: ${failure}`);
    if (failure !== null && open.size === 0) break;
  }
  return failures.length === 0 ? null : failures.join('; ');
}

/** @param routes without those that do not answer: each further attempt would last until its timeout */
async function sendByEither(
  routes: Set<SendCommand>,
  command: AdminCommand,
  signal: AbortSignal,
): Promise<string | null> {
  let reason: string = 'no route to the node';
  for (const send of routes) {
    if (signal.aborted) return texts.releaseSuperseded;
    try {
      const response = await send(command, signal);
      if (response?.success === true) return null;
      // The node has responded: another route would give the same result.
      return (response?.errors ?? []).map(({ message }) => message ?? '').join('; ') || 'the node did not confirm it';
    } catch (error) {
      reason = errorText(error);
      if (error instanceof ManagerError && error.kind === 'timeout') routes.delete(send);
    }
  }
  return reason;
}
