/** Who holds a resource: MADSci leaves the name of a lock that has ended in place. Pure. */
import type { ResourceRow } from './resourceRow.ts';

/** `null` where nobody does, or no longer. `until` in ms since the epoch; a lock whose end nobody knows counts. Pure. */
export function holderOf(
  { lockedBy }: Pick<ResourceRow, 'lockedBy'>,
  until: number | null,
  now: number,
): string | null {
  return lockedBy !== null && (until === null || until > now) ? lockedBy : null;
}
