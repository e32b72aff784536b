/** Deletes old records of the shared history in small batches, so that other statements do not have to wait. */
import { clock } from '../../api/time/clock.ts';
import { schemaName } from '../database/migrations.ts';
import type { Query } from '../database/query.ts';

/** The maximum number of records of each kind in one transaction. */
const batchSize = 500;
/** Timeout of a statement, in ms: short, because the leader's heartbeat waits for it. */
const statementTimeoutMs = 2000;

/**
 * Deletes records that are older than `days`, except the last one of each subject, whose state still applies. Both clocks,
 * this one and that of the database, must agree that a record is old, because deleted records cannot be restored.
 * @returns whether there may be more
 */
export async function deleteOldRecords(query: Query, days: number, now = clock.now()): Promise<boolean> {
  await query(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
  const [limits] = await query<{ oldest: Date }>(
    `SELECT LEAST(now(), $1::timestamptz) - make_interval(days => $2) AS oldest`,
    [new Date(now), days],
  );
  const oldest = limits?.oldest;
  const remove = async (condition: string, values: readonly unknown[]): Promise<boolean> => {
    const removed = await query(
      `DELETE FROM ${schemaName}.records WHERE id = ANY(ARRAY(
         SELECT id FROM ${schemaName}.records r WHERE ${condition} AND at < $1 ORDER BY at, id LIMIT ${batchSize}))
       RETURNING id`,
      [oldest, ...values],
    );
    return removed.length === batchSize;
  };
  const laterRecordCondition = `EXISTS (SELECT FROM ${schemaName}.records l WHERE NOT l.superseded AND l.subject = r.subject
    AND l.at < $1 AND (l.at, l.id) > (r.at, r.id))`;
  const results: boolean[] = [];
  for (const name of ['node', 'watched', 'other'])
    results.push(
      await remove(`class = $2 AND NOT superseded AND (subject IS NULL OR ${laterRecordCondition})`, [name]),
    );
  results.push(await remove('superseded', []));
  await query(`DELETE FROM ${schemaName}.coverage WHERE last < $1`, [oldest]);
  return results.includes(true);
}
