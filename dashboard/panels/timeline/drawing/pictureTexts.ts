/** What a saved picture says beside its drawing: it is read by somebody in another room, on another day. Pure. */
import { managerLooks, nodeLooks, stepLooks, type StateLook, type StepState } from '../../../../api/states.ts';
import { isoLocal, moment, type TimeRange } from '../../../base/time.ts';
import type { Colouring } from '../layer/filters.ts';
import { timelineTexts } from '../texts.ts';

const texts = timelineTexts.picture;

/** The year is part of a moment when it is not that of `now`: of none here. */
const otherYear = 0;
const offsetOf = (time: number): string => `UTC${isoLocal(time).slice(19)}`;

/** `UTC+01:00 (Europe/Berlin)`; with both offsets where the clocks change in between. */
export function zoneText({ from, to }: TimeRange, name = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const offsets = [...new Set([offsetOf(from), offsetOf(to)])].join(' / ');
  return name === 'UTC' ? 'UTC' : `${offsets} (${name})`;
}

/** Date and time of both ends with the zone: `22 Nov 2026 18:00 – 23 Nov 2026 08:00, UTC+01:00 (Europe/Berlin)`. */
export function pictureSpan(range: TimeRange, zone = zoneText(range)): string {
  return texts.span(moment(range.from, otherYear), moment(range.to, otherYear), zone);
}

export function pictureSaved(now: number): string {
  return texts.saved(moment(now, otherYear));
}

export type LegendSign =
  | { readonly is: 'category'; readonly place: number }
  | { readonly is: 'look'; readonly look: StateLook }
  | { readonly is: 'bar'; readonly look: StateLook }
  | { readonly is: 'wait' }
  | { readonly is: 'unread' };

export interface LegendItem {
  readonly label: string;
  readonly sign: LegendSign;
}

const states: readonly StepState[] = ['succeeded', 'running', 'failed', 'cancelled', 'paused'];
const badStates: readonly StepState[] = ['failed', 'paused'];

export interface LegendContent {
  readonly title: string;
  readonly items: readonly LegendItem[];
}

/** @param categories what the colours stand for; empty where they stand for states */
export function legendContent(by: Colouring, categories: readonly string[]): LegendContent {
  const look = (label: string, of: StateLook): LegendItem => ({ label, sign: { is: 'look', look: of } });
  return {
    title: texts.legend(timelineTexts.by[by]),
    items: [
      ...categories.map((label, place): LegendItem => ({ label, sign: { is: 'category', place } })),
      ...(by === 'outcome' ? states : badStates).map((state) => look(stepLooks[state].word, stepLooks[state])),
      { label: timelineTexts.waits, sign: { is: 'wait' } },
      look(texts.marks.stop, nodeLooks.stopped),
      look(texts.marks.error, nodeLooks.errored),
      look(texts.marks.gone, nodeLooks.disconnected),
      look(texts.marks.command, nodeLooks.ready),
      { label: texts.outage, sign: { is: 'bar', look: managerLooks.unreachable } },
      { label: texts.unread, sign: { is: 'unread' } },
    ],
  };
}
