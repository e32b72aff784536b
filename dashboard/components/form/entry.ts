/** The input of a field and the value that it represents. Pure: the components only render it. */
import { isUlid } from '../../base/objectPages.ts';
import { schemaFormTexts } from './texts.ts';
import { fieldKey, type FormField } from './field.ts';
import { validateValue } from './validate.ts';
import { readJson } from './jsonText.ts';
import { failure, success, readExactNumber, type ParseResult } from './numberText.ts';
import type { Shape } from './declared/shape.ts';
import { sameJson } from '#api/sameJson.ts';
import { formatJson, stringifyExactJson } from '#api/exactJson.ts';

/**
 * `untouched`: nothing is given, and the default is displayed, if any. `given`: the value is sent. `none`: null is sent.
 */
export type EntryState = 'untouched' | 'given' | 'none';

/** The input of a field. The shape determines which of `text`, `flag`, `items` and `files` is used. */
export interface Entry {
  readonly state: EntryState;
  /** Numbers, texts, JSON and locations as typed; for a choice the index of the option. */
  readonly text: string;
  readonly flag: boolean | null;
  readonly items: readonly Entry[];
  readonly files: readonly File[];
  /** Identifies an item of a list when others are removed. */
  readonly id: number;
}

let lastId = 0;

function createBlankEntry(state: EntryState = 'untouched'): Entry {
  lastId += 1;
  return { state, text: '', flag: null, items: [], files: [], id: lastId };
}

const pretty = (value: unknown) => stringifyExactJson(value, 2);

/** Returns a new, empty item of a list. */
export function createItem(): Entry {
  return createBlankEntry('given');
}

/** Returns the entry that displays `value`; undefined and null result in an empty one. */
export function entryFromValue(shape: Shape, value: unknown, state: EntryState): Entry {
  const entry = createBlankEntry(state);
  if (value === undefined || value === null) return entry;
  switch (shape.kind) {
    case 'boolean':
      return { ...entry, flag: typeof value === 'boolean' ? value : null };
    case 'choice': {
      const index = shape.options.findIndex((option) => sameJson(option, value));
      return { ...entry, text: index === -1 ? '' : String(index) };
    }
    case 'list':
      return {
        ...entry,
        items: Array.isArray(value) ? value.map((item) => entryFromValue(shape.item, item, 'given')) : [],
      };
    case 'json':
      return { ...entry, text: pretty(value) };
    case 'file':
      return { ...entry, files: (Array.isArray(value) ? value : [value]).filter((file) => file instanceof File) };
    case 'number':
    case 'text':
    case 'location':
      return { ...entry, text: formatJson(value) };
  }
}

/** Returns the initial entry of a field: its default, or empty. */
export function createEntry(field: FormField): Entry {
  return entryFromValue(field.shape, field.default, 'untouched');
}

/** Returns the entry after an edit: without content it is no longer given, except for an empty text or list. */
export function editEntry(shape: Shape, entry: Entry, change: Partial<Entry>): Entry {
  const after: Entry = { ...entry, ...change, state: 'given' };
  const hasEmptyText =
    (shape.kind === 'number' || shape.kind === 'json' || shape.kind === 'location' || shape.kind === 'choice') &&
    after.text.trim() === '';
  const isUnset =
    (shape.kind === 'boolean' && after.flag === null) || (shape.kind === 'file' && after.files.length === 0);
  return hasEmptyText || isUnset ? { ...after, state: 'untouched' } : after;
}

const texts = schemaFormTexts.problems;

function readItems(shape: Extract<Shape, { kind: 'list' }>, entry: Entry): ParseResult {
  const values: unknown[] = [];
  for (const [index, item] of entry.items.entries()) {
    const result = readEntry(shape.item, item);
    if (!result.ok) return failure(texts.item(index + 1, result.problem));
    values.push(result.value);
  }
  return success(values);
}

