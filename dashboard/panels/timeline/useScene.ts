/** Computes the drawing from the loaded data, the filters and the available space. */
import type { TimeRange } from '../../base/time.ts';
import { computed, type Ref } from 'vue';
import { nodePage } from '../../base/objectPages.ts';
import type { Scene, LaneLabel } from './drawing/TimelineCanvas.vue';
import { fitLanes, listLaneKeys, outageLane, stackLanes, type LaneSizes } from './drawing/lanes.ts';
import { axisHeight } from './drawing/paint.ts';
import { formatPercent } from './drawing/descriptions.ts';
import { busyTime, countRows, type Layer } from './layer/layer.ts';
import { createCategories, matchWorkflows, type Colouring, type Filters } from './layer/filters.ts';
import { laneName } from './list/steps.ts';
import type { Mark } from './moments/marks.ts';
import { assignOutageRows, type Outage } from './moments/outages.ts';
import { timelineTexts as texts } from './texts.ts';

interface SceneParts {
  readonly layer: Readonly<Ref<Layer | null>>;
  readonly textAt: (index: number | undefined) => string;
  /** In the workcell's order. */
  readonly nodes: Ref<readonly string[]>;
  readonly filters: Ref<Filters>;
  readonly colouring: Ref<Colouring>;
  readonly range: Ref<TimeRange>;
  readonly now: Ref<number>;
  readonly marks: Ref<readonly Mark[]>;
  readonly outages: Ref<readonly Outage[]>;
  /** Data before this time (ms since the epoch) is not loaded; `null`: all data is loaded. */
  readonly since: Ref<number | null>;
  readonly unwatched: Ref<readonly TimeRange[]>;
  /** CSS pixels of a rem. */
  readonly rem: Ref<number>;
  /** CSS pixels available for the axis and all lanes. */
  readonly availableHeight: Ref<number>;
  /** True in kiosk mode, which shows only the lanes that fit; otherwise all lanes are shown and scroll. */
  readonly isFitted: Ref<boolean>;
}

const noWorkflows = new Uint8Array(0);

/** The outages with their rows, and the number of rows that the outage lane needs in the shown range. */
function useOutageRows(parts: SceneParts) {
  const { now } = parts;
  const placedOutages = computed(() => {
    const { outages } = parts;
    return [
      ...assignOutageRows(
        outages.value.filter(({ node }) => node === null),
        now.value,
      ),
      // The outages of nodes lie behind the steps of their lane and cover its whole height.
      ...outages.value.filter(({ node }) => node !== null).map((outage) => ({ ...outage, row: 0 })),
    ];
  });
  const outageRowCount = computed(() =>
    parts.filters.value.node === null
      ? Math.max(
          1,
          ...placedOutages.value.flatMap(({ row, node, start, end }) => {
            const { from, to } = parts.range.value;
            return node === null && start <= to && (end ?? now.value) >= from ? [row + 1] : [];
          }),
        )
      : 0,
  );
  return { placedOutages, outageRowCount };
}

