/** Which column of a file says what: recognised by its heading, and changed by hand where it isn't. Pure. */

/** `attribute` is one of the resource's attributes, called as the column; `attributes` is all of them as JSON. */
export const columnUses = [
  'ignore',
  'name',
  'id',
  'type',
  'class',
  'description',
  'quantity',
  'capacity',
  'parent',
  'parentId',
  'position',
  'rows',
  'columns',
  'layers',
  'template',
  'attributes',
  'attribute',
] as const;
export type ColumnUse = (typeof columnUses)[number];

/** Units of amounts as people write them beside a heading. */
const unit = '(?:[kmµμun]?(?:l|g|m|mol)|[mµμun]?m|%|pcs|pieces|units?)';
const unitAtEnd = new RegExp(`[\\s_,/]+(?:in\\s+)?${unit}$`, 'i');

/** `Volume (µl)`, `volume [uL]`, `Volume_ul` and `Volume in µl` are `Volume`. */
function withoutUnit(heading: string): string {
  const bare = heading.replace(/\s*[([][^)\]]*[)\]]\s*$/, '').trim();
  const rest = bare.replace(unitAtEnd, '').trim();
  return rest === '' ? bare : rest;
}

/** The unit that a heading names: `µl` of `Volume (µl)` and `Volume in µl`; `null` where it names none. */
export function unitOf(heading: string): string | null {
  const inBrackets = /[([]\s*([^)\]]*?)\s*[)\]]\s*$/.exec(heading)?.[1];
  if (inBrackets !== undefined) return inBrackets === '' || /^attribute$/i.test(inBrackets) ? null : inBrackets;
  const atEnd = unitAtEnd.exec(heading.trim())?.[0];
  return atEnd?.replace(/^[\s_,/]+(?:in\s+)?/i, '') ?? null;
}

/** Whether both mean one unit: `uL` is `µl`. Molar and metre differ from their capitals. */
export const isSameUnit = (a: string, b: string): boolean => plainUnit(a) === plainUnit(b);
const plainUnit = (keywords: string): string => keywords.trim().replace(/^[µμ]/, 'u').replace(/L$/, 'l');

const plain = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Headings that say so, without signs and capitals. The first of each is the list's own, in its export. */
const known: Readonly<Record<Exclude<ColumnUse, 'ignore' | 'attribute'>, readonly string[]>> = {
  name: ['name', 'resourcename', 'resource', 'label', 'sample', 'sampleid', 'samplename'],
  id: ['id', 'resourceid', 'ulid'],
  type: ['type', 'basetype', 'kind'],
  class: ['class', 'resourceclass'],
  description: ['description', 'resourcedescription', 'note', 'notes', 'comment'],
  quantity: ['quantity', 'amount', 'volume', 'count', 'qty'],
  capacity: ['capacity', 'max', 'maximum'],
  parent: ['in', 'parent', 'container', 'plate', 'rack', 'parentname', 'location'],
  parentId: ['parentid', 'containerid'],
  position: ['position', 'well', 'key', 'slot', 'place'],
  rows: ['rows'],
  columns: ['columns', 'cols'],
  layers: ['layers'],
  template: ['template', 'templatename'],
  attributes: ['attributes'],
};
/** What the list says and the manager decides: not for import, though it may stand in a file of the list. */
const decided: ReadonlySet<string> = new Set(['stock', 'children', 'updated', 'created', 'owner', 'lockedby']);

/** Name of the attribute that a column holds: `lot (attribute)`, `attributes.lot` and `lot` are `lot`. */
export function attributeName(heading: string): string {
  return heading
    .replace(/\s*\(attribute\)\s*$/i, '')
    .replace(/^attributes?\./i, '')
    .trim();
}

/** The lab's own name of the attribute that the heading means, whatever its capitals and its unit. */
function knownAttribute(heading: string, attributes: readonly string[]): string | null {
  const trimmed = heading.trim();
  if (attributes.includes(trimmed)) return trimmed;
  const [whole, bare] = [plain(trimmed), plain(withoutUnit(heading))];
  if (whole === '') return null;
  return attributes.find((name) => plain(name) === whole || (bare !== '' && plain(name) === bare)) ?? null;
}

/** The heading, or the name by which the lab knows its attribute: the column fills that one, not another beside it. */
export function labHeadings(headings: readonly string[], attributes: readonly string[]): readonly string[] {
  return headings.map((heading) => knownAttribute(heading, attributes) ?? heading);
}

/** Columns with content that would be left out, without those that the list's own export has for people. */
export function unusedColumns(
  headings: readonly string[],
  uses: readonly ColumnUse[],
  hasContent: (at: number) => boolean,
): readonly string[] {
  return headings.filter(
    (heading, at) => (uses[at] ?? 'ignore') === 'ignore' && !decided.has(plain(heading)) && hasContent(at),
  );
}

/**
 * A use is given once, to the first column that asks for it; what nobody knows is ignored until somebody says what it is.
 * @param attributes names that resources of the lab have already
 */
export function recognise(headings: readonly string[], attributes: readonly string[] = []): readonly ColumnUse[] {
  const used = new Set<ColumnUse>();
  return headings.map((heading) => {
    if (/\(attribute\)\s*$/i.test(heading) || /^attributes?\./i.test(heading))
      return attributeName(heading) === '' ? 'ignore' : 'attribute';
    if (decided.has(plain(heading))) return 'ignore';
    const requested = [plain(heading), plain(withoutUnit(heading))];
    if (attributes.includes(heading.trim())) return 'attribute';
    const found = Object.entries(known).find(
      ([use, keywords]) => requested.some((word) => keywords.includes(word)) && !used.has(use as ColumnUse),
    );
    if (found === undefined && knownAttribute(heading, attributes) !== null) return 'attribute';
    if (found === undefined) return 'ignore';
    used.add(found[0] as ColumnUse);
    return found[0] as ColumnUse;
  });
}

/** Uses that two columns have, which only one can; attributes by their names. */
export function usedTwice(headings: readonly string[], uses: readonly ColumnUse[]): readonly ColumnUse[] {
  const twice = uses.filter((use, at) => use !== 'ignore' && use !== 'attribute' && uses.indexOf(use) !== at);
  const names = headings.flatMap((heading, at) => (uses[at] === 'attribute' ? [attributeName(heading)] : []));
  return [...new Set<ColumnUse>([...twice, ...(new Set(names).size < names.length ? ['attribute' as const] : [])])];
}
