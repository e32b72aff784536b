/** Locks on resources. They are advice: no operation asks for them. */
import type { Row } from './row.ts';
import type { ResourceTable } from './table.ts';

/** When a lock ends, as the table keeps it: naive UTC with the fraction of the second. */
function lockTime(ms: number): string {
  return `${new Date(ms).toISOString().replace('Z', '')}000`;
}

function endsAfter(row: Row, now: number): boolean {
  return row.locked_until !== null && Date.parse(`${row.locked_until}Z`) > now;
}

/** Frees what was locked until now; the real manager does it whenever it looks at a lock. */
function freeExpired(table: ResourceTable, now: number): void {
  for (const row of table.all()) {
    if (row.locked_until !== null && !endsAfter(row, now)) {
      table.put({ ...row, locked_until: null, locked_by: null });
    }
  }
}

/** Locks it, or renews the client's own lock. Undefined where another holds it or it isn't known. */
export function lock(table: ResourceTable, id: string, now: number, seconds: number, client: string): Row | undefined {
  freeExpired(table, now);
  const row = table.get(id);
  if (row === undefined || (endsAfter(row, now) && row.locked_by !== client)) return undefined;
  return table.put({ ...row, locked_until: lockTime(now + seconds * 1000), locked_by: client });
}

/** Frees it, also what wasn't locked. Undefined where it is another's, even an expired one, or isn't known. */
export function unlock(table: ResourceTable, id: string, client: string | null): Row | undefined {
  const row = table.get(id);
  if (row === undefined || (row.locked_by !== null && row.locked_by !== client)) return undefined;
  return table.put({ ...row, locked_until: null, locked_by: null });
}

/** Who holds it; null where nobody does or it isn't known. */
export function holder(table: ResourceTable, id: string, now: number): string | null {
  if (table.get(id) === undefined) return null;
  freeExpired(table, now);
  const row = table.one(id);
  return endsAfter(row, now) ? row.locked_by : null;
}
