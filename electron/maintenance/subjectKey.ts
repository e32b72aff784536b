/** What is in maintenance or muted, as the service's notifications name it. Pure. */
import type { MaintenanceSubject } from '../../api/lab/lab.ts';

/** `manager data`, `node robotarm_1`, `lab`. */
export function keyOf({ kind, id }: MaintenanceSubject): string {
  return kind === 'lab' ? 'lab' : `${kind} ${id}`;
}
