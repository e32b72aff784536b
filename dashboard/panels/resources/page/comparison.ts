/** A resource as it was beside what it is now, field by field. Pure. */
import type { ResourceVersion } from '../../../../api/managers/resourceTypes.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { isConsumable } from '../../../managers/resource/amount.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { attributeText } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';

const texts = resourcesTexts.history;
const columns = resourcesTexts.columns;

interface ComparedField {
  readonly key: string;
  readonly title: string;
  readonly before: string;
  readonly now: string;
  readonly differs: boolean;
}

const shown = (value: unknown): string => attributeText(value) || texts.nothing;

function field(key: string, title: string, then: unknown, now: unknown): ComparedField {
  const [before, after] = [shown(then), shown(now)];
  return { key, title, before, now: after, differs: before !== after && !sameJson(then, now) };
}

/**
 * Fields that say something then or now. The manager's history keeps no amount of a container that could be compared, and who
 * is in it only where it was removed.
 * @param nameOf what a parent is called
 */
export function compare(then: ResourceVersion, now: ResourceRow, nameOf: (id: string) => string): ComparedField[] {
  const place = (parentId: string | null | undefined): string =>
    parentId === null || parentId === undefined ? texts.nowhere : nameOf(parentId);
  const amounts = isConsumable(now)
    ? [field('quantity', resourcesTexts.operations.amountField, then.quantity, now.quantity)]
    : [];
  const attributes = then.attributes ?? {};
  const names = [...new Set([...Object.keys(attributes), ...Object.keys(now.attributes)])].toSorted();
  const all = [
    field('name', columns.name, then.resource_name, now.name),
    field('type', columns.type, resourceTexts.type(then.base_type), resourceTexts.type(now.type)),
    field('class', columns.cls, then.resource_class, now.cls),
    field('description', columns.description, then.resource_description, now.description),
    ...amounts,
    field('capacity', resourcesTexts.operations.capacityField, then.capacity, now.capacity),
    field('in', columns.place, place(then.parent_id), place(now.parentId)),
    field('key', resourcesTexts.operations.key, then.key, now.key),
    field('locked', columns.locked, then.locked_by, now.lockedBy),
    field('template', columns.template, then.template_name, now.template),
    ...names.map((name) => field(`attribute.${name}`, columns.attribute(name), attributes[name], now.attributes[name])),
  ];
  return all.filter((one) => one.before !== texts.nothing || one.now !== texts.nothing);
}
