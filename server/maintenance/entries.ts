/** The entries of maintenance and their end times. Pure. */
import * as z from 'zod';
import type { MaintenanceSubject, Maintenance } from '../../api/lab/lab.ts';
import { managerKeys, managerTitle } from '../../api/managers.ts';

const timestamp = z.iso.datetime();
const times = { from: timestamp, until: timestamp };

/** One maintenance window, as in the file. */
export const maintenanceEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lab'), id: z.literal('lab'), ...times }),
  z.object({ kind: z.literal('manager'), id: z.enum(managerKeys), ...times }),
  z.object({ kind: z.literal('node'), id: z.string().min(1).max(200), ...times }),
]);
export type MaintenanceEntry = z.infer<typeof maintenanceEntry>;

/** Starts, prolongs or ends a maintenance window: `until` in ms since the epoch, `null` ends it. */
export type MaintenanceChange = Readonly<MaintenanceSubject> & { readonly until: number | null };

/** Maximum duration in days, which ends a forgotten maintenance window. */
const maxDays = 30;
export const maxEntries = 200;

const isSameSubject = (a: MaintenanceSubject, b: MaintenanceSubject) => a.kind === b.kind && a.id === b.id;

/** The entries active at `now` (ms since the epoch), sorted by their end. One that starts later is active as well. */
export function activeAt(entries: readonly MaintenanceEntry[], now: number): readonly MaintenanceEntry[] {
  return entries.filter(({ until }) => now < Date.parse(until)).toSorted((a, b) => a.until.localeCompare(b.until));
}

/**
 * The active entries after a change. A prolonged one keeps its start.
 * @throws Error with a user-facing message if the time or the subject is invalid, or if there are too many entries
 */
export function applyChange(
  entries: readonly MaintenanceEntry[],
  change: MaintenanceChange,
  now: number,
): readonly MaintenanceEntry[] {
  const active = activeAt(entries, now);
  const others = active.filter((entry) => !isSameSubject(entry, change));
  if (change.until === null) return others;
  if (change.until <= now) throw new Error('Maintenance must end in the future');
  if (change.until > now + maxDays * 86_400_000) {
    throw new Error(`A maintenance window lasts ${maxDays} days at most; start another one then`);
  }
  if (others.length >= maxEntries) throw new Error(`At most ${maxEntries} maintenance windows can be active at once`);
  const startedAt = active.find((entry) => isSameSubject(entry, change))?.from ?? new Date(now).toISOString();
  const entry = maintenanceEntry.safeParse({ ...change, from: startedAt, until: new Date(change.until).toISOString() });
  if (!entry.success) throw new Error(`There is no ${change.kind} “${change.id}” to be in maintenance`);
  return [...others, entry.data];
}

/** An entry with the name for tray and pages. */
export function maintenanceFromEntry(entry: MaintenanceEntry): Maintenance {
  switch (entry.kind) {
    case 'lab':
      return { ...entry, name: 'The lab' };
    case 'manager':
      return { ...entry, name: managerTitle(entry.id) };
    case 'node':
      return { ...entry, name: entry.id };
  }
}
