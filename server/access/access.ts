/** Identifies the sender of a request and its role, and signs users in and out. Off while LAB_REMOTE_ACCESS is off. */
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { hostname } from 'node:os';
import { clock } from '../../api/time/clock.ts';
import { appKeyHeader, csrfHeader, type SessionResponse } from '../../api/lab/access.ts';
import { identifyClient } from '../http/callers/client.ts';
import { loopbackRole } from '../http/callers/loopbackRole.ts';
import { isCrossOrigin } from '../http/callers/sameOrigin.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { throttleLog, type ThrottledLog } from '../logging/throttle.ts';
import { isInNetworks } from '../net/networks.ts';
import { isLoopbackAddress } from '../net/peer.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { BusyError, Passwords } from './passwords.ts';
import { highestRole } from '../settings/schema/groupRoles.ts';
import type { Caller, Sender } from './sender.ts';
import { isSameText, roleIn, Sessions, type Session } from './sessions.ts';
import { SignInLimit } from './signInLimit.ts';
import { AccountList } from './usersFile.ts';

type AccessSettings = Pick<LabSettings, 'remoteAccess' | 'trustedProxy' | 'proxyRoles'>;

/** The result of the identification; `problem` explains credentials that are not accepted. */
interface IdentifiedSender extends Sender {
  /** The session of `caller` or of `expiredCaller`. */
  readonly session: Session | null;
  readonly problem: string | null;
}

export interface SignIn {
  readonly name: string;
  readonly password: string;
  readonly screen: boolean;
}

export interface SessionCookie {
  readonly cookie: string;
  /** In seconds. */
  readonly maxAge: number;
}

export type SignInResult =
  | ({ readonly ok: true } & SessionCookie)
  /** `waitMs`: the time until the next attempt is accepted; 0 if the name or the password is wrong. */
  | { readonly ok: false; readonly waitMs: number };

export interface AccessOptions {
  readonly settings: { readonly value: AccessSettings };
  /** The key of the app's window; without one, no caller is the app. */
  readonly appKey?: string | undefined;
  readonly log: Log;
}

/** The values that are available once the service listens. */
interface StartOptions {
  /** The listening port. */
  readonly port: number;
  /** Full paths of the state files; `null` for a lab without stored state. */
  readonly usersPath: string | null;
  readonly sessionsPath: string | null;
}

/** The users file's name in the state folder. */
export const usersFile = 'users.json';

/** The name of a caller on loopback. */
const thisMachine = 'this machine';
const maxNameLength = 100;

export class Access {
  readonly #settings: { readonly value: AccessSettings };
  readonly #appKey: string | undefined;
  readonly #log: Log;
  /** Throttled, because anybody can cause these lines. */
  readonly #throttledLog: ThrottledLog;
  readonly #accounts: AccountList;
  readonly #sessions: Sessions;
  readonly #passwords = new Passwords();
  readonly #limit = new SignInLimit();
  /** Each request is identified once, by its own cookie. */
  readonly #senders = new WeakMap<Request, IdentifiedSender>();
  /** Separates the cookies of several lab managers on one host, because cookies do not depend on the port. */
  #cookieName = 'lab-manager';

  constructor({ settings, appKey, log }: AccessOptions) {
    this.#settings = settings;
    this.#appKey = appKey;
    this.#log = log;
    this.#throttledLog = throttleLog(log);
    this.#accounts = new AccountList(() => this.isEnabled, log);
    this.#sessions = new Sessions(log);
  }

