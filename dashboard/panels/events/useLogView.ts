/**
 * The view of the log in the query string, so that a link shows the same level, time range, search, object and archive.
 */
import { currentTime } from '../../base/clock.ts';
import { refDebounced } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef } from 'vue';
import { useRoute, type LocationQuery, type LocationQueryRaw } from 'vue-router';
import { commandSource } from '#api/commandRecord.ts';
import { logLevels } from '#api/managers/event.ts';
import { useQueryPatch } from '../../components/page/pageQuery.ts';
import { useTableView } from '../../components/table/tableQuery.ts';
import { filterSelectors, parseSubject, wordSelectors } from '../../managers/event/eventRow.ts';
import { levelLabel } from '../../managers/event/texts.ts';
import { eventsTexts as texts } from './texts.ts';
import { toLocalIso } from '../../base/time.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

/**
 * The manager returns all events of an object or search at once; without a range they are limited to this time, in ms.
 */
const searchRangeMs = 30 * 86_400_000;
/** A search is sent when no further key is pressed for this long, in ms. */
const searchDebounceMs = 400;

export const levelChoices = Object.values(logLevels).map((level) => ({
  key: level as number,
  title: level === 0 ? texts.anyLevel : texts.andAbove(levelLabel(level)),
}));
const views = ['current', 'archived'] as const;
export const viewChoices = views.map((key) => ({ key, title: texts[key] }));

/**
 * The search conditions that the manager evaluates instead of the page: on request, or if the range has more events than
 * the page loads.
 */
function useManagerSearch(view: ReturnType<typeof useTableView>, period: ComputedRef<Period>) {
  const route = useRoute();
  const query = refDebounced(
    computed(() => view.value.search),
    searchDebounceMs,
  );
  /** Filters and search words as conditions of the manager's query; `null` if none can be expressed. */
  const availableConditions = computed(() => {
    const { type = [], source = [] } = view.value.filters;
    const conditions = [...(filterSelectors(type, source) ?? []), ...wordSelectors(query.value)];
    return conditions.length === 0 ? null : conditions;
  });
  /** Key of the range that has more events than the page loads: the manager searches it. */
  const crowdedRange = ref('');
  const rangeKey = computed(() =>
    stringifyExactJson(['period', 'from', 'to', 'level', 'as'].map((name) => route.query[name])),
  );
  const isCrowded = computed(() => period.value !== 'all' && crowdedRange.value === rangeKey.value);
  const activeConditions = computed(() =>
    route.query['search'] === 'all' || isCrowded.value ? (availableConditions.value ?? []) : [],
  );
  return {
    availableConditions,
    activeConditions,
    setCrowded: () => (crowdedRange.value = rangeKey.value),
  };
}

export function useLogView() {
  const route = useRoute();
  const change = useQueryPatch();
  const view = useTableView();
  const level = computed({
    get: () => levelChoices.find(({ key }) => String(key) === route.query['level'])?.key ?? 0,
    set: (next) => change({ level: next === 0 ? undefined : String(next) }),
  });
  const period = computed({
    get: () => periodFromQuery(route.query),
    set: (next: Period) => change({ period: next === 'all' ? undefined : next, from: undefined, to: undefined }),
  });
  /** Relative periods start from the time of selection, so that the query does not change every second. */
  const selectedAt = ref(currentTime());
  watch(
    () => [route.query['period'], route.query['from'], route.query['to']],
    () => (selectedAt.value = currentTime()),
  );
  const subject = computed(() => parseSubject(route.query['about']));
  const selectedLog = computed<(typeof views)[number]>({
    get: () => (route.query['as'] === 'archived' ? 'archived' : 'current'),
    set: (next) => change({ as: next === 'archived' ? next : undefined }),
  });
  /** Shows only commands sent by people, from the whole range. */
  const activity = computed<boolean>({
    get: () => view.value.filters['source']?.join() === commandSource,
    set: (only) => change({ 'is.source': only ? commandSource : undefined, search: only ? 'all' : undefined }),
  });
  const { availableConditions, activeConditions, setCrowded } = useManagerSearch(view, period);
  const isSearch = computed(() => subject.value !== null || activeConditions.value.length > 0);
  const span = computed<PeriodSpan>(() =>
    isSearch.value && period.value === 'all'
      ? { from: selectedAt.value - searchRangeMs, to: null }
      : getPeriodSpan(route.query, selectedAt.value),
  );
  const periodChoices = computed(() => [
    ...periods.map((key) => ({
      key: key as Period,
      title: key === 'all' && isSearch.value ? texts.periods.month : texts.periods[key],
    })),
    { key: 'range' as const, title: texts.periods.range },
  ]);
  return {
    view,
    level,
    period,
    periodChoices,
    span,
    about: subject,
    selectedLog,
    availableConditions,
    activeConditions,
    activity,
    change,
    setRange: (range: PeriodSpan) => change(rangeToQuery(range)),
    /** Makes the manager search this range from now on. */
    setCrowded,
  };
}

const periodLengths = { minutes15: 15 * 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
/** The relative time ranges of the log, as in the query string. */
const periods = ['all', 'minutes15', 'hour', 'day', 'week'] as const;
/** `range` has fixed times, so that a shared link shows the same events. The others are relative to the current time. */
export type Period = (typeof periods)[number] | 'range';

function parseTimeParameter(value: unknown): number | null {
  const at = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

export function periodFromQuery(query: LocationQuery): Period {
  if (parseTimeParameter(query['from']) !== null || parseTimeParameter(query['to']) !== null) return 'range';
  return periods.find((period) => period === query['period']) ?? 'all';
}

/** Bounds in ms since the epoch; `null`: no bound. */
export interface PeriodSpan {
  readonly from: number | null;
  readonly to: number | null;
}

/** @param selectedAt when the period was selected, in ms since the epoch; relative periods start before it */
export function getPeriodSpan(query: LocationQuery, selectedAt: number): PeriodSpan {
  const period = periodFromQuery(query);
  if (period === 'range') return { from: parseTimeParameter(query['from']), to: parseTimeParameter(query['to']) };
  // Without an end, new events belong to the period.
  return { from: period === 'all' ? null : selectedAt - periodLengths[period], to: null };
}

/** Returns the query parameters that select a range; without bounds they select all times. */
export function rangeToQuery({ from, to }: PeriodSpan): LocationQueryRaw {
  return {
    period: undefined,
    from: from === null ? undefined : String(Math.floor(from)),
    to: to === null ? undefined : String(Math.ceil(to)),
  };
}

/**
 * Returns the text of a date and time field, in this machine's local time; empty for `null`. It is a text field with 24
 * hours: the format of the browser's own field depends on its language.
 */
export function formatDateTime(at: number | null): string {
  return at === null ? '' : toLocalIso(at).slice(0, 19).replace('T', ' ');
}

const dateTimePattern = /^([12]\d{3}-\d\d-\d\d)(?:[ T]+(\d{1,2})(:\d\d(?::\d\d)?))?$/;

/**
 * Parses the text of a date and time field to ms since the epoch; a date without a time is its midnight. `null` for an
 * empty text, `undefined` for an incomplete or invalid one.
 */
export function parseDateTime(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const [, date, hour = '00', minutes = ':00'] = dateTimePattern.exec(text.trim()) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${hour.padStart(2, '0')}${minutes}`);
  return Number.isNaN(at) ? undefined : at;
}
