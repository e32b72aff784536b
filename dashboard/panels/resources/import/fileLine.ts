/** A line of a file as what it says of a resource, each cell by what it is; what can't be is said. Pure. */
import { isObject } from '../../../../api/client/wire.ts';
import { baseTypes } from '../../../../api/managers/resourceTypes.ts';
import { readNumber } from '../../../components/form/numberText.ts';
import type { CsvRecord } from '../../../components/csv/readCsv.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { looseValue } from '../operations/looseValue.ts';
import { isUlid } from './derivedId.ts';
import { attributeName, type ColumnUse } from './mapping.ts';
import { importTexts } from './texts.ts';

const texts = importTexts.problems;

/** An empty cell says nothing: `null`, and what the lab has stays. */
export interface FileLine {
  readonly number: number;
  readonly id: string | null;
  readonly name: string;
  readonly type: string | null;
  readonly cls: string | null;
  readonly description: string | null;
  readonly quantity: number | null;
  readonly capacity: number | null;
  readonly rows: number | null;
  readonly columns: number | null;
  readonly layers: number | null;
  /** Name or path of what it is in. */
  readonly parent: string | null;
  readonly parentId: string | null;
  readonly position: string | null;
  readonly template: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/** A base type as the manager or as the page calls it. */
export function readType(text: string): string | null {
  const wanted = text.toLowerCase().replace(/[^a-z]/g, '');
  return baseTypes.find((type) => [type, resourceTexts.type(type)].some((name) => bare(name) === wanted)) ?? null;
}
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

export function readLine(
  { number, cells }: CsvRecord,
  headings: readonly string[],
  uses: readonly ColumnUse[],
  { problem, separator }: { readonly problem: string | undefined; readonly separator: string },
): FileLine {
  const problems: string[] = problem === undefined ? [] : [problem];
  const cell = (use: ColumnUse): string | null => cells[uses.indexOf(use)]?.trim() || null;
  const amount = (use: ColumnUse, isWhole: boolean): number | null => {
    const text = cell(use);
    if (text === null) return null;
    const plain = withPoint(text, separator);
    if (plain === null) {
      problems.push(texts.decimal(importTexts.uses[use], text));
      return null;
    }
    const read = readNumber(plain);
    if (!read.ok) problems.push(texts.number(importTexts.uses[use], text));
    else if (Number(read.value) < 0 || (isWhole && !Number.isInteger(read.value)))
      problems.push(texts.number(importTexts.uses[use], text));
    else return Number(read.value);
    return null;
  };
  const [id, typeText, parentId] = [cell('id'), cell('type'), cell('parentId')];
  for (const one of [id, parentId]) if (one !== null && !isUlid(one)) problems.push(texts.id(one));
  const type = typeText === null ? null : readType(typeText);
  if (typeText !== null && type === null) problems.push(texts.type(typeText));
  const name = cell('name') ?? '';
  if (name === '') problems.push(texts.noName);
  const attributes = readAttributes(cell('attributes'), problems);
  for (const [at, use] of uses.entries()) {
    const text = cells[at] ?? '';
    if (use === 'attribute' && text !== '') attributes[attributeName(headings[at] ?? '')] = looseValue(text);
  }
  return {
    number,
    id,
    name,
    type,
    cls: cell('class'),
    description: cell('description'),
    quantity: amount('quantity', false),
    capacity: amount('capacity', false),
    rows: amount('rows', true),
    columns: amount('columns', true),
    layers: amount('layers', true),
    parent: cell('parent'),
    parentId,
    position: cell('position'),
    template: cell('template'),
    attributes,
    problems,
  };
}

/**
 * A fraction with a comma, as spreadsheets write it where cells are parted by semicolons; elsewhere three digits after it may be
 * thousands. `null` for what can mean two things.
 */
function withPoint(text: string, separator: string): string | null {
  const match = /^([+\-−]?\d+),(\d+)$/.exec(text);
  if (match === null) return text;
  const [, whole = '', rest = ''] = match;
  return separator !== ';' && rest.length === 3 ? null : `${whole}.${rest}`;
}

function readAttributes(text: string | null, problems: string[]): Record<string, unknown> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ...value };
  } catch {
    // Said below, as for any other text that is no object.
  }
  problems.push(texts.attributes);
  return {};
}
