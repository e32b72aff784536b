/**
 * The history in the database that two servers share. Each record is first appended to this server's file, which therefore
 * contains the records that the database has not stored yet, including those from before the database was set up.
 */
import { createHash } from 'node:crypto';
import { clock } from '../../api/time/clock.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { schemaName } from '../database/migrations.ts';
import { locks, longQueryTimeoutMs, type Database } from '../database/database.ts';
import type { Query } from '../database/query.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import type { HistoryFile } from './historyFile.ts';
import { getRecordSubject, parseRecord, serializeRecord, type HistoryRecord } from './record.ts';
import { limitToNewest, retentionDays } from './retention.ts';
import { deleteOldRecords } from './sharedRetention.ts';
import { maxRecordGapMs } from './timeline.ts';

/** The number of records in one transaction. */
const batchSize = 2000;
/** The maximum number of records to read per class: the limit of the timeline. */
const maxRecordsPerClass = 60_000;
/** The maximum number of `watched` records to read, one per minute; the query merges them into a few spans. */
const maxWatchedRecords = 200_000;
/** The number of records to validate without a break, which takes a few ms. */
const validationBatchSize = 5000;
/** The maximum number of pending records in memory, and the size in bytes to which a larger number is reduced. */
const maxPending = 100_000;
const reducedBytes = 10 * 1024 * 1024;
/** Interval between deletions of old records once none are left, in ms. */
const deletionIntervalMs = 3_600_000;
/** Timeout of the last upload, in ms. */
const lastUploadTimeoutMs = 1000;
/** PostgreSQL's code of a statement that exceeded its time limit. */
const queryCanceled = '57014';
/** A record that the leader stores within this time, in ms, is never superseded, because clocks of two servers differ. */
const maxLiveDelayMs = 60_000;
/** A copy of the file is preserved if at least this many records are removed from it, as when the database is set up. */
const minRecordsForCopy = 1000;

export interface SharedHistoryOptions {
  readonly database: Database;
  /** `null` if the file is unusable. */
  readonly file: HistoryFile | null;
  /** The records of the file. */
  readonly records: readonly HistoryRecord[];
  readonly lab: LabModel;
  /** Called with the whole history, oldest first. */
  readonly onReload: (records: readonly HistoryRecord[]) => void;
  /** Called with new records of the other server. */
  readonly onRecords: (records: readonly HistoryRecord[]) => void;
  readonly log: Log;
}

export class SharedHistory {
  readonly #parts: SharedHistoryOptions;
  #pending: readonly HistoryRecord[];
  #uploading: Promise<void> | null = null;
  /** The newest row that was read; `null` before the first reading. */
  #lastId: string | null = null;
  /** The newest time in the timeline, in ms since the epoch. */
  #latestTime = 0;
  #onLoaded: (() => void) | null = null;
  /** The number of unreadable rows that the log names. */
  #reportedCount = 0;
  /** The time of the next deletion of old records, by the monotonic clock. */
  #nextDeletionAt = 0;

