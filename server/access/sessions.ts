/**
 * The sessions of signed-in users. A browser has a random ID with a signature in a cookie; the service stores only the
 * ID's hash, so that a copy of its file grants no access. Sessions survive restarts, and their number is bounded.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { roles, type Role } from '../../api/lab/access.ts';
import type { Log } from '../logging/log.ts';
import { addressGroup } from '../net/peer.ts';
import { StateFile, waitForStateFiles } from '../storage/stateFile.ts';
import { refuseUntrusted } from './trustedFile.ts';
import { nameKey, type User } from './users.ts';

/** The maximum number of sessions; beyond it the least recently used one ends. */
export const maxSessions = 1000;
/** The maximum number of sessions of a user, so that frequent sign-ins of one user do not end the sessions of others. */
export const maxSessionsOfUser = 100;

const hourMs = 3_600_000;
interface Lifetime {
  readonly idleMs: number;
  readonly totalMs: number;
}
const personLifetime: Lifetime = { idleMs: 12 * hourMs, totalMs: 7 * 24 * hourMs };
/** A wall screen stays signed in as long as it is used, and its browser stores the cookie. */
const screenLifetime: Lifetime = { idleMs: 90 * 24 * hourMs, totalMs: 10 * 365 * 24 * hourMs };
/** The time after the expiry of a session in which its operator may still send the safety stop, in ms. */
const stopGraceMs = 12 * hourMs;
/** The longest lifetime of a cookie that browsers accept, in seconds. */
const maxCookieSeconds = 400 * 24 * 3600;
/** The age at which a wall screen's cookie is set again, in ms. */
const cookieRenewalMs = 30 * 24 * hourMs;

/** The minimum interval between two writes of the times of use, in ms. */
const saveIntervalMs = 60_000;

const hash = z.string().regex(/^[\w-]{43}$/);
const session = z.object({
  /** SHA-256 of the ID. */
  id: hash,
  user: z.string().max(64),
  /** Hash of the user's stored password: a new password ends the sessions. */
  password: hash,
  screen: z.boolean(),
  /** The user's role at the last use. */
  role: z.optional(z.enum(roles)),
  /** Whether its cookie was set over TLS: the session is valid only over the same kind of connection. */
  secure: z.boolean(),
  /** ms since the epoch. */
  created: z.number(),
  used: z.number(),
  /** When the cookie was set again; absent until then. */
  renewed: z.optional(z.number()),
});
export type Session = z.infer<typeof session>;

/** The maximum number of remembered addresses of users; beyond it the least recently used one is dropped. */
const maxPlaces = 4096;
/** How long an address from which a user has signed in is remembered, in ms. */
const placeLifetimeMs = 30 * 24 * hourMs;

