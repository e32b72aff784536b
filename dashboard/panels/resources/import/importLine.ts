/** Executes one line of an import. */
import type { Resource } from '#api/managers/resourceTypes.ts';
import type { Premise } from '#dashboard/managers/commands/premise.ts';
import { applyEdit, isEmptyEdit, type EditableField } from '#dashboard/managers/resource/saveEdit.ts';
import type { ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { resourcePremise, type Facet } from '#dashboard/managers/resource/resourcePremise.ts';
import type { ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { NotConfirmedError } from '#dashboard/managers/commands/commandResult.ts';
import { formatNumber } from '#api/countText.ts';
import { isEqual } from '../operations/resourceActions.ts';
import { addChild } from '../operations/addChild.ts';
import type { ResourceCommands } from '../operations/useResourceOperations.ts';
import { resourcesTexts } from '../texts.ts';
import type { Difference } from './differences.ts';
import type { ImportLine } from './planImport.ts';

/**
 * Returns the premise that the fields to change still have the values in the preview. A new resource has none, because it
 * never replaces another.
 */
export function importPremise(
  reader: () => ResourceCommands,
  { change }: ImportLine,
  index: ResourceIndex,
): Premise<readonly Resource[]> {
  if (change === null) return resourcePremise(reader);
  const { row, edit, quantity, capacity } = change;
  const facets: readonly Facet[] = [
    ...(quantity === null && capacity === null ? [] : (['quantity', 'capacity'] as const)),
    ...Object.keys(edit.attributes).map((attribute) => ({ attribute })),
    ...(Object.keys(edit.fields) as EditableField[]).map((field) => ({ field: rowFields[field] })),
  ];
  return resourcePremise(reader, [{ row, index }, facets]);
}
const rowFields = {
  resource_name: 'name',
  resource_class: 'cls',
  resource_description: 'description',
} as const satisfies Record<EditableField, keyof ResourceRow>;

/**
 * @returns the result as text
 * @throws ManagerError if the manager rejects the request; Error if the container was not added, or the resource changed
 * meanwhile; NotConfirmedError if the response differs
 */
export async function importLine(
  client: ResourceCommands,
  { add, change, precedingKey }: ImportLine,
  { exists, isDone }: { readonly exists: boolean; readonly isDone: (key: string) => boolean },
): Promise<string> {
  // The database of a small lab accepts a resource whose container does not exist, without an error.
  if (precedingKey !== null && !isDone(precedingKey)) throw new Error('Its container was not added.');
  if (add !== null) return resourcesTexts.adding[await addChild(client, add.body, add.to, exists)];
  if (change !== null) await applyChange(client, change);
  return 'Updated.';
}

function assertConfirmed(actual: number | null | undefined, expected: number): void {
  if (!isEqual(actual ?? NaN, expected))
    throw new NotConfirmedError(
      resourcesTexts.operations.unexpectedResponse(actual == null ? '' : formatNumber(actual)),
    );
}

async function applyChange(client: ResourceCommands, { row, edit, quantity, capacity }: Difference): Promise<void> {
  const idParameter = { resource_id: row.id };
  if (!isEmptyEdit(edit)) await applyEdit(client, row.id, edit);
  const setCapacity = async (): Promise<void> => {
    if (capacity !== null) assertConfirmed((await client.setCapacity({ ...idParameter, capacity })).capacity, capacity);
  };
  // The manager rejects a capacity below the quantity, and a quantity above the capacity.
  const setsCapacityLast = capacity !== null && capacity < (row.quantity ?? 0);
  if (!setsCapacityLast) await setCapacity();
  if (quantity !== null) assertConfirmed((await client.setQuantity({ ...idParameter, quantity })).quantity, quantity);
  if (setsCapacityLast) await setCapacity();
}

/**
 * Returns the lines in execution order: containers before their contents, otherwise as in the file, except pushed resources:
 * they come after the others of the same depth, by their position.
 */
export function sortForExecution(lines: readonly ImportLine[]): readonly ImportLine[] {
  const byKey = new Map(lines.map((line) => [line.key, line]));
  const depths = new Map<string, number>();
  function depth(line: ImportLine): number {
    const cached = depths.get(line.key);
    if (cached !== undefined) return cached;
    const preceding = line.precedingKey === null ? undefined : byKey.get(line.precedingKey);
    const result = preceding === undefined ? 0 : depth(preceding) + 1;
    depths.set(line.key, result);
    return result;
  }
  const sortKey = ({ pushOrder }: ImportLine): number => (Number.isFinite(pushOrder) ? pushOrder : Infinity);
  const isPushed = ({ add }: ImportLine): boolean => add?.to !== null && add?.to.key === null;
  return lines.toSorted((a, b) => {
    const byDepth = depth(a) - depth(b) || Number(isPushed(a)) - Number(isPushed(b));
    if (byDepth !== 0 || !isPushed(a) || sortKey(a) === sortKey(b)) return byDepth || a.line - b.line;
    return sortKey(a) - sortKey(b);
  });
}
