/** One line of the history file: an observation of the watch with its time. */
import * as z from 'zod';
import { managerKeys } from '../../api/managers.ts';
import { managerStates, nodeFlags, nodeStates } from '../../api/states.ts';

/** Time of the record, ISO 8601 UTC by this machine's clock. */
const at = z.iso.datetime();
/** The address of the manager, or of the workcell manager of the node; missing in records of older versions. */
const url = z.optional(z.string());

const historyRecord = z.discriminatedUnion('kind', [
  /** The lab manager started to watch. */
  z.object({ kind: z.literal('start'), at, version: z.string() }),
  z.object({ kind: z.literal('stop'), at }),
  /** The lab manager has watched without interruption since `since`. */
  z.object({ kind: z.literal('watched'), at, since: at }),
  /** A manager's new state; `off` if the lab no longer has it. */
  z.object({
    kind: z.literal('state'),
    at,
    manager: z.enum(managerKeys),
    state: z.enum([...managerStates, 'off']),
    reason: z.nullable(z.string()),
    url,
  }),
  /** A node's new state; `off` if the workcell no longer has a node of that name. */
  z.object({
    kind: z.literal('node'),
    at,
    name: z.string(),
    state: z.enum([...nodeStates, 'off']),
    /** Flags besides the state; missing if none is set, or in records of older versions. */
    flags: z.optional(z.array(z.enum(nodeFlags))),
    reason: z.nullable(z.string()),
    url,
  }),
  /** A maintenance window begins, or ends if `until` is `null`. */
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

/** The subject whose state the record sets, such as `manager data`; `null` if there is none. */
export function getRecordSubject(record: HistoryRecord): string | null {
  switch (record.kind) {
    case 'state':
      return `manager ${record.manager}`;
    case 'node':
      // As JSON: PostgreSQL accepts no zero byte.
      return `node ${JSON.stringify(record.name)}`;
    case 'maintenance':
      return `maintenance ${record.of} ${JSON.stringify(record.id)}`;
    case 'start':
    case 'stop':
    case 'watched':
      return null;
  }
}

/** Longer reasons are truncated: a manager may respond with an HTML page. */
const maxReasonLength = 500;

/** A record as a line with its line ending. */
export function serializeRecord(record: HistoryRecord): string {
  const shortened =
    (record.kind === 'state' || record.kind === 'node') && record.reason !== null
      ? { ...record, reason: record.reason.slice(0, maxReasonLength) }
      : record;
  return `${JSON.stringify(shortened)}\n`;
}

/** `null` for a line that is not a record. */
export function parseRecord(line: string): HistoryRecord | null {
  try {
    const read = historyRecord.safeParse(JSON.parse(line));
    return read.success ? read.data : null;
  } catch {
    // Not even JSON.
    return null;
  }
}