const content = z.object({
  version: z.literal(1),
  key: hash,
  sessions: z.array(session).max(maxSessions),
  /** Hashes of a user with an address from which it has signed in, and the time (ms since the epoch). */
  places: z
    .array(z.tuple([hash, z.number()]))
    .max(maxPlaces)
    .default([]),
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The properties of a new session. */
export type SessionKind = Pick<Session, 'screen' | 'secure'>;

/** The role of a user in a session: always viewer on a wall screen. */
export function roleIn({ screen }: Session, { role }: User): Role {
  return screen ? 'viewer' : role;
}

export class Sessions {
  #file: StateFile | null = null;
  readonly #log: Log;
  readonly #now: () => number;
  /** By the hash of the ID, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** The time of the last sign-in, by the hash of user and address, the least recent first. */
  readonly #places = new Map<string, number>();
  #key = randomBytes(32).toString('base64url');
  #savedAt = 0;

  constructor(log: Log, now: () => number = clock.now) {
    this.#log = log;
    this.#now = now;
  }

  /**
   * Reads the file. If it is unreadable, or another account may have written it, all sessions end. Never rejects.
   * @param path of the file; `null` if sessions end with the service
   */
  async load(path: string | null): Promise<void> {
    this.#savedAt = this.#now();
    if (path === null) return;
    this.#file = new StateFile(path, 'The sessions of signed-in users', this.#log);
    await this.#file.load(async (text) => {
      if (text === null) return;
      await refuseUntrusted(path);
      const { key, sessions, places } = content.parse(JSON.parse(text));
      this.#key = key;
      for (const [place, at] of places) this.#places.set(place, at);
      for (const stored of sessions) this.#sessions.set(stored.id, stored);
    });
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Starts a session with a new ID. @returns the value of its cookie, and the cookie's lifetime in seconds */
  start(user: User, { screen, secure }: SessionKind): { readonly cookie: string; readonly maxAge: number } {
    const now = this.#now();
    const id = randomBytes(32).toString('base64url');
    const newSession = {
      id: sha256(id),
      user: user.name,
      password: sha256(user.password),
      screen,
      role: user.role,
      secure,
      created: now,
      used: now,
    };
    this.#sessions.set(newSession.id, newSession);
    this.#removeExpired(now);
    this.#limit((candidate) => nameKey(candidate.user) === nameKey(user.name), maxSessionsOfUser);
    this.#limit(() => true, maxSessions);
    this.#save(now);
    return { cookie: `${id}.${this.#sign('session', id)}`, maxAge: cookieSeconds(newSession, now) };
  }

  /** Remembers that the user has signed in from this address; stored with the session that starts then. */
  rememberPlace(user: string, address: string): void {
    const place = this.#hashPlace(user, address);
    this.#places.delete(place);
    this.#places.set(place, this.#now());
    const [oldest] = this.#places.keys();
    if (this.#places.size > maxPlaces && oldest !== undefined) this.#places.delete(oldest);
  }

  /** Whether the user has signed in from this address, or its IPv6 network, within 30 days. */
  isKnownPlace(user: string, address: string): boolean {
    const at = this.#places.get(this.#hashPlace(user, address));
    return at !== undefined && this.#now() - at < placeLifetimeMs;
  }

  /**
   * Returns the lifetime, in seconds, with which the cookie of a wall screen is to be set again, because browsers store
   * no cookie as long as the session lasts; `null` if it is recent, and for other sessions.
   */
  renewCookie({ id }: Session): number | null {
    const now = this.#now();
    const stored = this.#sessions.get(id);
    if (stored === undefined || !stored.screen || now - (stored.renewed ?? stored.created) < cookieRenewalMs)
      return null;
    this.#sessions.set(id, { ...stored, renewed: now });
    return cookieSeconds(stored, now);
  }

  /**
   * Finds the session of a cookie and marks it as used now; `null` if its signature is wrong or it has ended.
   * @param secure whether the cookie was sent over TLS
   */
  find(cookie: string, secure: boolean): Session | null {
    const stored = this.#findStored(cookie, secure);
    const now = this.#now();
    if (stored === null || msSinceExpiry(stored, now) > 0) return null;
    const updated = { ...stored, used: now };
    this.#sessions.delete(updated.id);
    this.#sessions.set(updated.id, updated);
    if (now - this.#savedAt >= saveIntervalMs) this.#save(now);
    return updated;
  }

  /** The session of a cookie that expired at most `stopGraceMs` ago; does not mark it as used. */
  findExpired(cookie: string, secure: boolean): Session | null {
    const stored = this.#findStored(cookie, secure);
    const ms = stored === null ? 0 : msSinceExpiry(stored, this.#now());
    return ms > 0 && ms <= stopGraceMs ? stored : null;
  }

  /** Stores the role in which a session was used. */
  recordRole(existing: Session, role: Role): void {
    if (existing.role !== role) this.#sessions.set(existing.id, { ...existing, role });
  }

  /** Whether this account started the session with its current password; a new account of the same name did not. */
  belongsTo({ user, password }: Session, account: User): boolean {
    return nameKey(user) === nameKey(account.name) && password === sha256(account.password);
  }

  /** The CSRF token that a page sends with each change, so that the cookie alone is not enough. */
  csrfToken({ id }: Session): string {
    return this.#sign('csrf', id);
  }

  isCsrfToken(existing: Session, token: string): boolean {
    return isSameText(token, this.csrfToken(existing));
  }

  end({ id }: Session): void {
    if (this.#sessions.delete(id)) this.#save(this.#now());
  }

  /** Ends all sessions of a user. */
  endSessions(user: string): void {
    const key = nameKey(user);
    for (const { id, user: owner } of this.#sessions.values()) if (nameKey(owner) === key) this.#sessions.delete(id);
    this.#save(this.#now());
  }

  /** Writes the times of use. */
  async stop(): Promise<void> {
    if (this.#sessions.size > 0) this.#save(this.#now());
    await waitForStateFiles(1000);
  }

  /** The session of a cookie, expired or not. */
  #findStored(cookie: string, secure: boolean): Session | null {
    const id = this.#verifiedId(cookie);
    const stored = id === null ? undefined : this.#sessions.get(sha256(id));
    return stored === undefined || stored.secure !== secure ? null : stored;
  }

  #verifiedId(cookie: string): string | null {
    const [, id, signature] = /^([\w-]{43})\.([\w-]{43})$/.exec(cookie) ?? [];
    if (id === undefined || signature === undefined) return null;
    return isSameText(signature, this.#sign('session', id)) ? id : null;
  }

  /** With the file's key: the addresses of a network could be guessed from plain hashes. */
  #hashPlace(user: string, address: string): string {
    return this.#sign('place', `${addressGroup(address)} ${nameKey(user)}`);
  }

  #sign(purpose: 'session' | 'csrf' | 'place', text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose} ${text}`).digest('base64url');
  }

  #removeExpired(now: number): void {
    for (const stored of this.#sessions.values())
      if (msSinceExpiry(stored, now) > stopGraceMs) this.#sessions.delete(stored.id);
  }

  /** Ends the least recently used of the included sessions until at most `max` remain. */
  #limit(isIncluded: (candidate: Session) => boolean, max: number): void {
    const included = [...this.#sessions.values()].filter(isIncluded);
    for (const oldest of included.slice(0, Math.max(0, included.length - max))) this.#sessions.delete(oldest.id);
  }

  #save(now: number): void {
    this.#savedAt = now;
    const [sessions, places] = [[...this.#sessions.values()], [...this.#places]];
    this.#file?.save(
      JSON.stringify({ version: 1, key: this.#key, sessions, places } satisfies z.infer<typeof content>),
    );
  }
}

function getLifetime({ screen }: Session): Lifetime {
  return screen ? screenLifetime : personLifetime;
}

/** Returns the time since the expiry in ms; negative before it. */
function msSinceExpiry(existing: Session, now: number): number {
  const { idleMs, totalMs } = getLifetime(existing);
  return Math.max(now - existing.used - idleMs, now - existing.created - totalMs);
}

/** Returns the remaining lifetime of a session's cookie, in seconds. */
function cookieSeconds(existing: Session, now: number): number {
  const remainingMs = existing.created + getLifetime(existing).totalMs + stopGraceMs - now;
  return Math.min(maxCookieSeconds, Math.ceil(remainingMs / 1000));
}

/** Compares secrets in a time that does not depend on their content. */
export function isSameText(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)];
  return a.length === b.length && timingSafeEqual(a, b);
}
