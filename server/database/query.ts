/** Statements on one connection, each with a time limit. */
import type { Client, QueryResultRow } from 'pg';
import { schemaName } from './migrations.ts';

/** Runs a statement and resolves with its rows. */
export type Query = <Row extends QueryResultRow = QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/** Creates the function that runs statements on a connection. @param timeoutMs timeout of each statement */
export function createQuery(client: Client, timeoutMs: number): Query {
  return async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    // The types lack the limit of a single query.
    const query = { text, values: [...values], query_timeout: timeoutMs };
    return (await client.query<Row>(query)).rows;
  };
}

/** A stored JSON text; `null` if it is none, because other programs can write to the tables. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The stored text of a name in the table of the shared state; `null` if there is none. */
export async function readState(query: Query, name: string): Promise<string | null> {
  const [row] = await query<{ content: string }>(`SELECT content FROM ${schemaName}.state WHERE name = $1`, [name]);
  return row?.content ?? null;
}

export async function storeState(query: Query, name: string, content: string): Promise<void> {
  await query(
    `INSERT INTO ${schemaName}.state (name, content) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET content = EXCLUDED.content, written = now()`,
    [name, content],
  );
}
