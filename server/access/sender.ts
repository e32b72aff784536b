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
export type CallerOf = (request: Request) => Caller | null;

export interface Sender {
  /** `null` if it is unknown. */
  readonly caller: Caller | null;
  /** An operator without a valid session, whose last one expired so recently that it may still send the safety stop. */
  readonly expired: Caller | null;
}

export type SenderOf = (request: Request) => Sender;

/** Distinguishes callers for limits; `null` for an unknown one. */
export function callerKey(caller: Caller | null): string | null {
  return caller && `${caller.via} ${caller.name}`;
}
