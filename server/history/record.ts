/** One line of the history file: what the watch saw at a moment. */
import * as z from 'zod';
import { managerKeys } from '../../api/managers.ts';
import { managerStates, nodeFlags, nodeStates } from '../../api/states.ts';

/** ISO 8601 UTC, as it was written by this machine's clock. */
const at = z.iso.datetime();
/** The address of the manager, or of the workcell manager of the node; missing from an older version. */
const url = z.optional(z.string());

const historyRecord = z.discriminatedUnion('kind', [
  /** The lab manager began to watch. */
  z.object({ kind: z.literal('start'), at, version: z.string() }),
  z.object({ kind: z.literal('stop'), at }),
  /** It watched without a break since `since`. */
  z.object({ kind: z.literal('watched'), at, since: at }),
  /** A manager's state from now on; `off` when the lab has none any more. */
  z.object({
    kind: z.literal('state'),
    at,
    manager: z.enum(managerKeys),
    state: z.enum([...managerStates, 'off']),
    reason: z.nullable(z.string()),
    url,
  }),
  /** A node's, likewise; `off` when the workcell has none of that name any more. */
  z.object({
    kind: z.literal('node'),
    at,
    name: z.string(),
    state: z.enum([...nodeStates, 'off']),
    /** Set besides the state; missing where none is, and from an older version. */
    flags: z.optional(z.array(z.enum(nodeFlags))),
    reason: z.nullable(z.string()),
    url,
  }),
  /** Somebody works on it from now on; `until` null: no longer. */
  z.object({
    kind: z.literal('maintenance'),
    at,
    of: z.enum(['lab', 'manager', 'node']),
    id: z.string(),
    until: z.nullable(at),
  }),
]);
export type HistoryRecord = z.infer<typeof historyRecord>;
export type MaintenanceRecord = Extract<HistoryRecord, { kind: 'maintenance' }>;

/** Longer reasons are cut: a manager may answer with a page of HTML. */
const longestReason = 500;

/** A record as a line with its end. */
export function recordLine(record: HistoryRecord): string {
  const short =
    (record.kind === 'state' || record.kind === 'node') && record.reason !== null
      ? { ...record, reason: record.reason.slice(0, longestReason) }
      : record;
  return `${JSON.stringify(short)}\n`;
}

/** `null` for a line that is no record. */
export function readRecord(line: string): HistoryRecord | null {
  try {
    const read = historyRecord.safeParse(JSON.parse(line));
    return read.success ? read.data : null;
  } catch {
    // Not even JSON.
    return null;
  }
}
