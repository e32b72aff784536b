/** Parses a line of a file into typed fields; reports invalid cells. */
import { isObject } from '#api/client/wire.ts';
import { baseTypes } from '#api/managers/resourceTypes.ts';
import { readJson, readScalar } from '#dashboard/components/form/jsonText.ts';
import { readNumber } from '#dashboard/components/form/numberText.ts';
import type { CsvRecord } from '#dashboard/components/csv/readCsv.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { isUlid } from '#dashboard/base/objectPages.ts';
import { isSameUnit } from '#dashboard/managers/resource/units.ts';
import { toAttributeName, isIdentifier, extractHeadingUnit, type ColumnUse } from './mapping.ts';
import { importTexts } from './texts.ts';
import { exactText, stringifyExactJson } from '#api/exactJson.ts';

const texts = importTexts.problems;

/** A line with typed fields; `null` for an empty cell, which keeps the stored value. */
export interface FileLine {
  readonly number: number;
  readonly id: string | null;
  readonly name: string;
  readonly type: string | null;
  readonly cls: string | null;
  readonly description: string | null;
  readonly quantity: number | null;
  /** Of the quantity and the capacity, from the heading of either column. */
  readonly unit: string | null;
  readonly capacity: number | null;
  readonly rows: number | null;
  readonly columns: number | null;
  readonly layers: number | null;
  /** Name or path of its container. */
  readonly parent: string | null;
  readonly parentId: string | null;
  readonly position: string | null;
  readonly template: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/** Returns the base type for its name in MADSci or on the page; `null` if there is none. */
export function readType(text: string): string | null {
  const typeName = text.toLowerCase().replace(/[^a-z]/g, '');
  return (
    baseTypes.find((type) => [type, resourceTexts.type(type)].some((name) => lettersOnly(name) === typeName)) ?? null
  );
}
const lettersOnly = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

export function readLine(
  { number, cells }: CsvRecord,
  headings: readonly string[],
  uses: readonly ColumnUse[],
  { problem, separator }: { readonly problem: string | undefined; readonly separator: string },
): FileLine {
  const problems: string[] = problem === undefined ? [] : [problem];
  const cellText = (use: ColumnUse): string | null => cells[uses.indexOf(use)]?.trim() || null;
  const readAmount = (use: ColumnUse, isWhole: boolean): number | null => {
    const text = cellText(use);
    if (text === null) return null;
    const normalized = normalizeDecimal(text, separator);
    if ('fraction' in normalized) {
      problems.push(describeAmbiguity(importTexts.uses[use], text, normalized));
      return null;
    }
    const parsed = readNumber(normalized.plain);
    if (parsed.ok && parsed.value >= 0 && (!isWhole || Number.isInteger(parsed.value))) return parsed.value;
    problems.push(describeAmountProblem(importTexts.uses[use], text, isWhole, parsed.ok ? null : parsed.problem));
    return null;
  };
  const [id, typeText, parentId] = [cellText('id'), cellText('type'), cellText('parentId')];
  for (const text of [id, parentId])
    if (text !== null && !isUlid(text)) problems.push(`“${text}” is not an ID: an ID has 26 letters and digits.`);
  const type = typeText === null ? null : readType(typeText);
  if (typeText !== null && type === null) problems.push(`“${typeText}” is not a type of resource.`);
  const name = cellText('name') ?? '';
  if (name === '') problems.push('It has no name.');
  const unitOfColumn = (use: ColumnUse): string | null =>
    cellText(use) === null ? null : extractHeadingUnit(headings[uses.indexOf(use)] ?? '');
  const [unit, capacityUnit] = [unitOfColumn('quantity'), unitOfColumn('capacity')];
  problems.push(...findUnitProblem(unit, capacityUnit));
  const attributes = readAttributes(cellText('attributes'), problems);
  for (const [column, use] of uses.entries()) {
    const attributeName = toAttributeName(headings[column] ?? '');
    const text = cells[column] ?? '';
    if (use === 'attribute' && text !== '')
      attributes[attributeName] = readAttribute(attributeName, text, separator, problems);
  }
  return {
    number,
    id,
    name,
    type,
    cls: cellText('class'),
    description: cellText('description'),
    quantity: readAmount('quantity', false),
    unit: unit ?? capacityUnit,
    capacity: readAmount('capacity', false),
    rows: readAmount('rows', true),
    columns: readAmount('columns', true),
    layers: readAmount('layers', true),
    parent: cellText('parent'),
    parentId,
    position: cellText('position'),
    template: cellText('template'),
    attributes,
    problems,
  };
}

function describeAmbiguity(field: string, text: string, readings: { fraction: string; whole: string }): string {
  return `${field}: “${text}” can be a fraction or thousands. Write ${readings.fraction} for the fraction, ${readings.whole} for the whole number.`;
}

/** A resource has one unit: a quantity in µl with a capacity in ml would be wrong by a factor of 1,000. */
function findUnitProblem(unit: string | null, capacityUnit: string | null): string[] {
  if (unit === null || capacityUnit === null || isSameUnit(unit, capacityUnit)) return [];
  return [
    `The quantity is in ${unit}, the capacity in ${capacityUnit}. Convert one of the columns, and name the same unit in both headings.`,
  ];
}

function describeAmountProblem(field: string, text: string, isWhole: boolean, problem: string | null): string {
  if (problem !== null && /^\d+$/.test(text)) return `${field}: ${text} has too many digits to be stored exactly.`;
  // Numbers that a manager would store as 0.
  const isZero = Number(text.replace(',', '.')) === 0;
  return problem !== null && isZero ? texts.attribute(field, problem) : texts.number(field, text, isWhole);
}

/**
 * Returns the thousands separator for this cell separator; spreadsheets that separate cells with semicolons use a decimal
 * comma.
 */
const thousandsSeparator = (separator: string): string => (separator === ';' ? '.' : ',');

/** Converts to the format of `readNumber`; an ambiguous text (decimal or thousands separator) returns both readings. */
function normalizeDecimal(
  text: string,
  separator: string,
): { readonly plain: string } | { readonly fraction: string; readonly whole: string } {
  const [, sign, mark = ''] = /^([+\-−]?)\d+([.,])\d+$/.exec(text) ?? [];
  if (sign === undefined) return { plain: text };
  // 0.125 and 1234.567 can't contain thousands separators.
  if (mark === thousandsSeparator(separator) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text.slice(sign.length)))
    return { fraction: text.replace(mark, mark === '.' ? ',' : '.'), whole: text.replace(mark, '') };
  return { plain: text.replace(',', '.') };
}

