/** What is in maintenance, and until when. Pure. */
import * as z from 'zod';
import type { MaintenanceSubject, Maintenance } from '../../api/lab/lab.ts';
import { managerKeys, managerTitle } from '../../api/managers.ts';

const stamp = z.iso.datetime();
const times = { from: stamp, until: stamp };

/** One thing in maintenance, as the file has it. */
export const maintenanceEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lab'), id: z.literal('lab'), ...times }),
  z.object({ kind: z.literal('manager'), id: z.enum(managerKeys), ...times }),
  z.object({ kind: z.literal('node'), id: z.string().min(1).max(200), ...times }),
]);
export type MaintenanceEntry = z.infer<typeof maintenanceEntry>;

/** A maintenance begins, is prolonged, or ends: `until` in ms since the epoch, `null` ends it. */
export type MaintenanceChange = Readonly<MaintenanceSubject> & { readonly until: number | null };

/** A maintenance that somebody forgot ends by itself, in days. */
const longestDays = 30;
export const maxEntries = 200;

const isSame = (a: MaintenanceSubject, b: MaintenanceSubject) => a.kind === b.kind && a.id === b.id;

/** Those that go on at `now` (ms since the epoch), first the one that ends first. A clock that was set back ends none. */
export function activeAt(entries: readonly MaintenanceEntry[], now: number): readonly MaintenanceEntry[] {
  return entries.filter(({ until }) => now < Date.parse(until)).toSorted((a, b) => a.until.localeCompare(b.until));
}

/**
 * The entries that go on after a change. One that is prolonged keeps when it began.
 * @throws Error in words when the time is over or too long, or when there are too many
 */
export function changed(
  entries: readonly MaintenanceEntry[],
  change: MaintenanceChange,
  now: number,
): readonly MaintenanceEntry[] {
  const active = activeAt(entries, now);
  const others = active.filter((entry) => !isSame(entry, change));
  if (change.until === null) return others;
  if (change.until <= now) throw new Error('A maintenance must end after now');
  if (change.until > now + longestDays * 86_400_000) {
    throw new Error(`A maintenance lasts ${longestDays} days at most; begin another one then`);
  }
  if (others.length >= maxEntries) throw new Error(`At most ${maxEntries} things can be in maintenance at once`);
  const began = active.find((entry) => isSame(entry, change))?.from ?? new Date(now).toISOString();
  const entry = maintenanceEntry.safeParse({ ...change, from: began, until: new Date(change.until).toISOString() });
  if (!entry.success) throw new Error(`There is no ${change.kind} “${change.id}” to be in maintenance`);
  return [...others, entry.data];
}

/** An entry as tray and pages name it. */
export function named(entry: MaintenanceEntry): Maintenance {
  switch (entry.kind) {
    case 'lab':
      return { ...entry, name: 'The lab' };
    case 'manager':
      return { ...entry, name: managerTitle(entry.id) };
    case 'node':
      return { ...entry, name: entry.id };
  }
}
