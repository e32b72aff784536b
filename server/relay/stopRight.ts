/**
 * Who may send the safety stop through the relay. Pure. A stop only makes the lab safer, so it is also relayed with
 * `LAB_REMOTE_ACCESS=view`, and for a while after an operator's session has expired; its release is not.
 */
import { workcellApi } from '../../api/managers/workcell.ts';
import type { AdminCommand } from '../../api/managers/action.ts';
import type { Sender } from '../access/sender.ts';
import { isHostAllowed, type HostSettings } from '../http/callers/hostCheck.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { parseAdminCommand, findRoute, isRelayed, refuseAccess, type Refusal, type RelayRoute } from './route.ts';

/** The commands of a safety stop: `lock`, `pause` and `cancel` are sent to nodes that do not support `safety_stop`. */
const stopCommands: ReadonlySet<string> = new Set<AdminCommand>(['safety_stop', 'lock', 'pause', 'cancel']);

/** Whether the request is one that a safety stop sends to a node. */
export function isStop(route: RelayRoute): boolean {
  return (
    route.endpoint === workcellApi.endpoints.sendCommand && stopCommands.has(parseAdminCommand(route)?.command ?? '')
  );
}

/** Whether the sender may stop nodes by its role, and not only because everyone may. */
export function hasStopRight({ caller, expiredCaller }: Sender): boolean {
  return expiredCaller !== null || (caller !== null && caller.role !== 'viewer');
}

/** Whether the request is a safety stop that only `LAB_REMOTE_STOP=everyone` permits its sender. */
export function isPublicStop(route: RelayRoute, sender: Sender): boolean {
  return isStop(route) && !hasStopRight(sender);
}

/**
 * Why a public stop is not relayed to this node; `null` if it is. Its sender could otherwise invent any number of nodes.
 * @param nodes the names of the known nodes; empty if they were not read
 */
export function refuseNode(route: RelayRoute, nodes: readonly string[]): Refusal | null {
  if (nodes.length === 0 || nodes.includes(parseAdminCommand(route)?.node ?? '')) return null;
  return {
    status: 404,
    detail:
      'Not Found: the workcell has no node of this name, as last read; GET /managers lists the nodes, and a signed-in operator may stop any',
  };
}

/** Whether a request is a safety stop. @param target the raw target of the request */
export function isStopRequest(method: string, target: string): boolean {
  const route = isRelayed(target) ? findRoute(method, target) : null;
  return route?.ok === true && isStop(route.route);
}

export type StopSettings = Pick<LabSettings, 'remoteAccess' | 'remoteStop'> & HostSettings;

/** The part of a request that decides whether a safety stop is relayed. */
export interface StopSender extends Sender {
  /** The Host header. */
  readonly host: string | undefined;
  /** The name of this machine. */
  readonly machine: string;
}

/** Why the sender may not send the safety stop; `null` if it may. */
export function refuseStop(settings: StopSettings, sender: StopSender): Refusal | null {
  const { remoteAccess, remoteStop } = settings;
  const { caller, host, machine } = sender;
  if (remoteAccess === 'off') return refuseAccess('off', null, null);
  if (hasStopRight(sender)) return null;
  if (remoteStop === 'users')
    return caller === null
      ? {
          status: 401,
          detail:
            'Only signed-in operators may send the safety stop through this lab manager (LAB_REMOTE_STOP is users)',
        }
      : {
          status: 403,
          detail: 'A viewer may not send the safety stop through this lab manager (LAB_REMOTE_STOP is users)',
        };
  // Without credentials only the name of the host distinguishes a page of another site that was rebound to this address.
  if (isHostAllowed(host, { ...settings, corsAllowedOrigins: [] }, machine)) return null;
  return {
    status: 403,
    detail:
      'The safety stop is not relayed under this host name: use the address, LAB_SERVER_URL, or add the name to LAB_ALLOWED_HOSTS',
  };
}
