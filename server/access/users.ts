/** The users and API tokens, and the functions that change them. */
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { roles, type Role } from '../../api/lab/access.ts';
import type { refusedFields } from './accountMessages.ts';
import { parseHash } from './passwords.ts';

/** The maximum number of users, and of API tokens. */
const maxEntries = 500;

const validName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@-]{0,63}$/u);
const role = z.enum(roles);
/** ISO 8601. */
const created = z.iso.datetime();

const user = z.strictObject({
  name: validName,
  role,
  password: z.string().refine((text) => parseHash(text) !== null),
  created,
});
const apiToken = z.strictObject({ name: validName, role, hash: z.string().regex(/^[\w-]{43}$/), created });

/** With duplicate names, a removal or a new role would affect only the first entry. */
function haveUniqueNames(entries: readonly { readonly name: string }[]): boolean {
  return new Set(entries.map((entry) => nameKey(entry.name))).size === entries.length;
}

/** The content of the users file. */
export const accounts = z.strictObject({
  version: z.literal(1),
  users: z.array(user).max(maxEntries).refine(haveUniqueNames),
  tokens: z.array(apiToken).max(maxEntries).refine(haveUniqueNames),
});

export type User = z.infer<typeof user>;
export type ApiToken = z.infer<typeof apiToken>;
export type Accounts = z.infer<typeof accounts>;

export const noAccounts: Accounts = { version: 1, users: [], tokens: [] };

/** A change that cannot be made, with a user-facing message. */
export class RefusedChange extends Error {
  override readonly name = 'RefusedChange';
  /** The field with the invalid value. */
  readonly field: (typeof refusedFields)[number];

  constructor(message: string, field: (typeof refusedFields)[number] = 'name') {
    super(message);
    this.field = field;
  }
}

export const nameSyntax = 'a letter or digit, then up to 63 letters, digits, dots, hyphens, underscores or @';

/** Whether a text is a valid name of a user or token. */
export function isName(text: string): boolean {
  return validName.safeParse(text).success;
}

/** The form in which names are compared: `Ann` and `ann` are the same user. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

export type AccountChange =
  | { readonly kind: 'add user'; readonly name: string; readonly role: Role; readonly password: string }
  | { readonly kind: 'set role'; readonly name: string; readonly role: Role }
  | { readonly kind: 'set password'; readonly name: string; readonly password: string }
  | { readonly kind: 'remove user'; readonly name: string }
  | { readonly kind: 'create token'; readonly name: string; readonly role: Role; readonly hash: string }
  | { readonly kind: 'revoke token'; readonly name: string };

/** The accounts after the change. @throws {RefusedChange} */
export function applyChange(before: Accounts, change: AccountChange, now: Date): Accounts {
  const { users, tokens } = before;
  const at = now.toISOString();
  switch (change.kind) {
    case 'add user': {
      const { name: newName, role: newRole, password } = change;
      return {
        ...before,
        users: withAdded(users, { name: newName, role: newRole, password, created: at }, 'user'),
      };
    }
    case 'set role':
      return { ...before, users: withChanged(users, change.name, { role: change.role }) };
    case 'set password':
      return { ...before, users: withChanged(users, change.name, { password: change.password }) };
    case 'remove user':
      return { ...before, users: withRemoved(users, change.name, 'user') };
    case 'create token': {
      const { name: newName, role: newRole, hash } = change;
      return { ...before, tokens: withAdded(tokens, { name: newName, role: newRole, hash, created: at }, 'token') };
    }
    case 'revoke token':
      return { ...before, tokens: withRemoved(tokens, change.name, 'token') };
  }
}

interface NamedEntry {
  readonly name: string;
}

export function findNamed<Entry extends NamedEntry>(all: readonly Entry[], name: string): Entry | null {
  const key = nameKey(name);
  return all.find((entry) => nameKey(entry.name) === key) ?? null;
}

/** @throws {RefusedChange} if an entry with this name can't be added */
export function assertNameAvailable(all: readonly NamedEntry[], name: string, kind: string): void {
  if (!isName(name)) throw new RefusedChange(`“${name}” is not a valid name. Expected: ${nameSyntax}`);
  const existing = findNamed(all, name);
  if (existing !== null) throw new RefusedChange(`There is a ${kind} “${existing.name}” already`);
  if (all.length >= maxEntries) throw new RefusedChange(`There are ${maxEntries} ${kind}s already, which is the limit`);
}

function withAdded<Entry extends NamedEntry>(all: readonly Entry[], entry: Entry, kind: string): Entry[] {
  assertNameAvailable(all, entry.name, kind);
  return [...all, entry];
}

function withChanged(users: readonly User[], name: string, changes: Partial<User>): User[] {
  const existing = getNamed(users, name, 'user');
  return users.map((candidate) => (candidate === existing ? { ...candidate, ...changes } : candidate));
}

function withRemoved<Entry extends NamedEntry>(all: readonly Entry[], name: string, kind: string): Entry[] {
  const removed = getNamed(all, name, kind);
  return all.filter((entry) => entry !== removed);
}

/** @throws {RefusedChange} if there is no entry with this name */
export function getNamed<Entry extends NamedEntry>(all: readonly Entry[], name: string, kind: string): Entry {
  const existing = findNamed(all, name);
  if (existing !== null) return existing;
  const names = all.map((entry) => entry.name).join(', ');
  throw new RefusedChange(`There is no ${kind} “${name}”${names === '' ? '' : `. Expected: one of ${names}`}`);
}

/** A new API token: its text, shown once, and the hash to store. Its 256 random bits need no slow hash. */
export function newToken(): { readonly token: string; readonly hash: string } {
  const token = `lmt_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

/** Looking tokens up by hash avoids timing attacks. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
