/** The legend of the timeline: only what is drawn in the shown span. */
import type { TimeRange } from '#dashboard/base/time.ts';
import {
  maintenanceAppearance,
  managerAppearances,
  nodeAppearances,
  stepAppearances,
  stepStates,
  type StateAppearance,
  type StepState,
} from '#api/states.ts';
import type { Colouring } from '../layer/filters.ts';
import { endAt, isWait, overlappingRange, stateAt } from '../layer/layer.ts';
import type { MarkKind } from '../moments/marks.ts';
import { timelineTexts } from '../texts.ts';
import type { Drawing } from './paint.ts';
import { outageLane } from './lanes.ts';
import { isProblem } from './palette.ts';

export type LegendSymbol =
  | { readonly kind: 'category'; readonly index: number }
  | { readonly kind: 'appearance'; readonly appearance: StateAppearance }
  | { readonly kind: 'bar'; readonly appearance: StateAppearance }
  | { readonly kind: 'wait' }
  | { readonly kind: 'unread' };

export interface LegendItem {
  readonly label: string;
  readonly symbol: LegendSymbol;
}

export interface LegendContent {
  readonly title: string;
  readonly items: readonly LegendItem[];
}

/** What a drawing contains. */
export interface DrawnElements {
  readonly states: ReadonlySet<StepState>;
  readonly hasWaits: boolean;
  readonly marks: ReadonlySet<MarkKind>;
  readonly hasOutages: boolean;
  readonly hasMaintenance: boolean;
  /** Whether data is missing for a part of the span. */
  readonly hasUnread: boolean;
}

type DrawnScene = Pick<Drawing, 'layer' | 'lanes' | 'visibleWorkflows' | 'marks' | 'outages' | 'since' | 'unwatched'>;

export function findDrawnElements(scene: DrawnScene, { from, to }: TimeRange, now: number): DrawnElements {
  const { layer, lanes, visibleWorkflows, marks, outages, since, unwatched } = scene;
  const states = new Set<StepState>();
  let hasWaits = false;
  for (const { layerIndex } of lanes) {
    if (layer === null || layerIndex === null) continue;
    const [first, last] = overlappingRange(layer, layerIndex, from, to);
    for (let entry = first; entry < last; entry += 1) {
      if (visibleWorkflows[layer.owner[entry] ?? 0] === 0 || endAt(layer, entry, now) < from) continue;
      if (isWait(layer, entry)) hasWaits = true;
      else states.add(stateAt(layer, entry));
    }
  }
  const keys = new Set(lanes.map(({ key }) => key));
  const shownOutages = outages.filter(
    ({ node, start, end }) => keys.has(node ?? outageLane) && start <= to && (end ?? now) >= from,
  );
  const shownMarks = marks.filter(({ node, at }) => (node === null || keys.has(node)) && at >= from && at <= to);
  return {
    states,
    hasWaits,
    marks: new Set(shownMarks.map(({ kind }) => kind)),
    hasOutages: shownOutages.some(({ isMaintenance }) => !isMaintenance),
    hasMaintenance: shownOutages.some(({ isMaintenance }) => isMaintenance),
    hasUnread: (since !== null && since > from) || (keys.has(outageLane) && unwatched.length > 0),
  };
}

const markAppearances: Readonly<Record<MarkKind, StateAppearance>> = {
  stop: nodeAppearances.stopped,
  error: nodeAppearances.errored,
  gone: nodeAppearances.disconnected,
  command: nodeAppearances.ready,
  start: nodeAppearances.initializing,
};

const texts = timelineTexts.legendItems;

/** @param categories texts of the coloured categories; empty if colours show states */
export function createLegend(
  colouring: Colouring,
  categories: readonly string[],
  { states, hasWaits, marks, hasOutages, hasMaintenance, hasUnread }: DrawnElements,
): LegendContent {
  const shownStates = stepStates.filter(
    (state) => states.has(state) && (colouring === 'outcome' || isProblem(stepAppearances[state])),
  );
  const shownMarks = (Object.keys(markAppearances) as MarkKind[]).filter((kind) => marks.has(kind));
  const itemIf = (isDrawn: boolean, item: LegendItem): readonly LegendItem[] => (isDrawn ? [item] : []);
  return {
    title: texts.title(timelineTexts.colourings[colouring]),
    items: [
      ...categories.map((label, index): LegendItem => ({ label, symbol: { kind: 'category', index } })),
      ...shownStates.map((state): LegendItem => {
        const appearance = stepAppearances[state];
        return { label: appearance.label, symbol: { kind: 'appearance', appearance } };
      }),
      ...itemIf(hasWaits, { label: 'Waiting', symbol: { kind: 'wait' } }),
      ...shownMarks.map((kind): LegendItem => ({
        label: texts.marks[kind],
        symbol: { kind: 'appearance', appearance: markAppearances[kind] },
      })),
      ...itemIf(hasOutages, {
        label: 'Manager or node not healthy',
        symbol: { kind: 'bar', appearance: managerAppearances.unreachable },
      }),
      ...itemIf(hasMaintenance, {
        label: maintenanceAppearance.label,
        symbol: { kind: 'bar', appearance: maintenanceAppearance },
      }),
      ...itemIf(hasUnread, { label: 'Unknown', symbol: { kind: 'unread' } }),
    ],
  };
}
