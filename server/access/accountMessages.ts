/** The requests of the app's Settings window about users and API tokens, and the service's replies. Both sides validate them. */
import * as z from 'zod/mini';
import { roles } from '../../api/lab/access.ts';

/** Limits of a message. They exceed those of valid values, so that the reply to a value that is too long gives the reason. */
export const maxSentLength = { name: 256, password: 1024 } as const;

const name = z.string().check(z.maxLength(maxSentLength.name));
const password = z.string().check(z.maxLength(maxSentLength.password));
const role = z.enum(roles);

export const accountsRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list') }),
  z.object({ kind: z.literal('add-user'), name, role, password }),
  z.object({ kind: z.literal('set-role'), name, role }),
  z.object({ kind: z.literal('set-password'), name, password }),
  z.object({ kind: z.literal('remove-user'), name }),
  z.object({ kind: z.literal('create-token'), name, role }),
  z.object({ kind: z.literal('revoke-token'), name }),
]);
export type AccountsRequest = z.infer<typeof accountsRequest>;

/** A user or an API token. `created`: ISO 8601. */
const account = z.object({ name: z.string(), role, created: z.string() });
export type AccountView = z.infer<typeof account>;

const accountsView = z.object({
  remoteAccess: z.enum(['off', 'view', 'operate']),
  /** Full path of the users file. */
  file: z.string(),
  users: z.array(account),
  tokens: z.array(account),
});
export type AccountsView = z.infer<typeof accountsView>;

/** The fields that can be the reason for a refused change. */
export const refusedFields = ['name', 'password'] as const;

export const accountsReply = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    view: accountsView,
    /** The text of a created token, which no later reply contains; `null` for other requests. */
    token: z.nullable(z.string()),
  }),
  /** Nothing was changed. */
  z.object({ ok: z.literal(false), problem: z.string(), field: z.enum(refusedFields) }),
]);
export type AccountsReply = z.infer<typeof accountsReply>;
export type AccountsRefusal = Extract<AccountsReply, { ok: false }>;
