/** Differences between a line and the stored resource; empty cells are ignored. */
import { exactText } from '#api/exactJson.ts';
import { sameJson } from '#api/sameJson.ts';
import { getAmount, isConsumable } from '#dashboard/managers/resource/amount.ts';
import type { Edit, EditableField } from '#dashboard/managers/resource/saveEdit.ts';
import { unitKey, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { describeAmountEffects, formatScalar } from '../operations/parseInput.ts';
import type { FileLine } from './fileLine.ts';
import { isSameUnit } from '#dashboard/managers/resource/units.ts';
import { importTexts } from './texts.ts';

const texts = importTexts;

export interface Difference {
  readonly row: ResourceRow;
  readonly edit: Edit;
  /** The new quantity; `null` if unchanged. */
  readonly quantity: number | null;
  /** The new capacity; `null` if unchanged. */
  readonly capacity: number | null;
  readonly parts: readonly string[];
  readonly problem: string | null;
}

/** Returns the difference between a line and the stored resource; `null` if there is none. */
export function compareWithStored(line: FileLine, row: ResourceRow): Difference | null {
  const parts: string[] = [];
  const fields: Partial<Record<EditableField, string>> = {};
  const formatValue = (text: string): string => text || texts.nothingSet;
  function compareField(name: EditableField, title: string, fileValue: string | null, stored: string): void {
    if (fileValue === null || fileValue === stored) return;
    fields[name] = fileValue;
    parts.push(texts.differs(title, formatValue(stored), fileValue));
  }
  if (line.id !== null) compareField('resource_name', texts.uses.name, line.name, row.name);
  compareField('resource_class', texts.uses.class, line.cls, row.cls);
  compareField('resource_description', texts.uses.description, line.description, row.description);
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(line.attributes)) {
    const attribute = row.attributes[name];
    const stored = attribute === undefined && name === unitKey ? row.unit || undefined : attribute;
    // The export contains an identifier that is a number as a text without quotes.
    if (
      (stored !== undefined && sameJson(stored, value)) ||
      (exactText(stored) !== null && formatScalar(stored) === value)
    )
      continue;
    attributes[name] = value;
    // Distinguishes the text "7" from the number 7.
    parts.push(texts.differs(name, formatValue(formatScalar(stored)), formatValue(formatScalar(value))));
  }
  function compareAmount(title: string, fileValue: number | null, stored: number | null): number | null {
    if (fileValue === null || fileValue === stored) return null;
    parts.push(texts.differs(title, stored === null ? texts.nothingSet : String(stored), String(fileValue)));
    return fileValue;
  }
  const quantity = compareAmount(texts.uses.quantity, line.quantity, isConsumable(row) ? row.quantity : null);
  const capacity = compareAmount(texts.uses.capacity, line.capacity, row.capacity);
  if (parts.length === 0) return null;
  if (quantity === null) parts.push(...describeAmountEffects(attributes, [row]));
  const changesAmount = quantity !== null || capacity !== null;
  if (changesAmount && line.unit !== null && getAmount(row)?.unit === '')
    parts.push(`The unit “${line.unit}” is not stored: the resource has none.`);
  return {
    row,
    edit: { fields, attributes },
    quantity,
    capacity,
    parts,
    problem: findProblem(row, quantity, capacity, line.unit),
  };
}

function findProblem(
  row: ResourceRow,
  quantity: number | null,
  capacity: number | null,
  unit: string | null,
): string | null {
  if (quantity !== null && !isConsumable(row)) return texts.problems.noQuantity(row.type);
  // The stored unit is kept: an amount in another unit could be wrong by a factor of 1,000.
  const currentUnit = getAmount(row)?.unit ?? '';
  if ((quantity !== null || capacity !== null) && unit !== null && currentUnit !== '' && !isSameUnit(currentUnit, unit))
    return texts.problems.otherUnit(unit, currentUnit);
  if (row.type === 'discrete_consumable' && ![quantity ?? 0, capacity ?? 0].every(Number.isInteger))
    return texts.problems.whole;
  const [amountNow, capacityNow] = [quantity ?? row.quantity ?? 0, capacity ?? row.capacity];
  return capacityNow !== null && amountNow > capacityNow ? texts.problems.overCapacity : null;
}
