/** Reads a condition of a step as the manager does: its type, its keys, and the type of each value. Source: MADSci 0.8.1. */
import { stringifyExactJson, toNumber } from '#api/exactJson.ts';
import type { JsonObject } from '#api/client/wire.ts';
import { findNearestName } from '#api/nearestName.ts';
import { conditionKeys, operators, type KeySet } from './keys.ts';
import type { Path, Severity } from './source.ts';
import { definitionTexts } from './texts.ts';

const texts = definitionTexts.structure;

/** The part of the definition reader that conditions need. */
interface ConditionReader {
  report(severity: Severity, path: Path, message: string, part?: 'key'): void;
  readKeys(object: JsonObject, keys: KeySet, path: Path): JsonObject;
  readObject(value: unknown, path: Path): JsonObject;
  readText(value: unknown, path: Path): string | null;
}

const textKeys = ['condition_name', 'location_name', 'location_id', 'resource_class', 'resource_id', 'resource_name'];
const isKeyPart = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);
/** A name or number, or a position in a grid or voxel grid. */
const isChildKey = (value: unknown): boolean =>
  isKeyPart(value) || (Array.isArray(value) && [2, 3].includes(value.length) && value.every(isKeyPart));

/** Numeric fields of a resource, and text fields. */
const numberFields: ReadonlySet<string> = new Set(['quantity', 'capacity', 'rows', 'columns', 'layers']);
const textFields: ReadonlySet<string> = new Set([
  'resource_name',
  'resource_class',
  'base_type',
  'resource_description',
  'resource_id',
  'parent_id',
  'key',
  'template_name',
]);

/** Returns the problem of a comparison that the manager accepts, but that is never true or raises an error. */
function findTargetProblem(field: unknown, operator: unknown, target: unknown): string | null {
  const number = toNumber(target);
  const isOrdering = operator !== 'is_equal_to';
  if (typeof field === 'string' && numberFields.has(field) && number === null)
    return target === null && !isOrdering ? null : `${field} is a number, so target_value must be a number.`;
  if (
    typeof field === 'string' &&
    textFields.has(field) &&
    (typeof target !== 'string' || number !== null) &&
    target !== null
  )
    return `${field} is a text, so target_value must be a text.`;
  return isOrdering && number === null && typeof target !== 'string'
    ? 'Only numbers and texts can be greater or less.'
    : null;
}

function checkComparison(reader: ConditionReader, input: JsonObject, path: Path): void {
  const missing = ['field', 'operator', 'target_value'].find((key) => !Object.hasOwn(input, key));
  if (missing !== undefined) reader.report('error', path, texts.conditionMissing(missing));
  if (!input['resource_name'] && !input['resource_id'])
    reader.report('error', path, 'This condition needs resource_name or resource_id.');
  const { field, operator, target_value: target } = input;
  if (field === null || (field !== undefined && typeof field !== 'string'))
    reader.report('error', [...path, 'field'], texts.notText(stringifyExactJson(field)));
  const isSupported = operators.some((supported) => supported === operator);
  if (operator !== undefined && !isSupported)
    reader.report('error', [...path, 'operator'], `The operator is one of ${operators.join(', ')}.`);
  if (operator === 'is_less_than_or_equal_to')
    reader.report('warning', [...path, 'operator'], 'MADSci 0.8.1 treats this as “less than”.');
  const problem = isSupported && missing === undefined ? findTargetProblem(field, operator, target) : null;
  if (problem !== null) reader.report('error', [...path, 'target_value'], problem);
}

function checkPresence(reader: ConditionReader, input: JsonObject, path: Path): void {
  const isAbsence = input['condition_type'] === 'no_resource_present';
  if (input['location_name']) return;
  if (isAbsence) reader.report('error', path, texts.conditionMissing('location_name'));
  else if (!input['location_id']) reader.report('error', path, 'This condition needs location_name or location_id.');
}

export function readCondition(reader: ConditionReader, value: unknown, path: Path): JsonObject {
  const input = reader.readObject(value, path);
  const type = input['condition_type'];
  const keys = typeof type === 'string' && Object.hasOwn(conditionKeys, type) ? conditionKeys[type] : undefined;
  const knownTypes = Object.keys(conditionKeys);
  if (keys === undefined) {
    const near = typeof type === 'string' ? findNearestName(type, knownTypes) : null;
    reader.report('error', [...path, 'condition_type'], texts.conditionType(knownTypes.join(', '), near));
    return input;
  }
  reader.readKeys(input, keys, path);
  for (const key of textKeys) if (input[key] !== undefined) reader.readText(input[key], [...path, key]);
  if (input['key'] !== undefined && !isChildKey(input['key']))
    reader.report('error', [...path, 'key'], 'The key is a text, a whole number, or a list of 2 or 3 of them.');
  if (type === 'resource_child_field_check')
    reader.report('warning', path, 'MADSci 0.8.1 accepts this condition but never evaluates it.');
  if (type === 'resource_field_check' || type === 'resource_child_field_check') checkComparison(reader, input, path);
  else checkPresence(reader, input, path);
  return input;
}
