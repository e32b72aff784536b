import { expect, it } from 'vitest';
import { sampleEvent } from '../../fixtures/sampleRecords.ts';
import type { EventRow } from '../../managers/event/eventRow.ts';
import { foldRepeats } from './foldRepeats.ts';

const start = Date.parse('2026-11-21T14:00:00Z');

/** Events of this many seconds after the start, with their messages, in the order of the log. */
function fold(entries: readonly (readonly [seconds: number, message: string, type?: string])[]) {
  const rows = entries.map(([seconds, message, type = 'log_info'], index): EventRow => {
    const at = start + seconds * 1000;
    const stamp = new Date(at).toISOString();
    return { id: String(index), at, stamp, level: 20, type, message, source: 'WorkcellManager', subjects: [] };
  });
  const events = rows.map(({ id, message }) => sampleEvent(id, { event_data: { message } }));
  return foldRepeats(rows, events).map(({ message, ids, firstAt }) => [
    message,
    ids.join(' '),
    ((firstAt ?? 0) - start) / 1000,
  ]);
}

it('repeated messages are one row with the time of the first, also if others alternate with them', () => {
  const entries = [
    [20, 'arm not ready'],
    [20, 'reader not ready'],
    [15, 'arm not ready'],
    [15, 'reader not ready'],
    [10, 'arm not ready'],
  ] as const;
  expect(fold(entries)).toEqual([
    ['arm not ready', '0 2 4', 10],
    ['reader not ready', '1 3', 15],
  ]);
});

it('a message after a pause of more than a minute is a new row, and one of a sender’s own type is never folded', () => {
  const entries = [
    [120, 'arm not ready'],
    [59, 'arm not ready'],
    [30, 'completed', 'workflow_complete'],
    [29, 'completed', 'workflow_complete'],
  ] as const;
  expect(fold(entries)).toHaveLength(4);
});
