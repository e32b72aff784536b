/** Tooltip text of the hovered or focused element. */

import { stepAppearances } from '#api/states.ts';
import { formatDuration, formatTimeSeconds } from '#dashboard/base/time.ts';
import { describeSpan } from '#dashboard/components/time/timeAxis.ts';
import { laneName, toStepRow, type StepRow } from '../list/steps.ts';
import type { Layer } from '../layer/layer.ts';
import { timelineTexts } from '../texts.ts';
import { describeCounts, groupSpan } from './markGroups.ts';
import type { PickResult } from './pickElement.ts';

const texts = timelineTexts.text;

interface PickDescription {
  readonly title: string;
  readonly more: readonly string[];
}

function describeStep(row: StepRow, count: number, now: number): PickDescription {
  const { step, workflow, lane, start, end, waiting, byTransfer, isEarliestStart, state } = row;
  const name = waiting ? `Waiting for ${step}` : byTransfer ? texts.ofTransfer(step) : step;
  const span = { key: row.key, lane, start, end, appearance: stepAppearances[state], label: name, thin: waiting };
  return {
    title: `${name} · ${workflow}`,
    more: [
      laneName(lane),
      `${describeSpan(span, now).details}${isEarliestStart ? ` (at the earliest)` : ''}`,
      ...(count > 1 ? [texts.several(count)] : []),
    ],
  };
}

export function describePick(
  picked: PickResult,
  layer: Layer | null,
  textAt: (index: number | undefined) => string,
  now: number,
): PickDescription | null {
  if (picked.kind === 'mark') {
    const { text: title, at, node, appearance } = picked.mark;
    return { title, more: [[node ?? '', appearance.label, formatTimeSeconds(at, now)].filter(Boolean).join(', ')] };
  }
  if (picked.kind === 'marks') {
    const { from, to } = groupSpan(picked.group);
    const rangeText = `${formatTimeSeconds(from, now)} – ${formatTimeSeconds(to, now)}`;
    return {
      title: describeCounts(picked.group.marks),
      more: [
        [picked.group.node ?? '', rangeText].filter(Boolean).join(', '),
        picked.canZoom ? 'Click to zoom in' : 'Click to list them',
      ],
    };
  }
  if (picked.kind === 'outage') {
    const { name, appearance, start, end, unwatchedMs, reason } = picked.outage;
    const timesText = describeSpan({ key: '', lane: '', start, end, appearance, label: '' }, now).details;
    const gap = unwatchedMs === 0 ? [] : [`${formatDuration(unwatchedMs)} of this not watched`];
    return { title: name, more: [timesText, ...gap, ...(reason === null ? [] : [reason])] };
  }
  if (layer === null) return null;
  return describeStep(toStepRow(layer, textAt, picked.bar.entry, picked.lane.key), picked.bar.count, now);
}

/** `34 %` */
export function formatPercent(fraction: number): string {
  return fraction > 0 && fraction < 0.01 ? '<1 %' : `${Math.round(fraction * 100)} %`;
}