  /** Loads the accounts and sessions. Until it resolves, no caller has a session. */
  async start({ port, usersPath, sessionsPath }: StartOptions): Promise<void> {
    this.#cookieName = `lab-manager-${port}`;
    await Promise.all([this.#accounts.start(usersPath), this.#sessions.load(sessionsPath)]);
  }

  async stop(): Promise<void> {
    this.#accounts.stop();
    this.#throttledLog.endWindow();
    await this.#sessions.stop();
  }

  get isEnabled(): boolean {
    return this.#settings.value.remoteAccess !== 'off';
  }

  /** The sender of the request, identified once and cached; always unknown while remote access is off. */
  identifySender(request: Request): Sender {
    return this.#identifyOnce(request);
  }

  /** Whether the window or the tray of the app that runs this service sent the request, also while remote access is off. */
  isOwnApp(request: Request): boolean {
    return this.#identifyByAppKey(request) !== null;
  }

  /** Identifies the caller again, without the cache: the caller of a long-lived stream may lose its role meanwhile. */
  identifyCaller(request: Request): Caller | null {
    return this.#identify(request).caller;
  }

  /**
   * The reason to refuse a request that changes something, because a page of another site may have sent it with the
   * rights of its user (CSRF); `null` if there is none.
   */
  forgeryProblem(request: Request): string | null {
    return isCrossOrigin(request.headers) ? 'A page of another site sent this request' : this.tokenProblem(request);
  }

  /** Checks only the CSRF token, for a request whose origin `isCrossOrigin` has already checked. */
  tokenProblem(request: Request): string | null {
    const { session } = this.#identifyOnce(request);
    if (session === null || this.#sessions.isCsrfToken(session, request.get(csrfHeader) ?? '')) return null;
    return `The header ${csrfHeader} must have the csrf_token of GET /session`;
  }

  /**
   * The body of `GET /session`. Call it only while remote access is on.
   * @param cookie the session's cookie, if it differs from the request's
   */
  describe(request: Request, cookie = this.#findCookie(request)): SessionResponse {
    const { remoteAccess } = this.#settings.value;
    const { caller, session, problem } = this.#identify(request, cookie);
    return {
      remote_access: remoteAccess === 'operate' ? 'operate' : 'view',
      user: caller && { ...caller, screen: session?.screen ?? false },
      problem,
      csrf_token: session && this.#sessions.csrfToken(session),
      no_sign_in: this.signInProblem(request),
    };
  }

  /** Returns the request's cookie if the browser of a wall screen is to store it longer; otherwise `null`. */
  renewCookie(request: Request): SessionCookie | null {
    const { caller, session } = this.#identifyOnce(request);
    const cookie = this.#findCookie(request);
    if (caller?.via !== 'session' || session === null || cookie === null) return null;
    const maxAge = this.#sessions.renewCookie(session);
    return maxAge === null ? null : { cookie, maxAge };
  }

  /** The reason why passwords of this request are refused; `null` if they are not. */
  signInProblem(request: Request): string | null {
    if (!isConfidential(request))
      return 'Passwords are not accepted over plain HTTP from other machines, because anybody on the network can read them: use https (LAB_TLS_CERT_FILE, or a proxy)';
    if (this.#accounts.problem !== null) return 'The users file of the lab manager can’t be read; its log says why';
    return this.#accounts.hasUsers
      ? null
      : 'The lab manager has no users: add one in the Settings window of its app, or with lab-manager --user add NAME --role operator';
  }

  /** Starts a session with a new ID; the browser's previous session ends. @throws {BusyError} */
  async signIn(request: Request, { name, password, screen }: SignIn): Promise<SignInResult> {
    const { address } = identifyClient(request);
    const isKnown = this.#sessions.isKnownPlace(name, address);
    const waitMs = this.#limit.attempt(name, address, clock.monotonic(), isKnown);
    const attempt = `“${cleanText(name, maxNameLength)}” from ${address}`;
    if (waitMs > 0) {
      this.#throttledLog.warn(`Sign-in of ${attempt} refused: too many failures`);
      return { ok: false, waitMs };
    }
    const user = this.#accounts.findUser(name);
    const isPasswordCorrect = await this.#passwords
      .verify(password, user?.password ?? null, isKnown)
      .catch((error: unknown) => {
        if (error instanceof BusyError) this.#limit.withdraw(name, address, isKnown);
        throw error;
      });
    // The account may have changed while the password was checked.
    if (!isPasswordCorrect || user === null || this.#accounts.findUser(name)?.password !== user.password) {
      this.#throttledLog.warn(`Sign-in of ${attempt} failed`);
      return { ok: false, waitMs: 0 };
    }
    this.#limit.recordSuccess(name, address);
    this.#sessions.rememberPlace(user.name, address);
    const { session } = this.#identifyBySession(request);
    if (session !== null) this.#sessions.end(session);
    this.#log.info(`${attempt} signed in${screen ? ' on a wall screen' : ''}`);
    return { ok: true, ...this.#sessions.start(user, { screen, secure: request.secure }) };
  }

  /**
   * Ends the session of the request.
   * @param everywhere ends all sessions of its user instead
   * @returns why it is refused; `null` if it is not
   */
  signOut(request: Request, everywhere: boolean): string | null {
    const { session, caller } = this.#identifyBySession(request);
    if (session === null) return null;
    if (everywhere && caller === null) return 'A session that has expired can end only itself';
    // Anybody in the room can use a wall screen.
    if (everywhere && session.screen) return 'A wall screen can end only its own session';
    if (everywhere) this.#sessions.endSessions(session.user);
    else this.#sessions.end(session);
    this.#log.info(`“${session.user}” signed out${everywhere ? ' everywhere' : ''}`);
    return null;
  }

  /** The cookie's name: browsers accept `__Host-` only over TLS, for exactly this host and all of its paths. */
  cookieName({ secure }: Pick<Request, 'secure'>): string {
    return secure ? `__Host-${this.#cookieName}` : this.#cookieName;
  }

  #findCookie(request: Request): string | null {
    return parseCookie(request.headers.cookie ?? '')[this.cookieName(request)] ?? null;
  }

  #identifyOnce(request: Request): IdentifiedSender {
    const cached = this.#senders.get(request);
    if (cached !== undefined) return cached;
    const identified = this.#identify(request);
    this.#senders.set(request, identified);
    return identified;
  }

  #identify(request: Request, cookie = this.#findCookie(request)): IdentifiedSender {
    if (!this.isEnabled) return unknownSender(null);
    const { authorization = '' } = request.headers;
    // Other schemes, such as Basic, belong to a proxy in front of the service.
    if (/^Bearer\b/i.test(authorization)) return this.#identifyByToken(request, authorization);
    const proxyUser = this.#identifyByProxy(request);
    if (proxyUser !== null) return { ...unknownSender(null), caller: proxyUser };
    const sessionSender = this.#identifyBySession(request, cookie);
    if (sessionSender.caller !== null) return sessionSender;
    const localCaller =
      authorization === '' ? (this.#identifyByAppKey(request) ?? this.#identifyByLoopback(request)) : null;
    return localCaller === null ? sessionSender : { ...unknownSender(null), caller: localCaller };
  }

  #identifyByToken(request: Request, authorization: string): IdentifiedSender {
    const [, token] = /^Bearer +([\w-]{1,200})$/i.exec(authorization) ?? [];
    if (token === undefined) return unknownSender('Expected: Authorization: Bearer and an API token');
    if (!isConfidential(request))
      return unknownSender(
        'API tokens are not accepted over plain HTTP from other machines: use https, and a new token',
      );
    const apiToken = this.#accounts.findToken(token);
    if (apiToken === null) return unknownSender('The API token is unknown, or it was revoked');
    return { ...unknownSender(null), caller: { name: apiToken.name, role: apiToken.role, via: 'token' } };
  }

  #identifyBySession(request: Request, cookie = this.#findCookie(request)): IdentifiedSender {
    if (cookie === null) return unknownSender(null);
    if (!isConfidential(request))
      return unknownSender(
        'Sessions are not accepted over plain HTTP from other machines: use https, and sign in again',
      );
    const session = this.#sessions.find(cookie, request.secure);
    const user = session && this.#accounts.findUser(session.user);
    if (session === null || user === null || !this.#sessions.belongsTo(session, user))
      return {
        ...unknownSender('The session has ended: sign in again'),
        ...this.#findExpiredCaller(cookie, request.secure),
      };
    this.#sessions.recordRole(session, user.role);
    return {
      ...unknownSender(null),
      caller: { name: user.name, role: roleIn(session, user), via: 'session' },
      session,
    };
  }

  /**
   * An operator or administrator whose session has just expired, which may still send a safety stop. A new
   * password, another role or a removed account ends this right.
   */
  #findExpiredCaller(cookie: string, secure: boolean): Pick<IdentifiedSender, 'expiredCaller' | 'session'> {
    const session = this.#sessions.findExpired(cookie, secure);
    const user = session && this.#accounts.findUser(session.user);
    if (session === null || user === null || !this.#sessions.belongsTo(session, user))
      return { expiredCaller: null, session: null };
    const role = roleIn(session, user);
    if (role === 'viewer' || session.role !== user.role) return { expiredCaller: null, session: null };
    return { expiredCaller: { name: user.name, role, via: 'session' }, session };
  }

  /** The user that a trusted proxy has signed in. Only with configured roles: other proxies pass the headers on. */
  #identifyByProxy({ socket, headers }: Request): Caller | null {
    const { trustedProxy, proxyRoles } = this.#settings.value;
    const user = headers['remote-user'];
    if (proxyRoles.length === 0 || typeof user !== 'string' || user === '') return null;
    if (!isInNetworks(socket.remoteAddress ?? '', trustedProxy)) return null;
    const groups = headers['remote-groups'];
    const role = highestRole(proxyRoles, typeof groups === 'string' ? groups : '');
    return role && { name: cleanText(user, maxNameLength), role, via: 'proxy' };
  }

  /** The window of the app that runs this service. Its key counts only on a direct connection from this machine. */
  #identifyByAppKey(request: Request): Caller | null {
    const key = request.get(appKeyHeader);
    if (key === undefined || this.#appKey === undefined || !isSameText(key, this.#appKey)) return null;
    const role = loopbackRole(request);
    return role && { name: `Lab Manager app on ${hostname()}`, role, via: 'app' };
  }

  /** With a trusted proxy, requests from loopback may be those of its clients. */
  #identifyByLoopback(request: Request): Caller | null {
    const role = this.#settings.value.trustedProxy.length > 0 ? null : loopbackRole(request);
    return role && { name: thisMachine, role, via: 'loopback' };
  }
}

function unknownSender(problem: string | null): IdentifiedSender {
  return { caller: null, expiredCaller: null, session: null, problem };
}

/** Whether the request cannot be read on the network. */
function isConfidential(request: Request): boolean {
  const { address, isProxied } = identifyClient(request);
  return request.secure || (!isProxied && isLoopbackAddress(address) && loopbackRole(request) !== null);
}
