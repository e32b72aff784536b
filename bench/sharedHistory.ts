/**
 * The history that two servers share, in Debian's PostgreSQL: reading its last 90 days at the start, and storing one more
 * record, with 10 million records of two years and with those of the last 90 days alone.
 */
import { Client } from 'pg';
import { migrations, schemaName } from '../server/database/migrations.ts';
import type { Query } from '../server/database/database.ts';
import { TestPostgres } from '../e2e/support/postgres.ts';
import { insertRecords, readRecords } from '../server/history/sharedHistory.ts';
import { median, type Result } from './dashboard/table.ts';

const large = { size: 10_000_000, days: 730 } as const;
const small = { size: 1_247_000, days: 91 } as const;
const readRounds = 5;
const writeRounds = 25;

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

async function measure(
  postgres: TestPostgres,
  { size, days }: typeof large | typeof small,
): Promise<{ readonly readMs: number; readonly writeMs: number }> {
  const name = `lab${size}`;
  await postgres.query(`CREATE DATABASE ${name}`);
  const client = new Client({ connectionString: postgres.url(name) });
  await client.connect();
  const query: Query = async (text, values = []) => (await client.query({ text, values: [...values] })).rows;
  await client.query(`CREATE SCHEMA ${schemaName}; ${migrations.join(';')}`);
  await query(records, [size, days]);
  await query(subjects);
  await client.query('VACUUM ANALYZE');
  const timeOf = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const [reads, writes]: number[][] = [[], []];
  for (let round = 0; round < readRounds; round += 1) reads?.push(await timeOf(() => readRecords(query, Date.now())));
  for (let round = 0; round < writeRounds; round += 1) {
    const at = new Date().toISOString();
    const record = { kind: 'state', at, manager: 'data', state: 'healthy', reason: null } as const;
    const leader = { server: 'a:8000', isLeader: true };
    writes?.push(
      await timeOf(() =>
        client
          .query('BEGIN')
          .then(() => insertRecords(query, [record], leader))
          .then(() => client.query('COMMIT')),
      ),
    );
  }
  await client.end();
  return { readMs: median(reads ?? []), writeMs: median(writes ?? []) };
}

export async function benchSharedHistory(): Promise<Result[]> {
  const postgres = await TestPostgres.start();
  const measured = async () => [await measure(postgres, small), await measure(postgres, large)] as const;
  const [fewer, all] = await measured().finally(() => postgres.stop());
  const row = (what: string, from: number, to: number): Result => ({
    measurement: `shared history of 10 million records: ${what}`,
    value: `${to.toFixed(1)} ms`,
    against: `1.2 million records, ${from.toFixed(1)} ms`,
    ratio: to / from,
    goal: '≤ 2×',
    isMet: to / from <= 2,
  });
  return [
    row('reading the last 90 days', fewer.readMs, all.readMs),
    row('storing a record', fewer.writeMs, all.writeMs),
  ];
}
