import type { QueryResultRow } from 'pg';

/** Runs statements in one transaction. */
export type Query = <Row extends QueryResultRow = QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;
