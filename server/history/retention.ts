/** Limits the history to 90 days and to the size of the file. */
import { getRecordSubject, serializeRecord, type HistoryRecord } from './record.ts';

const dayMs = 86_400_000;
const maxEarlierNodes = 1000;
export const retentionDays = 90;

/**
 * The times of records in ms since the epoch, never after a later record's: a wrong clock that was corrected leaves
 * future timestamps, which would hide all later records.
 * @param now of this machine's clock, in ms since the epoch
 */
function getRecordTimes(records: readonly HistoryRecord[], now: number): number[] {
  const times = records.map(({ at }) => Date.parse(at));
  let latest = now;
  for (let index = times.length - 1; index >= 0; index -= 1) {
    latest = Math.min(latest, times[index] as number);
    times[index] = latest;
  }
  return times;
}

/** Maximum gap between two records, in ms; a longer one may mean that the clock was changed. */
const maxGapMs = 30 * dayMs;

/**
 * Removes records older than 90 days, except each subject's last state before that, which applied at the start of the 90
 * days. If a long gap separates old and new records, nothing is removed: the clock may be wrong by years, and removed
 * records cannot be restored.
 */
export function dropOldRecords(records: readonly HistoryRecord[], now: number): HistoryRecord[] {
  const times = getRecordTimes(records, now);
  const oldest = now - retentionDays * dayMs;
  const first = times.findIndex((time) => time >= oldest);
  const cut = first === -1 ? records.length : first;
  const [before, after] = [times[cut - 1] ?? now, times[cut] ?? now];
  if (after - before > maxGapMs) return [...records];
  return selectNewestWithLastStates(records, records.length - cut);
}

/**
 * The newest `count` records, preceded by each subject's last earlier record, whose state applied when the newest records
 * began.
 */
function selectNewestWithLastStates(records: readonly HistoryRecord[], count: number): HistoryRecord[] {
  const cut = Math.max(0, records.length - count);
  const last = new Map<string, HistoryRecord>();
  for (const record of records.slice(0, cut)) {
    const subject = getRecordSubject(record);
    if (subject !== null) last.set(subject, record);
  }
  const nodeRecords = [...last.values()].filter(({ kind }) => kind === 'node');
  // Drops states of removed nodes, and of nodes beyond the maximum of a workcell.
  const droppedNodes = new Set(nodeRecords.filter((record) => record.kind === 'node' && record.state === 'off'));
  for (const record of nodeRecords.slice(0, -maxEarlierNodes)) droppedNodes.add(record);
  return [...[...last.values()].filter((record) => !droppedNodes.has(record)), ...records.slice(cut)];
}

/**
 * The newest of `records` that fit into `bytes`, preceded by the states that applied when they began. Node records and all
 * other records may each use half of the size, so that a workcell with ever new nodes does not displace outages of managers.
 */
export function limitToNewest(records: readonly HistoryRecord[], bytes: number): readonly HistoryRecord[] {
  const isNodeRecord = ({ kind }: HistoryRecord) => kind === 'node';
  const sizes = records.map((record) => Buffer.byteLength(serializeRecord(record)));
  const totals = { node: 0, other: 0 };
  for (const [index, record] of records.entries()) totals[isNodeRecord(record) ? 'node' : 'other'] += sizes[index] ?? 0;
  const remainingBytes = {
    node: bytes - Math.min(totals.other, bytes / 2),
    other: bytes - Math.min(totals.node, bytes / 2),
  };
  const retained = new Set<HistoryRecord>();
  const dropped: HistoryRecord[] = [];
  for (let index = records.length - 1; index >= 0; index -= 1) {
    const record = records[index] as HistoryRecord;
    const kind = isNodeRecord(record) ? 'node' : 'other';
    remainingBytes[kind] -= sizes[index] ?? 0;
    if (remainingBytes[kind] < 0) dropped.push(record);
    else retained.add(record);
  }
  for (const last of selectNewestWithLastStates(dropped.toReversed(), 0)) retained.add(last);
  return records.filter((record) => retained.has(record));
}

/** Merges consecutive `watched` records into one. */
export function mergeWatchedRecords(records: readonly HistoryRecord[]): HistoryRecord[] {
  const merged: HistoryRecord[] = [];
  for (const record of records) {
    const last = merged.at(-1);
    const continues = record.kind === 'watched' && last?.kind === 'watched' && record.since <= last.at;
    if (continues) merged[merged.length - 1] = { ...record, since: last.since };
    else merged.push(record);
  }
  return merged;
}