  constructor(parts: SharedHistoryOptions) {
    this.#parts = parts;
    this.#pending = parts.records;
    parts.database.onHeartbeat(() => this.#synchronise());
    parts.database.onHeartbeat(() => this.#deleteOld());
  }

  /** The number of records that the database has not stored yet. */
  get pendingCount(): number {
    return this.#pending.length;
  }

  /** Resolves when the history has been read, or after `timeoutMs`. */
  async waitUntilLoaded(timeoutMs: number): Promise<void> {
    if (this.#lastId !== null) return;
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(() => resolve(), timeoutMs);
      this.#onLoaded = () => {
        clock.clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Resolves when the record is in the file of this server; `false` if that failed. */
  async append(record: HistoryRecord): Promise<boolean> {
    this.#latestTime = Math.max(this.#latestTime, Date.parse(record.at));
    const pending = [...this.#pending, record];
    this.#pending = pending.length > maxPending ? limitToNewest(pending, reducedBytes) : pending;
    const isWritten = (await this.#parts.file?.append(record)) ?? false;
    void this.upload().catch((error: unknown) => this.#parts.log.debug(`Records wait: ${errorText(error)}`));
    return isWritten;
  }

  /** Stores the pending records. @throws {Error} why the database cannot store them; they remain pending then */
  async upload(): Promise<void> {
    if (this.#parts.database.connection.state !== 'connected') return;
    this.#uploading ??= this.#uploadAll().finally(() => (this.#uploading = null));
    await this.#uploading;
  }

  /** Uploads the pending records, or leaves them in the file, and closes the file. */
  async close(): Promise<void> {
    await withTimeout(this.upload(), lastUploadTimeoutMs, () => undefined).catch(() => undefined);
    await this.#parts.file?.close();
  }

  async #uploadAll(): Promise<void> {
    const { database, file, log } = this.#parts;
    let count = await this.#dropStored();
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, batchSize);
      await database.transaction((query) => insertRecords(query, batch, database), longQueryTimeoutMs);
      const stored = new Set(batch);
      this.#pending = this.#pending.filter((record) => !stored.has(record));
      count += batch.length;
    }
    if (count > 1) log.info(`${count} records of the history were stored in the database`);
    if (count > 0)
      await file
        ?.replace(() => this.#pending, count >= minRecordsForCopy)
        .catch((error: unknown) => {
          // If they are read from the file again, `#dropStored` recognizes them.
          log.debug(`Stored records remain in the file: ${errorText(error)}`);
        });
  }

  /** Drops pending records that an earlier run has stored. @returns their number */
  async #dropStored(): Promise<number> {
    if (this.#pending.length === 0) return 0;
    const { database } = this.#parts;
    const [last] = await database.transaction((query) =>
      query<{ line_hash: string }>(`SELECT line_hash FROM ${schemaName}.uploads WHERE server = $1`, [database.server]),
    );
    const storedCount = this.#pending.findLastIndex((record) => hashRecord(record) === last?.line_hash) + 1;
    this.#pending = this.#pending.slice(storedCount);
    return storedCount;
  }

  async #synchronise(): Promise<void> {
    await this.upload();
    const { database, onRecords } = this.#parts;
    if (this.#lastId === null) return this.#reload();
    const rows = await database.transaction((query) =>
      query<{ id: string; server: string; superseded: boolean; body: string }>(
        `SELECT id, server, superseded, body FROM ${schemaName}.records WHERE id > $1 ORDER BY id LIMIT $2`,
        [this.#lastId, maxRecordsPerClass],
      ),
    );
    this.#lastId = rows.at(-1)?.id ?? this.#lastId;
    const records = rows
      .filter(({ server, superseded }) => server !== database.server && !superseded)
      .flatMap(({ body }) => parseRecord(body) ?? []);
    if (records.some(({ at }) => Date.parse(at) < this.#latestTime)) return this.#reload();
    if (records.length === 0) return;
    this.#latestTime = Math.max(this.#latestTime, ...records.map(({ at }) => Date.parse(at)));
    onRecords(records);
  }

  async #deleteOld(): Promise<void> {
    const { database, lab, log } = this.#parts;
    const days = lab.settings.value.databaseRetentionDays;
    if (!database.isLeader || days === null || clock.monotonic() < this.#nextDeletionAt) return;
    const hasMore = await database
      .transaction((query) => deleteOldRecords(query, days))
      .catch((error: unknown) => {
        // The statement timed out because the database is busy; the connection is intact.
        if (errorCode(error) !== queryCanceled) throw error;
        log.debug(`Old records are deleted later: ${errorText(error)}`);
        return false;
      });
    if (!hasMore) this.#nextDeletionAt = clock.monotonic() + deletionIntervalMs;
  }

  async #reload(): Promise<void> {
    const { database, onReload, log } = this.#parts;
    const { lastId, records, unreadableCount } = await database.transaction(
      (query) => readRecords(query, clock.now()),
      longQueryTimeoutMs,
    );
    if (unreadableCount > this.#reportedCount)
      log.warn(`${unreadableCount} rows of ${schemaName}.records can’t be read and are skipped`);
    this.#reportedCount = unreadableCount;
    const recordsWithPending = [...records, ...this.#pending];
    this.#lastId = lastId;
    this.#latestTime = recordsWithPending.reduce((latest, { at }) => Math.max(latest, Date.parse(at)), 0);
    onReload(recordsWithPending);
    this.#onLoaded?.();
  }
}

function getRecordClass({ kind }: HistoryRecord): 'node' | 'watched' | 'other' {
  return kind === 'node' || kind === 'watched' ? kind : 'other';
}

function hashRecord(record: HistoryRecord): string {
  return createHash('sha256').update(serializeRecord(record)).digest('hex');
}

/** Inserts records that are not stored yet. */
export async function insertRecords(
  query: Query,
  records: readonly HistoryRecord[],
  { server, isLeader }: Pick<Database, 'server' | 'isLeader'>,
  now = clock.now(),
): Promise<void> {
  // The other server reads by ascending ID, so rows must become visible in the order of their IDs.
  await query('SELECT pg_advisory_xact_lock($1, $2)', locks.history);
  const subjects = records.map(getRecordSubject);
  const rows = await query<{ at: Date; superseded: boolean }>(
    `INSERT INTO ${schemaName}.records (at, class, subject, server, superseded, body)
     SELECT r.at, r.class, r.subject, $1, NOT r.live AND EXISTS (
       SELECT FROM ${schemaName}.coverage c WHERE c.server <> $1 AND c.first <= r.at
         AND c.last >= r.at - interval '${maxRecordGapMs} ms' AND (c.last >= r.at OR c.server = l.content)), r.body
     FROM unnest($2::timestamptz[], $3::text[], $4::text[], $5::boolean[], $6::text[])
       WITH ORDINALITY AS r(at, class, subject, live, body, position)
     -- The leader also covers the time since its last record.
     LEFT JOIN ${schemaName}.state l ON l.name = 'leader'
     ORDER BY r.position RETURNING at, superseded`,
    [
      server,
      records.map(({ at }) => at),
      records.map(getRecordClass),
      subjects,
      records.map(({ at }) => isLeader && Math.abs(now - Date.parse(at)) < maxLiveDelayMs),
      records.map((record) => serializeRecord(record).trimEnd()),
    ],
  );
  await query(`INSERT INTO ${schemaName}.subjects SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING`, [
    subjects.filter((subject) => subject !== null),
  ]);
  await extendCoverage(
    query,
    server,
    rows.filter(({ superseded }) => !superseded).map(({ at }) => at.getTime()),
  );
  await query(
    `INSERT INTO ${schemaName}.uploads (server, line_hash) VALUES ($1, $2)
     ON CONFLICT (server) DO UPDATE SET line_hash = EXCLUDED.line_hash`,
    [server, ...records.slice(-1).map(hashRecord)],
  );
}

/** Extends the coverage of a server by these times, in ms since the epoch. */
async function extendCoverage(query: Query, server: string, times: readonly number[]): Promise<void> {
  const spans: { first: number; last: number }[] = [];
  for (const at of times.toSorted((a, b) => a - b)) {
    const span = spans.at(-1);
    if (span !== undefined && at - span.last <= maxRecordGapMs) span.last = at;
    else spans.push({ first: at, last: at });
  }
  for (const { first, last } of spans) {
    const values = [server, new Date(first), new Date(last)];
    const extended = await query(
      `UPDATE ${schemaName}.coverage SET first = LEAST(first, $2), last = GREATEST(last, $3)
       WHERE id = (SELECT id FROM ${schemaName}.coverage WHERE server = $1
         AND last >= $2::timestamptz - interval '${maxRecordGapMs} ms' AND first <= $3::timestamptz + interval '${maxRecordGapMs} ms'
         ORDER BY last DESC LIMIT 1)
       RETURNING id`,
      values,
    );
    if (extended.length === 0)
      await query(`INSERT INTO ${schemaName}.coverage (server, first, last) VALUES ($1, $2, $3)`, values);
  }
}

/**
 * Reads the history of the last 90 days, oldest first, with each subject's last record before it. Each class of records has a
 * limit, so that the time does not depend on the size of the table. Rows that are not records are skipped: other programs
 * can write to the table.
 */
export async function readRecords(
  query: Query,
  now: number,
): Promise<{ readonly lastId: string; readonly records: readonly HistoryRecord[]; readonly unreadableCount: number }> {
  const [newest] = await query<{ id: string }>(`SELECT coalesce(max(id), 0) AS id FROM ${schemaName}.records`);
  const oldest = new Date(now - retentionDays * 86_400_000);
  type Row = { id: string; at: Date; body: string };
  const read = async (name: 'node' | 'other') =>
    query<Row>(
      `SELECT id, at, body FROM ${schemaName}.records WHERE class = $1 AND NOT superseded AND at >= $2 AND at < 'infinity'
       ORDER BY at DESC, id DESC LIMIT $3`,
      [name, oldest, maxRecordsPerClass],
    );
  const [nodes, others] = [await read('node'), await read('other')];
  // As text: a cast of a time that is none would fail the whole statement.
  const watched = await query<{ id: string; at: Date; since: string }>(
    `WITH notes AS (
       SELECT id, at, substring(body from '"since":"([^"]+)"') AS since,
         to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS stamp FROM ${schemaName}.records
       WHERE class = 'watched' AND NOT superseded AND at >= $1 AND at < 'infinity' ORDER BY at DESC, id DESC LIMIT $2),
     marked AS (
       SELECT *, since COLLATE "C" > lag(stamp) OVER (ORDER BY at, id) AS begins FROM notes WHERE since IS NOT NULL),
     spans AS (SELECT *, count(*) FILTER (WHERE begins) OVER (ORDER BY at, id) AS span FROM marked)
     SELECT max(id) AS id, max(at) AS at, min(since COLLATE "C") AS since FROM spans GROUP BY span`,
    [oldest, maxWatchedRecords],
  );
  /** The oldest time that was read of a class. */
  const startTime = (rows: readonly Row[]) => (rows.length < maxRecordsPerClass ? oldest : (rows.at(-1)?.at ?? oldest));
  const earlierRecords = await query<Row>(
    `SELECT r.id, r.at, r.body FROM ${schemaName}.subjects s CROSS JOIN LATERAL (
       SELECT id, at, body FROM ${schemaName}.records
       WHERE subject = s.subject AND NOT superseded AND at > '-infinity' AND at < CASE WHEN s.subject LIKE 'node %' THEN $1 ELSE $2 END::timestamptz
       ORDER BY at DESC, id DESC LIMIT 1) r`,
    [startTime(nodes), startTime(others)],
  );
  const spans = watched.map(({ id, at, since }): Row => {
    return { id, at, body: JSON.stringify({ kind: 'watched', at: at.toISOString(), since }) };
  });
  const rows = [...earlierRecords, ...nodes, ...spans, ...others].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime() || Number(BigInt(a.id) - BigInt(b.id)),
  );
  const records: HistoryRecord[] = [];
  for (let from = 0; from < rows.length; from += validationBatchSize) {
    // Keeps the session alive, and allows other requests in between.
    await query('SELECT');
    records.push(...rows.slice(from, from + validationBatchSize).flatMap(({ body }) => parseRecord(body) ?? []));
  }
  const [infinite] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${schemaName}.records
     WHERE class IN ('node', 'watched', 'other') AND NOT superseded AND at IN ('infinity', '-infinity')`,
  );
  const unreadableCount = rows.length - records.length + (infinite?.count ?? 0);
  return { lastId: newest?.id ?? '0', records, unreadableCount };
}
