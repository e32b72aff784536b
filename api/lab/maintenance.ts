/** What is in maintenance: by one of its own, or by that of the whole lab. Pure. */
import type { MaintenanceSubject, Maintenance } from './lab.ts';

/** The maintenance that something is in now, the longest of several; `null` where it is in none. */
export function maintenanceOf(
  all: readonly Maintenance[] | undefined,
  kind: MaintenanceSubject['kind'],
  id: string,
): Maintenance | null {
  const own = (all ?? []).filter((each) => each.kind === 'lab' || (each.kind === kind && each.id === id));
  return own.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0] ?? null;
}

/** What is in maintenance or muted, as the service's notifications name it: `manager data`, `node robotarm_1`, `lab`. */
export function subjectKey({ kind, id }: MaintenanceSubject): string {
  return kind === 'lab' ? 'lab' : `${kind} ${id}`;
}

/** The managers that count: those that nobody works on. */
export function outsideMaintenance<Manager extends { readonly manager: string }>(
  managers: readonly Manager[],
  all: readonly Maintenance[] | undefined,
): Manager[] {
  return managers.filter(({ manager }) => maintenanceOf(all, 'manager', manager) === null);
}
