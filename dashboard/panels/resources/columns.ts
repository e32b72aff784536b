/** Columns of the resource list: type, amount, place and attributes. */
import { currentTime } from '../../base/clock.ts';
import { stockAppearances } from '#api/states.ts';
import { toUtcIso, formatTime } from '../../base/time.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import { getAmount, type Amount } from '../../managers/resource/amount.ts';
import { formatOwner, type OwnerNameLookup } from '../../managers/names/ownerText.ts';
import { getActiveLockHolder } from '../../managers/resource/lockHolder.ts';
import { formatContainers, type ResourceIndex } from '../../managers/resource/resourceIndex.ts';
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';
import { toBaseUnit } from '../../managers/resource/units.ts';
import { resourceTexts } from '../../managers/resource/texts.ts';
import { exportedColumns } from './import/exportedColumns.ts';
import { formatScalar } from './operations/parseInput.ts';
import { resourcesTexts } from './texts.ts';
import { formatJson, stringifyExactJson, toNumber } from '#api/exactJson.ts';

const texts = resourcesTexts.columns;
/** Maximum number of attributes with a column; in a lab with more, the most common ones have one. */
const maxAttributes = 200;

/** Returns `38 of 960` or `412 of 500 mL`; empty without an amount. */
export function formatAmountWithCapacity(amount: Amount | null): string {
  if (amount === null) return '';
  const { value, capacity, unit } = amount;
  if (capacity === null) return resourceTexts.amount(value, unit);
  return resourceTexts.ofCapacity(resourceTexts.amount(value, ''), resourceTexts.amount(capacity, unit));
}

/** Returns the units of the contents of a container: `mL, mg`. */
export const formatUnits = (units: readonly string[]): string =>
  units.map((unit) => unit || 'without a unit').join(', ');

/** Formats an attribute. JSON’s null differs from the text “null”, and a missing attribute is `missing`. */
export function formatAttribute(value: unknown, missing = ''): string {
  if (value === undefined) return missing;
  return value === '' || value === 'null' ? stringifyExactJson(value) : formatJson(value);
}

/** Returns the attribute names of the resources, the most common first. */
export function attributeNames(rows: readonly ResourceRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { attributes } of rows)
    for (const name of Object.keys(attributes)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([name]) => name);
}

// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each column
export function resourceColumns(
  index: ResourceIndex,
  attributes: readonly string[],
  parseStamp: (stamp: string) => number | null,
  getOwnerName: OwnerNameLookup = () => '',
): readonly Column<ResourceRow>[] {
  const today = currentTime();
  const timeColumn = (key: 'created' | 'updated'): Column<ResourceRow> => ({
    key,
    title: texts[key],
    value: (row) => parseStamp(row[key]),
    text: (row) => formatTime(parseStamp(row[key]), today),
    csv: (row) => toUtcIso(parseStamp(row[key]), row[key]),
    width: 6.5,
    hidden: key === 'created',
  });
  return [
    // The first column exports all fields, so that a saved list can be imported with any visible columns.
    {
      key: 'name',
      title: texts.name,
      value: ({ name }) => name,
      csvAs: exportedColumns(index),
      width: 14,
      grows: true,
    },
    {
      key: 'type',
      title: texts.type,
      value: ({ type }) => resourceTexts.type(type),
      csvAs: [],
      filter: 'choice',
      width: 8,
    },
    { key: 'class', title: texts.cls, value: ({ cls }) => cls, csvAs: [], filter: 'choice', width: 8 },
    {
      key: 'amount',
      title: texts.amount,
      value: (row) => {
        const amount = getAmount(row);
        return amount === null ? null : toBaseUnit(amount.value, amount.unit);
      },
      text: (row) => formatAmountWithCapacity(getAmount(row)),
      csvAs: [],
      width: 11,
    },
    {
      key: 'stock',
      title: 'Stock',
      value: (row) => -stockAppearances[getAmount(row)?.state ?? 'inStock'].severity,
      text: (row) => stockLabel(row),
      filter: 'choice',
      width: 6.5,
    },
    {
      key: 'in',
      title: texts.place,
      value: (row) => formatContainers(row, index),
      csvAs: [],
      width: 10,
    },
    timeColumn('updated'),
    timeColumn('created'),
    {
      key: 'owner',
      title: texts.owner,
      value: ({ owner }) => formatOwner(owner, getOwnerName),
      csv: ({ owner }) => formatOwner(owner, (field, id) => getOwnerName(field, id) || id),
      filter: 'choice',
      width: 8,
      hidden: true,
    },
    {
      key: 'template',
      title: texts.template,
      value: ({ template }) => template,
      csvAs: [],
      filter: 'choice',
      width: 8,
      hidden: true,
    },
    {
      key: 'locked',
      title: texts.locked,
      value: (row) => getActiveLockHolder(row, parseStamp(row.lockedUntil), currentTime()) ?? '',
      filter: 'choice',
      width: 8,
      hidden: true,
    },
    {
      key: 'description',
      title: texts.description,
      value: ({ description }) => description,
      csvAs: [],
      width: 12,
      hidden: true,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, csvAs: [], width: 14, hidden: true },
    ...attributes.slice(0, maxAttributes).map((name): Column<ResourceRow> => ({
      key: `attribute.${name}`,
      title: texts.attribute(name),
      value: ({ attributes: { [name]: value } }) => toNumber(value) ?? formatAttribute(value),
      text: ({ attributes: { [name]: value } }) => formatAttribute(value),
      csv: ({ attributes: { [name]: value } }) => formatScalar(value),
      width: 7,
      hidden: true,
    })),
  ];
}

function stockLabel(row: ResourceRow): string {
  const state = getAmount(row)?.state;
  return state === undefined ? 'No amount' : stockAppearances[state].label;
}