/** Computes which lanes are shown, and their heights. @param busyFraction how much of the span a lane was busy */
function useLanes(
  parts: SceneParts,
  visibleWorkflows: Readonly<Ref<Uint8Array>>,
  busyFraction: (key: string) => number,
) {
  const { layer, now } = parts;
  const { placedOutages, outageRowCount } = useOutageRows(parts);
  const all = computed(() => listLaneKeys(parts.nodes.value, layer.value, parts.filters.value.node));
  const rem = parts.rem;
  const defaultSizes = computed<LaneSizes>(() => ({ row: rem.value * 1.5, padding: rem.value * 0.5 }));
  /** As text, so that moving the span changes the lanes only when a number of rows changes. */
  const rowCountsText = computed(() => {
    const { from, to } = parts.range.value;
    const current = layer.value;
    return (
      current?.lanes
        .map((_lane, index) => countRows(current, index, from, to, now.value, visibleWorkflows.value))
        .join(',') ?? ''
    );
  });
  const countLaneRows = (key: string): number =>
    Number(rowCountsText.value.split(',')[layer.value?.lanes.indexOf(key) ?? -1] ?? 1);
  const fittedLanes = computed(() => {
    if (!parts.isFitted.value) return { fittingKeys: all.value, remainingKeys: [] };
    const { row, padding } = defaultSizes.value;
    const freeHeight =
      parts.availableHeight.value - axisHeight(rem.value * 0.75) - (outageRowCount.value * row + padding);
    return fitLanes(all.value, busyFraction, (key) => countLaneRows(key) * row + padding, freeHeight);
  });
  // The lanes that fit change with the span. An unchanged set keeps its array.
  let previousKeys: readonly string[] = [];
  const keys = computed(() => {
    const next = fittedLanes.value.fittingKeys;
    if (next.length !== previousKeys.length || next.some((key, index) => key !== previousKeys[index]))
      previousKeys = next;
    return previousKeys;
  });
  const sizes = computed<LaneSizes>(() => {
    if (!parts.isFitted.value) return defaultSizes.value;
    const { row, padding } = defaultSizes.value;
    // In kiosk mode the lanes fill the available height.
    const stacked = stackLanes(keys.value, layer.value, { row: 1, padding: 0 }, outageRowCount.value, countLaneRows);
    const rowCount = stacked.reduce((sum, { rows: laneRows }) => sum + laneRows, 0);
    const freeHeight = parts.availableHeight.value - axisHeight(rem.value * 0.75) - (keys.value.length + 1) * padding;
    return { padding, row: Math.max(row, Math.min(row * 2, Math.floor(freeHeight / Math.max(1, rowCount)))) };
  });
  const lanes = computed(() => stackLanes(keys.value, layer.value, sizes.value, outageRowCount.value, countLaneRows));
  return { all, fittedLanes, placedOutages, sizes, lanes };
}

const outageLabel: LaneLabel = {
  key: outageLane,
  name: 'Managers',
  busyShare: '',
  hint: 'Times when managers were not healthy or in maintenance. Hatched: times when the lab manager did not watch them.',
};

export function useScene(parts: SceneParts) {
  const { layer, range, now } = parts;
  const visibleWorkflows = computed(() =>
    layer.value === null ? noWorkflows : matchWorkflows(layer.value, parts.textAt, parts.filters.value),
  );
  const categories = computed(() =>
    layer.value === null || parts.colouring.value === 'outcome'
      ? null
      : createCategories(layer.value, parts.textAt, parts.colouring.value),
  );
  /** The busy fraction of each lane with steps, up to now. */
  const busyFractions = computed(() => {
    const { to } = range.value;
    // The busy fraction is unknown for times whose data is not loaded.
    const from = Math.max(range.value.from, parts.since.value ?? 0);
    const end = Math.min(to, now.value);
    const current = layer.value;
    if (current === null || end <= from) return new Map<string, number>();
    return new Map(
      current.lanes.map((lane, index) => [
        lane,
        busyTime(current, index, from, end, now.value, visibleWorkflows.value) / (end - from),
      ]),
    );
  });
  const busyFraction = (key: string): number => busyFractions.value.get(key) ?? 0;
  const { all, fittedLanes, placedOutages, sizes, lanes } = useLanes(parts, visibleWorkflows, busyFraction);
  const scene = computed<Scene>(() => ({
    layer: layer.value,
    lanes: lanes.value,
    sizes: sizes.value,
    visibleWorkflows: visibleWorkflows.value,
    categories: categories.value?.byWorkflow ?? null,
    getName: (entry) => parts.textAt(layer.value?.name[entry]),
    marks: parts.marks.value,
    outages: placedOutages.value,
    since: parts.since.value,
    unwatched: parts.unwatched.value,
    font: Math.round(parts.rem.value * 0.75),
  }));
  const labels = computed(() =>
    lanes.value.map(({ key }): LaneLabel => {
      if (key === outageLane) return outageLabel;
      const share = formatPercent(busyFraction(key));
      const name = laneName(key);
      const to = parts.nodes.value.includes(key) ? nodePage(key) : undefined;
      const hint = `${name} was busy for ${share} of the shown span up to now, as far as it was loaded. Concurrent steps count once.`;
      return { key, name, busyShare: share, hint, to };
    }),
  );
  /** The number of lanes that don't fit, and their mean busy fraction. */
  const remainingText = computed(() => {
    const names = fittedLanes.value.remainingKeys;
    if (names.length === 0) return '';
    return texts.more(
      names.length,
      formatPercent(names.reduce((sum, key) => sum + busyFraction(key), 0) / names.length),
    );
  });
  return { visibleWorkflows, categories, scene, labels, keys: all, remainingText };
}
