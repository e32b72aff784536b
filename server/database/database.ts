/**
 * The PostgreSQL database that two servers share (`LAB_DATABASE_URL`): one connection, which is established again after a
 * failure, and the lock that makes one of the servers the leader.
 */
import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core';
import type { Client, QueryResultRow } from 'pg';
import { clock } from '../../api/time/clock.ts';
import { doublingDelay } from '../../api/time/pause.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { Poller } from '../concurrency/poller.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import type { LabModel } from '../lab/labModel.ts';
import { getLabIdentity, requireSameLab } from './sameLab.ts';
import { migrate, schemaName } from './migrations.ts';
import { createQuery, storeState, type Query } from './query.ts';
import { claimIdentity, type ServerIdentity } from './serverIdentity.ts';

/** Distinguishes the locks of lab managers from those of other programs in the same database. */
const lockClass = 0x6c_61_62_6d;
/** Parameters of PostgreSQL's functions for advisory locks. */
export const locks = { leader: [lockClass, 1], migration: [lockClass, 2], history: [lockClass, 3] } as const;
const heartbeatIntervalMs = 2000;
/** PostgreSQL ends the session of a server without statements for this long, in ms, and with it its leadership. */
const idleTimeoutMs = 10_000;
const connectTimeoutMs = 5000;
/** Timeout of claiming the server's ID, in ms: PostgreSQL may first have to end a former session of this server. */
const claimTimeoutMs = idleTimeoutMs + connectTimeoutMs;
/** Timeout of preparing a connection, in ms; above the time that its locks may take. */
const prepareTimeoutMs = 30_000;
/** Timeout of closing a connection, in ms. */
const endTimeoutMs = 1000;
const statementTimeoutMs = 5000;
/** Timeout of statements about many records, in ms: a history of 90 days is read within seconds. */
export const longQueryTimeoutMs = 60_000;
const retryMs = { first: 1000, max: 5000 } as const;
/** After an outage of the database, the previous leader has this time, in ms, to connect before the other server may become the leader. */
const reconnectGraceMs = 2 * retryMs.max;
/** PostgreSQL 14 introduced `idle_session_timeout`. */
const minVersion = 140_000;

const fileAdvice = 'The history is kept in the file of this server meanwhile.';

export interface DatabaseOptions {
  readonly url: string;
  readonly identity: Pick<ServerIdentity, 'id' | 'renew'>;
  /** Name of this server in messages of the other one: `lab-pc:8000`. Another server may have the same one. */
  readonly name: string;
  readonly lab: LabModel;
  readonly log: Log;
}

export type Connection =
  | { readonly state: 'connected' }
  /** `since`: ms since the epoch. */
  | { readonly state: 'lost'; readonly since: number; readonly reason: string };

interface DatabaseState {
  readonly connection: Connection;
  readonly isLeader: boolean;
  /** See `Database.problem`. */
  readonly problem: { readonly since: number; readonly reason: string } | null;
}

