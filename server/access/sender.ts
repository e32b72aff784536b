/** The sender of a request, as `Access` identifies it for the other parts of the service. */
import type { Request } from 'express';
import type { Role, SessionResponse } from '../../api/lab/access.ts';

/** A sender with a role. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  readonly via: NonNullable<SessionResponse['user']>['via'];
}

/** The sender of a request; `null` if it is unknown. */
export type IdentifyCaller = (request: Request) => Caller | null;

export interface Sender {
  /** `null` if it is unknown. */
  readonly caller: Caller | null;
  /** An operator whose session expired so recently that the safety stop is still accepted; `null` for other senders. */
  readonly expiredCaller: Caller | null;
}

export type IdentifySender = (request: Request) => Sender;

/** The key under which a caller's requests are counted; `null` for an unknown caller. */
export function callerKey(caller: Caller | null): string | null {
  return caller && `${caller.via} ${caller.name}`;
}
