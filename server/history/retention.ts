/** What of the history is kept: 90 days, and no more than a file may hold. Pure. */
import { recordLine, type HistoryRecord } from './record.ts';

const dayMs = 86_400_000;
const maxNodesWithFlags = 1000;
export const retentionDays = 90;

/**
 * The times of records in ms since the epoch, never after a later record's: a clock that was wrong and was set back leaves
 * stamps from the future, which would hide everything that came afterwards.
 * @param now of this machine's clock, in ms since the epoch
 */
function recordTimes(records: readonly HistoryRecord[], now: number): number[] {
  const times = records.map(({ at }) => Date.parse(at));
  let latest = now;
  for (let index = times.length - 1; index >= 0; index -= 1) {
    latest = Math.min(latest, times[index] as number);
    times[index] = latest;
  }
  return times;
}

/** A longer pause between two records is one in which nothing was watched, or a clock that was set: in ms. */
const pauseMs = 30 * dayMs;

/**
 * Without what is older than 90 days; of each manager the last state before that stays, which held when they began. Where
 * there is a long pause between what is old and what is not, nothing is left out: the clock may be wrong by years, and what
 * is left out cannot come back when it is set right.
 */
export function withoutOld(records: readonly HistoryRecord[], now: number): HistoryRecord[] {
  const times = recordTimes(records, now);
  const oldest = now - retentionDays * dayMs;
  const first = times.findIndex((time) => time >= oldest);
  const cut = first === -1 ? records.length : first;
  const [before, after] = [times[cut - 1] ?? now, times[cut] ?? now];
  if (after - before > pauseMs) return [...records];
  return newestOf(records, records.length - cut);
}

/** The newest `count`; of what is left out the last state of each manager and node stays, which held when they began. */
function newestOf(records: readonly HistoryRecord[], count: number): HistoryRecord[] {
  const cut = Math.max(0, records.length - count);
  const held = new Map<string, HistoryRecord>();
  for (const record of records.slice(0, cut)) {
    if (record.kind === 'state') held.set(`manager ${record.manager}`, record);
    if (record.kind === 'node') held.set(`node ${record.name}`, record);
    if (record.kind === 'maintenance') held.set(`maintenance ${record.of} ${record.id}`, record);
  }
  const ofNodes = [...held.values()].filter(({ kind }) => kind === 'node');
  // Of nodes that the workcell no longer has, and of more than a workcell ever has, nothing held.
  const forgotten = new Set(ofNodes.filter((each) => each.kind === 'node' && each.state === 'off'));
  for (const each of ofNodes.slice(0, -maxNodesWithFlags)) forgotten.add(each);
  return [...[...held.values()].filter((each) => !forgotten.has(each)), ...records.slice(cut)];
}

/**
 * The newest of `records` that fit into `bytes`, after the states that held when they began. Nodes have half of it to
 * themselves, and all else the other half: a workcell with ever-new names of nodes pushes out no manager's outages.
 */
export function newestWithin(records: readonly HistoryRecord[], bytes: number): readonly HistoryRecord[] {
  const isOfNode = ({ kind }: HistoryRecord) => kind === 'node';
  const sizes = records.map((record) => Buffer.byteLength(recordLine(record)));
  const totals = { node: 0, other: 0 };
  for (const [index, record] of records.entries()) totals[isOfNode(record) ? 'node' : 'other'] += sizes[index] ?? 0;
  const left = {
    node: bytes - Math.min(totals.other, bytes / 2),
    other: bytes - Math.min(totals.node, bytes / 2),
  };
  const retained = new Set<HistoryRecord>();
  const dropped: HistoryRecord[] = [];
  for (let index = records.length - 1; index >= 0; index -= 1) {
    const record = records[index] as HistoryRecord;
    const kind = isOfNode(record) ? 'node' : 'other';
    left[kind] -= sizes[index] ?? 0;
    if (left[kind] < 0) dropped.push(record);
    else retained.add(record);
  }
  for (const held of newestOf(dropped.toReversed(), 0)) retained.add(held);
  return records.filter((record) => retained.has(record));
}

/** With what was watched without a break in one record, where several say so one after the other. */
export function withoutRepeats(records: readonly HistoryRecord[]): HistoryRecord[] {
  const shorter: HistoryRecord[] = [];
  for (const record of records) {
    const last = shorter.at(-1);
    const continues = record.kind === 'watched' && last?.kind === 'watched' && record.since <= last.at;
    if (continues) shorter[shorter.length - 1] = { ...record, since: last.since };
    else shorter.push(record);
  }
  return shorter;
}
