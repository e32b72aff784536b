/**
 * The history that two servers share, in Debian's PostgreSQL: reading its last 90 days at the start, and storing one
 * more record, with 10 million records of two years and with those of the last 90 days alone.
 */
import { Client } from 'pg';
import { migrations, schemaName } from '../server/database/migrations.ts';
import type { Query } from '../server/database/query.ts';
import { TestPostgres } from '../e2e/support/postgres.ts';
import { insertRecords, readRecords } from '../server/history/sharedHistory.ts';
import { median, type Result } from './dashboard/table.ts';

const large = { size: 10_000_000, days: 730 } as const;
const small = { size: 1_247_000, days: 91 } as const;
const readRounds = 5;
const writeRounds = 200;

/**
 * Inserts records of 40 nodes, of one manager and of watched times, evenly distributed over the days; the database
 * generates them.
 */
const insertRecordsSql = `
  INSERT INTO ${schemaName}.records (at, class, subject, server, superseded, body)
  SELECT at, class, CASE class WHEN 'node' THEN 'node "node_' || n % 50 || '"' WHEN 'other' THEN 'manager data' END, 'a:8000', false,
    CASE class
      WHEN 'node' THEN json_build_object('kind', 'node', 'at', iso, 'name', 'node_' || n % 50, 'state', 'error', 'reason', 'motor stalled')::text
      WHEN 'watched' THEN json_build_object('kind', 'watched', 'at', iso, 'since', iso)::text
      ELSE json_build_object('kind', 'state', 'at', iso, 'manager', 'data', 'state', 'healthy', 'reason', null)::text END
  FROM (
    SELECT n, at, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS iso,
      CASE n % 10 WHEN 0 THEN 'other' WHEN 1 THEN 'watched' ELSE 'node' END AS class
    FROM (SELECT n, now() - (n * $2::float8 / $1) * interval '1 day' AS at FROM generate_series($1::bigint, 1, -1) AS n) AS times
  ) AS generated`;
const insertSubjectsSql = `INSERT INTO ${schemaName}.subjects SELECT DISTINCT subject FROM ${schemaName}.records WHERE subject IS NOT NULL`;

interface MeasuredDatabase {
  readonly client: Client;
  readonly query: Query;
  readonly reads: number[];
  readonly writes: number[];
}

async function fill(postgres: TestPostgres, { size, days }: typeof large | typeof small): Promise<MeasuredDatabase> {
  const name = `lab${size}`;
  await postgres.query(`CREATE DATABASE ${name}`);
  const client = new Client({ connectionString: postgres.url(name) });
  await client.connect();
  const query: Query = async (text, values = []) => (await client.query({ text, values: [...values] })).rows;
  await client.query(`CREATE SCHEMA ${schemaName}; ${migrations.join(';')}`);
  await query(insertRecordsSql, [size, days]);
  await query(insertSubjectsSql);
  await client.query('VACUUM ANALYZE');
  return { client, query, reads: [], writes: [] };
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function storeRecord(query: Query): Promise<void> {
  const at = new Date().toISOString();
  const record = { kind: 'state', at, manager: 'data', state: 'healthy', reason: null } as const;
  await query('BEGIN');
  await insertRecords(query, [record], { server: 'a:8000', isLeader: true });
  await query('COMMIT');
}

/**
 * Measures both databases alternately, so that other load on the machine and PostgreSQL's background work affect both.
 */
async function measure(postgres: TestPostgres, databases: readonly MeasuredDatabase[]): Promise<void> {
  // Writes the inserted records to disk before the measurement.
  await postgres.query('CHECKPOINT');
  for (let round = 0; round < readRounds; round += 1)
    for (const { query, reads } of databases) reads.push(await measureMs(() => readRecords(query, Date.now())));
  for (let round = 0; round < writeRounds; round += 1)
    for (const { query, writes } of databases) writes.push(await measureMs(() => storeRecord(query)));
}

export async function benchSharedHistory(): Promise<Result[]> {
  const postgres = await TestPostgres.start();
  const databases: MeasuredDatabase[] = [];
  try {
    for (const dataset of [small, large]) databases.push(await fill(postgres, dataset));
    await measure(postgres, databases);
  } finally {
    for (const { client } of databases) await client.end();
    await postgres.stop();
  }
  const row = (measurement: string, select: (database: MeasuredDatabase) => readonly number[]): Result => {
    const [smallMs = 0, largeMs = 0] = databases.map((database) => median([...select(database)]));
    return {
      measurement: `shared history of 10 million records: ${measurement}`,
      value: `${largeMs.toFixed(1)} ms`,
      baseline: `1.2 million records, ${smallMs.toFixed(1)} ms`,
      ratio: largeMs / smallMs,
      goal: '≤ 2×',
      isMet: largeMs / smallMs <= 2,
    };
  };
  return [row('reading the last 90 days', ({ reads }) => reads), row('storing a record', ({ writes }) => writes)];
}
