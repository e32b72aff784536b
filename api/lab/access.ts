/** Access from other machines: the roles of people who use the lab manager, and the bodies of its sign-in at `/session`. */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';

/** From the least to the most rights; each role includes the ones before it. */
export const roles = ['viewer', 'operator', 'administrator'] as const;
export type Role = (typeof roles)[number];

export const roleTexts: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  operator: 'Operator',
  administrator: 'Administrator',
};

/** Header of the token that a request with a session's cookie must carry if it changes something. */
export const csrfHeader = 'X-CSRF-Token';

/** Header of the key by which the app's window identifies itself at the service that the app runs. */
export const appKeyHeader = 'X-Lab-Manager-App';

/** How a caller is identified: by this machine's loopback, as the app's window, by a sign-in, a trusted proxy, or an API token. */
const callerKinds = ['loopback', 'app', 'session', 'proxy', 'token'] as const;

/** Body of `POST /session`. */
export const signInRequest = z.strictObject({
  name: z.string().check(z.maxLength(256)),
  password: z.string().check(z.maxLength(1024)),
  /** Stay signed in on this wall screen, as viewer. */
  screen: z.optional(z.boolean()),
});

/** Body of `GET /session`, and of the responses to a sign-in and a sign-out. */
export const sessionResponse = z.object({
  /** `view`: the managers can be read through the lab manager; `operate`: commanded, too. */
  remote_access: z.enum(['view', 'operate']),
  /** The caller; `null` if it is unknown. */
  user: z.nullable(
    z.object({
      name: z.string(),
      role: z.enum(roles),
      via: z.enum(callerKinds),
      /** Whether it is the session of a wall screen. */
      screen: z.boolean(),
    }),
  ),
  /** The reason why credentials of this request are not accepted; `null` if there are none, or they are. */
  problem: z.nullable(z.string()),
  /** The value of `X-CSRF-Token`; `null` without a session. */
  csrf_token: z.nullable(z.string()),
  /** The reason why this page accepts no password; `null` if it does. */
  no_sign_in: z.nullable(z.string()),
});
export type SessionResponse = z.infer<typeof sessionResponse>;

/** The endpoints of the sign-in. They are 404 while remote access is off, so the API's documentation omits them. */
export const accessApi = {
  server: 'lab',
  endpoints: {
    getSession: {
      purpose: 'read who is signed in',
      method: 'GET',
      path: '/session',
      response: sessionResponse,
      timeoutMs: 5000,
    },
    /** A check of a password takes up to a second, and only one runs at a time. */
    signIn: {
      purpose: 'sign in',
      method: 'POST',
      path: '/session',
      body: { type: 'json', schema: signInRequest },
      response: sessionResponse,
      timeoutMs: 20_000,
    },
    signOut: {
      purpose: 'sign out',
      method: 'DELETE',
      path: '/session',
      query: z.object({ everywhere: z.optional(z.boolean()) }),
      response: sessionResponse,
      timeoutMs: 5000,
    },
  },
} as const satisfies Api;