function readRaw(shape: Shape, entry: Entry): ParseResult {
  switch (shape.kind) {
    case 'number':
      return readExactNumber(entry.text);
    case 'text':
      return success(entry.text);
    case 'boolean':
      return entry.flag === null ? failure(texts.missing) : success(entry.flag);
    case 'choice':
      return entry.text === '' ? failure(texts.missing) : success(shape.options[Number(entry.text)]);
    case 'list':
      return readItems(shape, entry);
    case 'json':
      return entry.text.trim() === '' ? failure(texts.missing) : readJson(entry.text);
    case 'location':
      return entry.text.trim() === '' ? failure(texts.missingLocation) : success(entry.text.trim());
    case 'file':
      if (entry.files.length === 0) return failure(texts.missingFile);
      return success(shape.several ? entry.files : entry.files[0]);
  }
}

/** Returns the value of an entry, or why it doesn't have the shape. */
export function readEntry(shape: Shape, entry: Entry): ParseResult {
  const result = readRaw(shape, entry);
  if (!result.ok) return result;
  const problem = validateValue(shape, result.value);
  return problem === null ? result : failure(problem);
}

const missingTexts: Partial<Record<Shape['kind'], string>> = {
  location: texts.missingLocation,
  file: texts.missingFile,
};

/** Checks the format of an ID, because managers and nodes reject a malformed one only when they use it. */
function validateId({ isId }: FormField, result: ParseResult): ParseResult {
  if (isId !== true || !result.ok) return result;
  const malformed = [result.value].flat().find((value) => typeof value === 'string' && !isUlid(value));
  return malformed === undefined ? result : failure(texts.notId(String(malformed)));
}

/** Returns the value of a field, `undefined` if nothing is given (the default applies), or a problem. */
export function readField(field: FormField, entry: Entry): ParseResult {
  if (entry.state === 'none') return field.nullable || !field.required ? success(null) : failure(texts.missing);
  if (entry.state === 'given') return validateId(field, readEntry(field.shape, entry));
  return field.required ? failure(missingTexts[field.shape.kind] ?? texts.missing) : success(undefined);
}

export interface FormValue {
  readonly args: Readonly<Record<string, unknown>>;
  readonly locations: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, File | readonly File[]>>;
}

export interface FormProblem {
  readonly section: FormField['section'];
  readonly name: string;
  readonly problem: string;
}

export interface FormOutcome {
  /** Only the valid values that were given. */
  readonly value: FormValue;
  readonly valid: boolean;
  readonly problems: readonly FormProblem[];
}

export type Entries = Readonly<Record<string, Entry>>;

/** Returns the value of the whole form and its problems. */
export function readForm(fields: readonly FormField[], entries: Entries): FormOutcome {
  const value = {
    args: {} as Record<string, unknown>,
    locations: {} as Record<string, unknown>,
    files: {} as Record<string, File>,
  };
  const problems: FormProblem[] = [];
  for (const field of fields) {
    const result = readField(field, entries[fieldKey(field)] ?? createEntry(field));
    if (!result.ok) problems.push({ section: field.section, name: field.name, problem: result.problem });
    else if (result.value !== undefined)
      Object.defineProperty(value[field.section], field.name, {
        value: result.value,
        enumerable: true,
        configurable: true,
      });
  }
  return { value, valid: problems.length === 0, problems };
}

/**
 * Returns the entries of a list of fields: the existing entry if the field is unchanged, else its `initial` value, else a
 * fresh entry.
 */
export function createEntries(
  fields: readonly FormField[],
  previous: { readonly fields: readonly FormField[]; readonly entries: Entries },
  initial: Partial<FormValue> = {},
): Record<string, Entry> {
  const previousShapes = new Map(
    previous.fields.map((field) => [fieldKey(field), stringifyExactJson([field.shape, field.default])]),
  );
  return Object.fromEntries(
    fields.map((field) => {
      const key = fieldKey(field);
      const stored = previous.entries[key];
      if (stored !== undefined && previousShapes.get(key) === stringifyExactJson([field.shape, field.default]))
        return [key, stored];
      const values: Readonly<Record<string, unknown>> = initial[field.section] ?? {};
      if (!Object.hasOwn(values, field.name)) return [key, createEntry(field)];
      const value = values[field.name];
      return [
        key,
        value === null ? { ...createEntry(field), state: 'none' } : entryFromValue(field.shape, value, 'given'),
      ];
    }),
  );
}
