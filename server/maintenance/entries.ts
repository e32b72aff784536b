/** The entries of maintenance and their end times. */
import * as z from 'zod';
import {
  recurrence,
  type MaintenanceSubject,
  type Maintenance,
  type PlannedMaintenance,
  type Recurrence,
} from '../../api/lab/lab.ts';
import { noMaintenanceWindows, type MaintenanceWindows } from '../../api/lab/maintenance.ts';
import { managerKeys, managerTitle } from '../../api/managers.ts';
import { findNextWindow, findWindow, hasGaps, type RecurringWindow } from './recurrence.ts';

const timestamp = z.iso.datetime();
const times = { from: timestamp, until: timestamp };

const perSubject = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('lab'), id: z.literal('lab'), ...shape }),
    z.object({ kind: z.literal('manager'), id: z.enum(managerKeys), ...shape }),
    z.object({ kind: z.literal('node'), id: z.string().min(1).max(200), ...shape }),
  ]);

/** One maintenance window, as in the file. */
export const maintenanceEntry = perSubject(times);
export type MaintenanceEntry = z.infer<typeof maintenanceEntry>;

/** A recurring maintenance, as in the file; `ended` is the start of a window that was ended early. */
export const maintenanceRule = perSubject({ every: recurrence, ended: timestamp.optional() });
type MaintenanceRule = z.infer<typeof maintenanceRule>;

export interface MaintenanceState {
  readonly entries: readonly MaintenanceEntry[];
  /** At most one for each subject. */
  readonly rules: readonly MaintenanceRule[];
}
export const noMaintenance: MaintenanceState = { entries: [], rules: [] };

/**
 * Starts, prolongs or ends a maintenance window: `until` in ms since the epoch, `null` ends it. Or plans a recurring
 * maintenance: `null` cancels it.
 */
export type MaintenanceChange = Readonly<MaintenanceSubject> &
  ({ readonly until: number | null } | { readonly every: Recurrence | null });

/** Maximum duration in days, which ends a forgotten maintenance window. */
const maxDays = 30;
export const maxEntries = 200;

export const isSameSubject = (a: MaintenanceSubject, b: MaintenanceSubject) => a.kind === b.kind && a.id === b.id;

/**
 * The windows active at `now` (ms since the epoch), one for each subject, sorted by their end. A single one that starts
 * later is active as well.
 */
export function activeAt({ entries, rules }: MaintenanceState, now: number): readonly MaintenanceEntry[] {
  const single = entries.filter(({ until }) => now < Date.parse(until));
  const recurring = rules.flatMap((rule): MaintenanceEntry[] => {
    const window = toTimes(findWindow(rule.every, now));
    const { ended, every: _every, ...subject } = rule;
    if (Date.parse(window.from) > now || ended === window.from) return [];
    const other = single.find((entry) => isSameSubject(entry, rule));
    return other !== undefined && other.until >= window.until ? [] : [{ ...subject, ...window } as MaintenanceEntry];
  });
  const replaced = single.filter((entry) => !recurring.some((window) => isSameSubject(window, entry)));
  return [...replaced, ...recurring].toSorted((a, b) => a.until.localeCompare(b.until));
}

/** The next window of each recurring maintenance, the earliest first. */
export function plannedAt({ rules }: MaintenanceState, now: number): readonly PlannedMaintenance[] {
  return rules
    .map(({ kind, id, every }) => ({
      kind,
      id,
      name: subjectTitle({ kind, id }),
      every,
      ...toTimes(findNextWindow(every, now)),
    }))
    .toSorted((a, b) => a.from.localeCompare(b.from));
}

const toTimes = ({ from, until }: RecurringWindow) => ({
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
});

/**
 * The state after a change. A prolonged window keeps its start, and a window of a recurring maintenance is replaced.
 * @throws Error with a user-facing message if the time or the subject is invalid, or if there are too many entries
 */
export function applyChange(state: MaintenanceState, change: MaintenanceChange, now: number): MaintenanceState {
  return 'every' in change ? applyRule(state, change) : applyWindow(state, change, now);
}

function applyRule(
  state: MaintenanceState,
  change: MaintenanceSubject & { readonly every: Recurrence | null },
): MaintenanceState {
  const rules = state.rules.filter((rule) => !isSameSubject(rule, change));
  if (change.every === null) return { ...state, rules };
  if (!hasGaps(change.every)) throw new Error('A recurring maintenance must end before it begins again');
  if (rules.length >= maxEntries) throw new Error(`At most ${maxEntries} recurring maintenance windows can be planned`);
  return { ...state, rules: [...rules, validate(maintenanceRule, change)] };
}

function applyWindow(
  state: MaintenanceState,
  { until, ...subject }: MaintenanceSubject & { readonly until: number | null },
  now: number,
): MaintenanceState {
  const current = activeAt(state, now).find((entry) => isSameSubject(entry, subject));
  const entries = state.entries.filter((entry) => now < Date.parse(entry.until) && !isSameSubject(entry, subject));
  const rules = state.rules.map((rule) => {
    const window = findWindow(rule.every, now);
    const isReplaced = isSameSubject(rule, subject) && window.from <= now;
    return isReplaced ? { ...rule, ended: toTimes(window).from } : rule;
  });
  if (until === null) return { entries, rules };
  if (until <= now) throw new Error('Maintenance must end in the future');
  if (until > now + maxDays * 86_400_000) {
    throw new Error(`A maintenance window lasts ${maxDays} days at most; start another one then`);
  }
  if (entries.length >= maxEntries) throw new Error(`At most ${maxEntries} maintenance windows can be active at once`);
  const from = current?.from ?? new Date(now).toISOString();
  return {
    entries: [...entries, validate(maintenanceEntry, { ...subject, from, until: new Date(until).toISOString() })],
    rules,
  };
}

function validate<Entry>(
  schema: z.ZodType<Entry>,
  value: MaintenanceSubject & Readonly<Record<string, unknown>>,
): Entry {
  const entry = schema.safeParse(value);
  if (!entry.success) throw new Error(`There is no ${value.kind} “${value.id}” to be in maintenance`);
  return entry.data;
}

/** The name within a sentence. */
export function subjectName({ kind, id }: MaintenanceSubject): string {
  if (kind === 'lab') return 'the lab';
  const manager = kind === 'manager' ? managerKeys.find((key) => key === id) : undefined;
  return manager === undefined ? id : managerTitle(manager);
}
const subjectTitle = (subject: MaintenanceSubject): string =>
  subject.kind === 'lab' ? 'The lab' : subjectName(subject);

/** An entry with the name for tray and pages. */
export const maintenanceFromEntry = (entry: MaintenanceEntry): Maintenance => ({ ...entry, name: subjectTitle(entry) });

/** The windows of this lab manager, and those of the followed one that have not ended or begun since they were read. */
export function listWindows(
  state: MaintenanceState,
  now: number,
  followed: MaintenanceWindows = noMaintenanceWindows,
): MaintenanceWindows {
  return {
    current: [
      ...followed.current.filter(({ until }) => now < Date.parse(until)),
      ...activeAt(state, now).map(maintenanceFromEntry),
    ],
    planned: [...followed.planned.filter(({ from }) => now < Date.parse(from)), ...plannedAt(state, now)],
  };
}
