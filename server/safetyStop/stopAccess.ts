/**
 * Who may send a safety stop through the service, and who may end one. A stop only makes the lab safer, so it is also
 * accepted with `LAB_REMOTE_ACCESS=view`, and for a while after an operator's session has expired; its release is not.
 */
import type { Sender } from '../access/sender.ts';
import { isHostAllowed, type HostSettings } from '../http/callers/hostCheck.ts';
import type { LabSettings } from '../settings/schema/types.ts';

export interface StopRefusal {
  readonly status: number;
  readonly detail: string;
}

export type StopSettings = Pick<LabSettings, 'remoteAccess' | 'remoteStop'> & HostSettings;

/** The part of a request that decides about it. */
export interface StopCaller extends Sender {
  /** Whether a program or a page of this machine sent it, without a proxy. */
  readonly isLocal: boolean;
  /** Whether a page of another origin sent it. */
  readonly isCrossOrigin: boolean;
  /** Why it may be forged; `null` if it is not. */
  readonly forgery: string | null;
  /** The Host header. */
  readonly host: string | undefined;
  /** The name of this machine. */
  readonly machine: string;
}

/** Whether the caller may stop nodes by its place or role, and not only because everyone may. */
export function hasStopRight({ isLocal, caller, expiredCaller }: StopCaller): boolean {
  return isLocal || expiredCaller !== null || (caller !== null && caller.role !== 'viewer');
}

function refuseForgery({ isCrossOrigin, forgery }: StopCaller): StopRefusal | null {
  if (isCrossOrigin) return { status: 403, detail: 'Forbidden: this request comes from a page of another origin' };
  return forgery === null ? null : { status: 403, detail: `Forbidden: ${forgery}` };
}

/** Why the caller may not send the safety stop; `null` if it may. */
export function refuseStop(settings: StopSettings, caller: StopCaller): StopRefusal | null {
  const forged = refuseForgery(caller);
  if (forged !== null) return forged;
  if (hasStopRight(caller)) return null;
  if (settings.remoteStop === 'users')
    return caller.caller === null
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
  if (isHostAllowed(caller.host, { ...settings, corsAllowedOrigins: [] }, caller.machine)) return null;
  return {
    status: 403,
    detail:
      'The safety stop is not accepted under this host name: use the address, LAB_SERVER_URL, or add the name to LAB_ALLOWED_HOSTS',
  };
}

/** Why the caller may not release a stop; `null` if it may. */
export function refuseRelease({ remoteAccess }: StopSettings, caller: StopCaller): StopRefusal | null {
  const forged = refuseForgery(caller);
  if (forged !== null) return forged;
  if (caller.isLocal) return null;
  if (caller.caller === null)
    return { status: 401, detail: 'Only signed-in operators may release a safety stop through this lab manager' };
  if (caller.caller.role === 'viewer') return { status: 403, detail: 'A viewer may not release a safety stop' };
  return remoteAccess === 'operate'
    ? null
    : { status: 403, detail: 'LAB_REMOTE_ACCESS is view: a safety stop cannot be released from here' };
}

/** Why the caller may not acknowledge a stop; `null` if it may. */
export function refuseAcknowledgement(caller: StopCaller): StopRefusal | null {
  const forged = refuseForgery(caller);
  if (forged !== null) return forged;
  if (caller.isLocal || (caller.caller !== null && caller.caller.role !== 'viewer')) return null;
  return {
    status: caller.caller === null ? 401 : 403,
    detail: 'Only signed-in operators may acknowledge a safety stop',
  };
}
