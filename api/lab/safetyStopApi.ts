/**
 * The lab manager's endpoints of the safety stop. Besides the sign-in and the relay, only these change anything over HTTP
 * (`docs/adr/0006-safety-stop.md`).
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { labStop } from '../safetyStop/labStop.ts';

/** The maximum number of nodes in a request: browsers send at most 64 KiB while a page closes. */
export const maxRequestNodes = 500;

/** The maximum number of flags of a node: locked and paused. */
export const maxFlags = 2;

/** The commands whose effects a release undoes, and which a sender reports. */
export const attemptedCommands = ['safety_stop', 'lock', 'pause'] as const;

/** What the sender knows of a node: the commands that it has sent itself, and the locks and pauses from before the stop. */
const attemptedNode = z.object({
  name: z.string(),
  attempted: z.array(z.enum(attemptedCommands)).check(z.maxLength(attemptedCommands.length)),
  /** The node's flags before the stop, which a release does not undo. */
  before: z.array(z.string()).check(z.maxLength(maxFlags)),
});
export type AttemptedNode = z.infer<typeof attemptedNode>;

/** The optional body of the requests: programs of this machine describe their sender. */
export const stopRequest = z.object({
  application: z.optional(z.enum(['dashboard', 'desktop app', 'command line'])),
  /** The account of the person at this machine. */
  user: z.optional(z.string().check(z.maxLength(256))),
  /** What the sender has sent before the service accepted the stop, which its release undoes, and what was set before. */
  nodes: z.optional(z.array(attemptedNode).check(z.maxLength(maxRequestNodes))),
  /**
   * With the ID of a stop, the request is no press: it adds `nodes` to this stop while that is the last one, and releases
   * them if that is released already.
   */
  stop_id: z.optional(z.string()),
});
export type StopRequest = z.infer<typeof stopRequest>;

/** The state of the safety stop. */
export const stopResponse = z.object({
  /** The stop in effect or else the last one; `null` if there was none. */
  stop: z.nullable(labStop),
  in_effect: z.boolean(),
  acknowledged: z.boolean(),
  /** The number of nodes that a stop would reach. */
  known_nodes: z.int(),
  /** The commands that a release sends now. */
  releases: z.array(z.object({ name: z.string(), commands: z.array(z.string()) })),
  /** Why the caller may not send each request; `null` if it may. */
  refusals: z.object({
    stop: z.nullable(z.string()),
    release: z.nullable(z.string()),
    acknowledge: z.nullable(z.string()),
  }),
});
export type StopResponse = z.infer<typeof stopResponse>;

const body = { type: 'json', schema: stopRequest, optional: true } as const;

export const safetyStopApi = {
  server: 'lab',
  endpoints: {
    getStop: {
      purpose: 'read the safety stop',
      method: 'GET',
      path: '/safety_stop',
      response: stopResponse,
      timeoutMs: 5000,
    },
    /** Starts a stop, or joins the one that is being sent. */
    stop: {
      purpose: 'stop all nodes',
      method: 'POST',
      path: '/safety_stop',
      body,
      response: stopResponse,
      timeoutMs: 5000,
    },
    /** Starts the release, or joins the one in progress: the stop is `releasing` until its end. */
    release: {
      purpose: 'release the safety stop',
      method: 'POST',
      path: '/safety_stop/release',
      body,
      response: stopResponse,
      timeoutMs: 5000,
    },
    acknowledge: {
      purpose: 'acknowledge the safety stop',
      method: 'POST',
      path: '/safety_stop/acknowledge',
      body,
      response: stopResponse,
      timeoutMs: 5000,
    },
  },
} as const satisfies Api;
