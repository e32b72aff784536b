/** Folds repeated log messages, such as those that the scheduler writes at every tick, into one row with a count. */
import { stringifyExactJson } from '#api/exactJson.ts';
import type { Event } from '#api/managers/event.ts';
import type { EventRow } from '../../managers/event/eventRow.ts';

export interface FoldedRow extends EventRow {
  /** The folded events, newest first, with this row's own. */
  readonly ids: readonly string[];
  /** The time of the oldest of them, in ms since the epoch. */
  readonly firstAt: number | null;
}

/** A repetition after a longer pause is a new row. In ms. */
const maxPauseMs = 60_000;

const dataTexts = new WeakMap<Event, string>();
function dataText(event: Event): string {
  const text = dataTexts.get(event) ?? stringifyExactJson(event.event_data);
  dataTexts.set(event, text);
  return text;
}

/**
 * @param rows newest first
 * @param events the same events, in the same order
 */
export function foldRepeats(rows: readonly EventRow[], events: readonly Event[]): readonly FoldedRow[] {
  const folded: (EventRow & { ids: string[]; firstAt: number | null })[] = [];
  const latest = new Map<string, (typeof folded)[number]>();
  for (const [index, row] of rows.entries()) {
    const event = events[index];
    const key =
      event !== undefined && row.type.startsWith('log_') ? `${row.source}\n${row.level}\n${dataText(event)}` : '';
    const group = latest.get(key);
    if (key !== '' && group !== undefined && isSoonBefore(row.at, group.firstAt)) {
      group.ids.push(row.id);
      group.firstAt = row.at;
    } else {
      const next = { ...row, ids: [row.id], firstAt: row.at };
      folded.push(next);
      if (key !== '') latest.set(key, next);
    }
  }
  return folded;
}

function isSoonBefore(at: number | null, next: number | null): boolean {
  return at !== null && next !== null && next - at <= maxPauseMs;
}
