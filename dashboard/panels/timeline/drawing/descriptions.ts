/** Tooltip text of the hovered or focused element. Pure. */

import { stepLooks } from '../../../../api/states.ts';
import { duration, momentSeconds } from '../../../base/time.ts';
import { spanText } from '../../../components/time/timeAxis.ts';
import { laneName, rowOf, type StepRow } from '../list/steps.ts';
import type { Layer } from '../layer/layer.ts';
import { timelineTexts } from '../texts.ts';
import { countText, spanOfGroup } from './markGroups.ts';
import type { PickResult } from './pick.ts';

const texts = timelineTexts.text;

interface MarkDescription {
  readonly title: string;
  readonly more: readonly string[];
}

function stepText(row: StepRow, count: number, now: number): MarkDescription {
  const { step, workflow, lane, start, end, waiting, carried, isEarliestStart, state } = row;
  const name = waiting ? texts.wait(step) : carried ? texts.carried(step) : step;
  const span = { key: row.key, lane, start, end, look: stepLooks[state], label: name, thin: waiting };
  return {
    title: texts.step(name, workflow),
    more: [
      laneName(lane),
      `${spanText(span, now).more}${isEarliestStart ? ` (${texts.atEarliest})` : ''}`,
      ...(count > 1 ? [texts.several(count)] : []),
    ],
  };
}

export function textOf(
  picked: PickResult,
  layer: Layer | null,
  text: (place: number | undefined) => string,
  now: number,
): MarkDescription | null {
  if (picked.kind === 'mark') {
    const { text: title, at, node, look } = picked.mark;
    return { title, more: [[node ?? '', look.label, momentSeconds(at, now)].filter(Boolean).join(', ')] };
  }
  if (picked.kind === 'marks') {
    const { from, to } = spanOfGroup(picked.group);
    const times = `${momentSeconds(from, now)} – ${momentSeconds(to, now)}`;
    return {
      title: countText(picked.group.marks),
      more: [
        [picked.group.node ?? '', times].filter(Boolean).join(', '),
        picked.zooms ? texts.pressZooms : texts.pressLists,
      ],
    };
  }
  if (picked.kind === 'outage') {
    const { name, look, start, end, unwatchedMs, reason } = picked.outage;
    const times = spanText({ key: '', lane: '', start, end, look, label: '' }, now).more;
    const gap = unwatchedMs === 0 ? [] : [texts.unwatchedPart(duration(unwatchedMs))];
    return { title: name, more: [times, ...gap, ...(reason === null ? [] : [reason])] };
  }
  if (layer === null) return null;
  return stepText(rowOf(layer, text, picked.bar.entry, picked.lane.key), picked.bar.count, now);
}

/** `34 %` */
export function percentText(part: number): string {
  return part > 0 && part < 0.01 ? '<1 %' : `${Math.round(part * 100)} %`;
}