export class Database {
  /** Whether this server may be the leader now. Writer: `ServerRole`. */
  isCandidate = true;
  /** The state after the last change of connection, leadership or problem. */
  readonly state: ReadonlySignal<DatabaseState>;
  readonly #state: Signal<DatabaseState>;
  readonly #options: DatabaseOptions;
  readonly #poller: Poller;
  /** Serialises transactions. */
  readonly #queue = new TaskQueue();
  readonly #listeners = new Set<() => Promise<void>>();
  #client: Client | null = null;
  #connection: Connection = { state: 'lost', since: clock.now(), reason: 'not connected yet' };
  #connectedAt = 0;
  #refusal: { readonly since: number; readonly reason: string } | null = null;
  #failures = 0;
  #isLeader = false;
  /** Whether the current session has the leader's lock. */
  #hasLock = false;
  #isStopped = false;
  #connecting: Promise<Client | null> | null = null;
  #leader: string | null = null;
  /** The identity of the lab that this server stored as the leader, as JSON. */
  #storedLab: string | null = null;
  #hasBeenConnected = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.state = this.#state = signal(this.#currentState);
    this.#poller = new Poller(() => this.#poll());
  }

  /** The ID of this server. */
  get server(): string {
    return this.#options.identity.id;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /**
   * Why the database can't be used, and since when (ms since the epoch): the connection is lost, or PostgreSQL refuses a
   * statement, for example because its disk is full. `null` if it can be used.
   */
  get problem(): DatabaseState['problem'] {
    return this.#connection.state === 'connected' ? this.#refusal : this.#connection;
  }

  /** Whether this server has the lock, or had it when the connection was lost. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** The name of the server that last became the leader; `null` while unknown. */
  get leader(): string | null {
    return this.#leader;
  }

  /**
   * Calls `listener` at each heartbeat of a working connection, after the earlier listeners. If it rejects, the connection
   * is closed, except for a statement that PostgreSQL refuses.
   */
  onHeartbeat(listener: () => Promise<void>): void {
    this.#listeners.add(listener);
  }

  get #currentState(): DatabaseState {
    return { connection: this.#connection, isLeader: this.#isLeader, problem: this.problem };
  }

  #publish(): void {
    this.#state.value = this.#currentState;
  }

  start(): void {
    void this.#poller.start();
  }

  /** Ends the connection, and with it the leadership. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#poller.stop();
    const client = this.#client;
    this.#client = null;
    client?.removeAllListeners('end');
    const ended = Promise.all([client?.end(), this.#connecting]).then(() => undefined);
    await withTimeout(ended, endTimeoutMs, () => undefined).catch(() => undefined);
  }

  /** Determines the leadership immediately, because `isCandidate` has changed. */
  check(): void {
    void this.#poller.readNow();
  }

  /**
   * Runs `work` in a transaction. @param timeoutMs limit of each statement
   * @throws {Error} if there is no connection, or what `work` throws
   */
  transaction<Result>(work: (query: Query) => Promise<Result>, timeoutMs = statementTimeoutMs): Promise<Result> {
    return this.#queue.run(async () => {
      const client = this.#client;
      if (client === null) throw new Error('there is no connection to the database');
      const query = createQuery(client, timeoutMs);
      await query('BEGIN');
      try {
        const result = await work(query);
        await query('COMMIT');
        return result;
      } catch (error) {
        await createQuery(
          client,
          statementTimeoutMs,
        )('ROLLBACK').catch((failure: unknown) => this.#lose(client, failure));
        throw error;
      }
    });
  }

  async #poll(): Promise<number> {
    const client = this.#client ?? (await this.#connectOnce());
    if (client === null) return doublingDelay(this.#failures, retryMs.first, retryMs.max);
    try {
      await this.#queue.run(() => this.#heartbeat(client));
      const refusals: string[] = [];
      for (const listener of this.#listeners) {
        await listener().catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
          refusals.push(describeError(error));
        });
      }
      this.#reportRefusal(refusals[0] ?? null);
      return heartbeatIntervalMs;
    } catch (error) {
      this.#lose(client, error);
      return retryMs.first;
    }
  }

  #connectOnce(): Promise<Client | null> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = null));
    return this.#connecting;
  }

  /** @returns `null` if the database is unusable, which is logged once */
  async #connect(): Promise<Client | null> {
    const { url, name } = this.#options;
    let client: Client | null = null;
    try {
      const { Client: PgClient } = (await import('pg')).default;
      // The constructor reads certificate files, and throws if they are unreadable.
      const created = new PgClient({
        connectionString: url,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        application_name: `lab-manager ${name}`,
      });
      client = created;
      created.on('error', (error) => this.#lose(created, error));
      created.on('end', () => this.#lose(created, new Error('the connection was closed')));
      await created.connect();
      await withTimeout(prepare(created, this.#options), prepareTimeoutMs, () => {
        throw new Error('the database does not respond');
      });
    } catch (error) {
      this.#failures += 1;
      if (client !== null) discard(client);
      this.#report(error);
      return null;
    }
    if (this.#isStopped) {
      discard(client);
      return null;
    }
    this.#client = client;
    this.#failures = 0;
    this.#connectedAt = clock.monotonic();
    this.#hasLock = false;
    return client;
  }

  async #heartbeat(client: Client): Promise<void> {
    const { lab: model, log } = this.#options;
    const query = createQuery(client, statementTimeoutMs);
    const lab = getLabIdentity(model.settings.value);
    if (!this.#hasLock) await requireSameLab(query, lab);
    const [wasLeader, wasConnected] = [this.#isLeader, this.#connection.state === 'connected'];
    const isReturning =
      this.#hasBeenConnected &&
      model.standby.value !== null &&
      clock.monotonic() - this.#connectedAt < reconnectGraceMs;
    if (!this.isCandidate) {
      if (this.#hasLock) await query('SELECT pg_advisory_unlock($1, $2)', locks.leader);
      this.#hasLock = false;
    } else if (!this.#hasLock && !(isReturning && !wasLeader)) {
      const [row] = await query('SELECT pg_try_advisory_lock($1, $2) AS ok', locks.leader);
      this.#hasLock = row?.['ok'] === true;
    }
    this.#isLeader = this.#hasLock;
    if (this.#isLeader && (!wasLeader || !wasConnected)) await storeState(query, 'leader', this.server);
    if (!this.#isLeader) this.#storedLab = null;
    else if (this.#storedLab !== JSON.stringify(lab)) {
      await storeState(query, 'lab', JSON.stringify(lab));
      this.#storedLab = JSON.stringify(lab);
    }
    const [leader] = await query(
      `SELECT id, servers.name FROM ${schemaName}.state JOIN ${schemaName}.servers ON id = content WHERE state.name = 'leader'`,
    );
    this.#leader = leader === undefined ? null : this.#displayName(leader);
    if (!wasConnected) log.info('The database is connected');
    this.#connection = { state: 'connected' };
    this.#hasBeenConnected = true;
    if (this.#isLeader !== wasLeader || !wasConnected) this.#publish();
  }

  #displayName({ id, name }: QueryResultRow): string {
    const displayed = cleanText(String(name), 100);
    return id !== this.server && name === this.#options.name ? `another ${displayed}` : displayed;
  }

  #lose(client: Client, error: unknown): void {
    if (client !== this.#client) return;
    this.#client = null;
    discard(client);
    this.#report(error);
    this.#poller.scheduleIn(retryMs.first);
  }

  /** Reports a refused statement. The connection stays open, because closing it would end the leadership. */
  #reportRefusal(reason: string | null): void {
    const before = this.#refusal;
    if (reason === (before?.reason ?? null)) return;
    this.#refusal = reason === null ? null : { since: before?.since ?? clock.now(), reason };
    const { log } = this.#options;
    if (reason === null) log.info('The database stores records again');
    else log.warn(`The database of LAB_DATABASE_URL refuses a statement: ${reason}. ${fileAdvice}`);
    this.#publish();
  }

  #report(error: unknown): void {
    const reason = describeError(error);
    const before = this.#connection;
    const isNewProblem = before.state === 'connected' || before.reason !== reason;
    this.#connection = { state: 'lost', since: before.state === 'lost' ? before.since : clock.now(), reason };
    if (!isNewProblem) return;
    this.#options.log.warn(`The database of LAB_DATABASE_URL can't be used: ${reason}. ${fileAdvice}`);
    this.#publish();
  }
}

/** Closes a connection without reporting its end. */
function discard(client: Client): void {
  client.removeAllListeners('end');
  void client.end().catch(() => undefined);
}

/** Whether PostgreSQL refused a statement; errors of the classes 08 and 57 end the connection instead. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && !/^(?:08|57)/.test(errorCode(error) ?? '');
}

/** The client's messages for a database that does not respond. */
const timeoutMessages = /^(?:timeout expired|Query read timeout)$/;

/** The text of an error; an AggregateError has one error for each tried address. */
function describeError(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const texts = errors.map((cause: unknown) =>
    errorText(cause).replace(timeoutMessages, 'the database does not respond'),
  );
  return cleanText(texts.join(', '), 300);
}

/**
 * Sets the limits of the session, updates the tables, checks the lab, and claims the server's ID.
 * @throws {Error} if the database can't be used
 */
async function prepare(
  client: Client,
  options: Pick<DatabaseOptions, 'identity' | 'lab' | 'name' | 'log'>,
): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
  if (Number(rows[0]?.server_version_num) < minVersion) throw new Error('PostgreSQL 14 or later is required');
  await client.query(`SET idle_session_timeout = ${idleTimeoutMs}`);
  await client.query(`SET idle_in_transaction_session_timeout = ${idleTimeoutMs}`);
  const lockTimeoutStatement = `SET lock_timeout = ${idleTimeoutMs}`;
  await client.query(lockTimeoutStatement);
  await client.query('SELECT pg_advisory_lock($1, $2)', [...locks.migration]);
  try {
    await migrate(client);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, $2)', [...locks.migration]);
  }
  await requireSameLab(createQuery(client, statementTimeoutMs), getLabIdentity(options.lab.settings.value));
  await claimIdentity(client, options, claimTimeoutMs);
  await client.query(lockTimeoutStatement);
}
