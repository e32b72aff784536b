/** The relay of the lab manager: its mode, its paths, and `GET /managers`. */
import * as z from 'zod/mini';
import { managerKeys } from '../managers.ts';
import { roles } from './access.ts';

/** The values of `LAB_REMOTE_ACCESS`. */
export const remoteAccessModes = ['off', 'view', 'operate'] as const;
export type RemoteAccess = (typeof remoteAccessModes)[number];

/** The values of `LAB_REMOTE_STOP`: who may send the safety stop from other machines. */
export const remoteStopModes = ['users', 'everyone'] as const;

/** Header with a key of each command: a second command with the same key is a repetition, and is not relayed. */
export const idempotencyHeader = 'Idempotency-Key';

/** The first segment of relayed paths. */
export const relayName = 'managers';

/** Body of `GET /managers`: what the relay offers to the caller. */
export const relayResponse = z.object({
  remote_access: z.enum(remoteAccessModes),
  /** The caller's role; `null` if the caller may not use the relay. */
  role: z.nullable(z.enum(roles)),
  /** The managers that have an address. */
  managers: z.array(z.enum(managerKeys)),
});
export type RelayResponse = z.infer<typeof relayResponse>;
