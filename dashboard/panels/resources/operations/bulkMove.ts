/**
 * Checks whether several resources can be moved into a container together, before the manager rejects or replaces one.
 */
import { isKeyed, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { countFreePlaces, pushCollides } from '#dashboard/managers/resource/operations.ts';
import type { ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { resourcesTexts } from '../texts.ts';
import { bulkTexts as texts } from '../batch/texts.ts';

/**
 * Returns the problem, or `null` if all fit. In a keyed container each resource gets its name as key and never replaces
 * another.
 */
export function findMoveProblem(
  container: ResourceRow,
  rows: readonly ResourceRow[],
  index: ResourceIndex,
): string | null {
  const children = index.getChildren(container);
  if (pushCollides(container, children)) return resourcesTexts.operations.pushCollides;
  const rowsToMove = rows.filter((row) => row.parentId !== container.id);
  if (rowsToMove.length === 0) return 'They are in it already.';
  if (container.type === 'pool' && rowsToMove.some(({ type }) => !type.endsWith('consumable')))
    return 'A pool accepts only consumables.';
  if (isKeyed(container)) {
    const keys = new Set(children.map(({ key }) => key));
    const duplicate = rowsToMove.find(
      ({ name }, position) =>
        keys.has(name) || rowsToMove.findIndex((candidate) => candidate.name === name) !== position,
    );
    if (duplicate !== undefined) return `There would be two with the key “${duplicate.name}”.`;
  }
  const freeCount = countFreePlaces(container, children.length);
  return rowsToMove.length > freeCount ? texts.room(freeCount) : null;
}
