/** Maps the columns of a file to fields by their headings; the mapping is editable. */
import { importTexts } from './texts.ts';

/** `attribute` is one of the resource's attributes, named like the column; `attributes` is all of them as JSON. */
export type ColumnUse = keyof typeof importTexts.uses;
export const columnUses = Object.keys(importTexts.uses) as ColumnUse[];

/** Units of amounts in headings. */
const unit = '(?:[kmµμun]?(?:l|g|m|mol)|[mµμun]?m|%|pcs|pieces|units?)';
const unitAtEnd = new RegExp(`[\\s_,/]+(?:in\\s+)?${unit}$`, 'i');

/** Returns `Volume` for `Volume (µl)`, `volume [uL]`, `Volume_ul` and `Volume in µl`, in the case of the heading. */
function stripUnit(heading: string): string {
  const headingWithoutBrackets = heading.replace(/\s*[([][^)\]]*[)\]]\s*$/, '').trim();
  const headingWithoutUnit = headingWithoutBrackets.replace(unitAtEnd, '').trim();
  return headingWithoutUnit === '' ? headingWithoutBrackets : headingWithoutUnit;
}

/** Returns the unit in a heading: `µl` in `Volume (µl)` and `Volume in µl`; `null` if there is none. */
export function extractHeadingUnit(heading: string): string | null {
  const inBrackets = /[([]\s*([^)\]]*?)\s*[)\]]\s*$/.exec(heading)?.[1];
  if (inBrackets !== undefined) return inBrackets === '' || /^attribute$/i.test(inBrackets) ? null : inBrackets;
  const atEnd = unitAtEnd.exec(heading.trim())?.[0];
  return atEnd?.replace(/^[\s_,/]+(?:in\s+)?/i, '') ?? null;
}

const normalizeHeading = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]/g, '');

const listHeadings = (headings: string): readonly string[] => headings.split(',').map(normalizeHeading);

/** The recognised headings. The first of each is the heading in the list's export. */
const recognizedHeadings: Readonly<Record<Exclude<ColumnUse, 'ignore' | 'attribute'>, readonly string[]>> = {
  name: listHeadings(
    'name, resource name, resource, label, sample, sample id, sample name, item, item name, article, product, ' +
      'product name, material, reagent',
  ),
  id: listHeadings('id, resource id, ulid'),
  type: listHeadings('type, base type, kind'),
  class: listHeadings('class, resource class'),
  description: listHeadings('description, resource description, note, notes, comment, remark, remarks'),
  quantity: listHeadings('quantity, amount, volume, count, qty'),
  capacity: listHeadings('capacity, max, maximum'),
  parent: listHeadings(
    'in, parent, container, plate, rack, parent name, location, storage, storage location, shelf, box',
  ),
  parentId: listHeadings('parent id, container id'),
  position: listHeadings('position, well, key, slot, place'),
  rows: listHeadings('rows'),
  columns: listHeadings('columns, cols'),
  layers: listHeadings('layers'),
  template: listHeadings('template, template name'),
  attributes: listHeadings('attributes'),
};
/**
 * Headings that are common in delivery notes and stock lists and have no field of their own. They become attributes,
 * even in a new lab.
 */
const identifierAttributes = listHeadings(
  'lot, lot no, lot number, batch, batch no, batch number, serial number, barcode, art nr, art no, article no, ' +
    'article number, cat no, catalog no, catalog number, cas number',
);
const commonAttributes: ReadonlySet<string> = new Set([
  ...identifierAttributes,
  ...listHeadings('unit, expiry, expiry date, expiration date, expires, supplier, manufacturer, vendor'),
]);
/** Columns of the list's export whose values the manager sets: ignored by the import. */
const managerColumns: ReadonlySet<string> = new Set(
  listHeadings('stock, children, updated, created, owner, locked by'),
);

/** Returns the attribute name of a column: `lot` for the headings `lot (attribute)`, `attributes.lot` and `lot`. */
export function toAttributeName(heading: string): string {
  return heading
    .replace(/\s*\(attribute\)\s*$/i, '')
    .replace(/^attributes?\./i, '')
    .trim();
}

/** Returns whether an attribute contains identifiers, such as lot `1.10`, of which no character may change. */
export const isIdentifier = (name: string): boolean => identifierAttributes.includes(normalizeHeading(name));

/** Returns the existing attribute that matches the heading, ignoring case and unit. */
function matchAttribute(heading: string, attributes: readonly string[]): string | null {
  const trimmed = heading.trim();
  if (attributes.includes(trimmed)) return trimmed;
  const [wholeHeading, headingWithoutUnit] = [normalizeHeading(trimmed), normalizeHeading(stripUnit(heading))];
  if (wholeHeading === '') return null;
  return (
    attributes.find(
      (name) =>
        normalizeHeading(name) === wholeHeading ||
        (headingWithoutUnit !== '' && normalizeHeading(name) === headingWithoutUnit),
    ) ?? null
  );
}

/** Returns the headings with the names of existing attributes, so that a column does not create a similar attribute. */
export function normalizeHeadings(headings: readonly string[], attributes: readonly string[]): readonly string[] {
  return headings.map((heading) => matchAttribute(heading, attributes) ?? heading);
}

/** Returns the headings of ignored columns with content, without the read-only columns of the list's export. */
export function findUnusedColumns(
  headings: readonly string[],
  uses: readonly ColumnUse[],
  hasContent: (column: number) => boolean,
): readonly string[] {
  return headings.filter(
    (heading, column) =>
      (uses[column] ?? 'ignore') === 'ignore' && !managerColumns.has(normalizeHeading(heading)) && hasContent(column),
  );
}

/**
 * Assigns each use to the first matching column; unrecognised columns are ignored until the user assigns a use.
 * @param attributes names of existing attributes
 */
export function recognizeColumns(
  headings: readonly string[],
  attributes: readonly string[] = [],
): readonly ColumnUse[] {
  const used = new Set<ColumnUse>();
  return headings.map((heading) => {
    if (/\(attribute\)\s*$/i.test(heading) || /^attributes?\./i.test(heading))
      return toAttributeName(heading) === '' ? 'ignore' : 'attribute';
    if (managerColumns.has(normalizeHeading(heading))) return 'ignore';
    const candidates = [normalizeHeading(heading), normalizeHeading(stripUnit(heading))];
    if (attributes.includes(heading.trim())) return 'attribute';
    const match = Object.entries(recognizedHeadings).find(
      ([use, keywords]) => candidates.some((word) => keywords.includes(word)) && !used.has(use as ColumnUse),
    );
    if (match === undefined)
      return matchAttribute(heading, attributes) !== null || commonAttributes.has(normalizeHeading(heading))
        ? 'attribute'
        : 'ignore';
    used.add(match[0] as ColumnUse);
    return match[0] as ColumnUse;
  });
}

/** Returns the uses that two columns have although only one can; attribute columns must differ in name. */
export function findDuplicateUses(headings: readonly string[], uses: readonly ColumnUse[]): readonly ColumnUse[] {
  const duplicates = uses.filter(
    (use, column) => use !== 'ignore' && use !== 'attribute' && uses.indexOf(use) !== column,
  );
  const names = headings.flatMap((heading, column) => (uses[column] === 'attribute' ? [toAttributeName(heading)] : []));
  return [
    ...new Set<ColumnUse>([...duplicates, ...(new Set(names).size < names.length ? ['attribute' as const] : [])]),
  ];
}
