/**
 * The history that two servers share, in Debian's PostgreSQL: reading its last 90 days at the start, and storing one more
 * record, with 10 million records of two years and with those of the last 90 days alone.
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

/** Records of 50 nodes and six managers and of a lab that is watched, evenly distributed; made by the database itself. */
const records = `
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
const subjects = `INSERT INTO ${schemaName}.subjects SELECT DISTINCT subject FROM ${schemaName}.records WHERE subject IS NOT NULL`;

interface Measured {
  readonly client: Client;
  readonly query: Query;
  readonly reads: number[];
  readonly writes: number[];
}

async function fill(postgres: TestPostgres, { size, days }: typeof large | typeof small): Promise<Measured> {
  const name = `lab${size}`;
  await postgres.query(`CREATE DATABASE ${name}`);
  const client = new Client({ connectionString: postgres.url(name) });
  await client.connect();
  const query: Query = async (text, values = []) => (await client.query({ text, values: [...values] })).rows;
  await client.query(`CREATE SCHEMA ${schemaName}; ${migrations.join(';')}`);
  await query(records, [size, days]);
  await query(subjects);
  await client.query('VACUUM ANALYZE');
  return { client, query, reads: [], writes: [] };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function store(query: Query): Promise<void> {
  const at = new Date().toISOString();
  const record = { kind: 'state', at, manager: 'data', state: 'healthy', reason: null } as const;
  await query('BEGIN');
  await insertRecords(query, [record], { server: 'a:8000', isLeader: true });
  await query('COMMIT');
}

/** Measures both databases alternately, so that other work of the machine, and of PostgreSQL after the filling, affects both. */
async function measure(postgres: TestPostgres, databases: readonly Measured[]): Promise<void> {
  // What the filling left is written to disk before.
  await postgres.query('CHECKPOINT');
  for (let round = 0; round < readRounds; round += 1)
    for (const { query, reads } of databases) reads.push(await timeOf(() => readRecords(query, Date.now())));
  for (let round = 0; round < writeRounds; round += 1)
    for (const { query, writes } of databases) writes.push(await timeOf(() => store(query)));
}

export async function benchSharedHistory(): Promise<Result[]> {
  const postgres = await TestPostgres.start();
  const databases: Measured[] = [];
  try {
    for (const each of [small, large]) databases.push(await fill(postgres, each));
    await measure(postgres, databases);
  } finally {
    for (const { client } of databases) await client.end();
    await postgres.stop();
  }
  const row = (what: string, times: (select: Measured) => readonly number[]): Result => {
    const [from = 0, to = 0] = databases.map((each) => median([...times(each)]));
    return {
      measurement: `shared history of 10 million records: ${what}`,
      value: `${to.toFixed(1)} ms`,
      against: `1.2 million records, ${from.toFixed(1)} ms`,
      ratio: to / from,
      goal: '≤ 2×',
      isMet: to / from <= 2,
    };
  };
  return [row('reading the last 90 days', ({ reads }) => reads), row('storing a record', ({ writes }) => writes)];
}