/** Parses an attribute: a decimal comma is accepted in files with semicolons; an ambiguous text stays text. */
function readAttribute(name: string, text: string, separator: string, problems: string[]): unknown {
  const normalized = /^-?\d+[.,]\d+$/.test(text) ? normalizeDecimal(text, separator) : { plain: text };
  if (!('plain' in normalized) || (separator !== ';' && text !== normalized.plain)) return text;
  const result = readScalar(normalized.plain);
  if (isIdentifier(name) && (!result.ok || exactText(result.value) !== null)) return text;
  if (!result.ok) problems.push(texts.attribute(name, result.problem));
  return !result.ok || result.value === normalized.plain ? text : result.value;
}

function readAttributes(text: string | null, problems: string[]): Record<string, unknown> {
  if (text === null) return {};
  const result = readJson(text);
  if (result.ok && isObject(result.value)) return { ...result.value };
  problems.push(
    result.ok
      ? 'Attributes are a JSON object: { "name": value }.'
      : texts.attribute(importTexts.uses.attributes, result.problem),
  );
  return {};
}

// 128-bit FNV-1a in the alphabet of a ULID: the browser's hash functions are available only over HTTPS.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const mask = (1n << 128n) - 1n;
const prime = (1n << 88n) + 0x13bn;
const offset = 0x6c62272e07bb014262b821756295c58dn;
const idLength = 26;

/** Returns an ID derived from the parts, so that importing a line again finds the resource of the first import. */
export function deriveId(parts: readonly string[]): string {
  let hash = offset;
  for (const byte of new TextEncoder().encode(stringifyExactJson(parts))) hash = ((hash ^ BigInt(byte)) * prime) & mask;
  return Array.from(
    { length: idLength },
    (_letter, position) => alphabet[Number((hash >> BigInt(5 * (idLength - 1 - position))) & 31n)],
  ).join('');
}
