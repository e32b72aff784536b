/** What a person types for a setting, what it means, and how a file says it. Pure. */
import { parseValue, isNone, plainValue } from '../parse/values.ts';
import { expectedWords } from '../parse/expected.ts';
import type { PathBase } from '../parse/paths.ts';
import type { RawValue } from '../parse/reading.ts';
import { isOptional, type Setting } from '../schema/table.ts';
import type { SettingKind } from '../schema/definition.ts';
import type { WrittenValue } from './edits.ts';

/** One text, or for lists one for each item. `null`: as if nobody had said anything, which is the default. */
export type Typed = string | readonly string[] | null;

export type Meaning =
  | { readonly kind: 'default' }
  | { readonly kind: 'value'; readonly value: unknown; readonly written: WrittenValue }
  | { readonly kind: 'wrong'; readonly message: string; readonly expected: string };

const listKinds: ReadonlySet<SettingKind> = new Set(['hosts', 'networks', 'origins', 'webhooks', 'words']);

/** Whether it is typed as a list. */
export function isList(setting: Setting): boolean {
  return listKinds.has(setting.kind);
}

/** An empty field is the default where that is "not set", and else "none" where that is allowed. */
export function meaningOf(setting: Setting, typed: Typed, base: PathBase): Meaning {
  if (typed === null) return { kind: 'default' };
  const raw = rawOf(typed);
  const isEmpty = raw.style === 'native' ? (raw.value as readonly string[]).length === 0 : raw.text === '';
  if (isEmpty && setting.default === null) return { kind: 'default' };
  if (isNone(raw)) {
    if (isOptional(setting)) return { kind: 'value', value: null, written: 'None' };
    return { kind: 'wrong', message: 'needs a value', expected: expectedWords(setting) };
  }
  // A reader of some file would take it for the end of the value.
  if (/[\r\n\0]/.test(typeof typed === 'string' ? typed : typed.join(''))) {
    return { kind: 'wrong', message: 'has a line break in it', expected: expectedWords(setting) };
  }
  const parsed = parseValue(setting, raw, base);
  if (!parsed.ok) return { kind: 'wrong', message: parsed.message, expected: expectedWords(setting) };
  return { kind: 'value', value: parsed.value, written: writtenOf(setting, raw, parsed.value) };
}

function rawOf(typed: string | readonly string[]): Exclude<RawValue, { style: 'option' }> {
  if (typeof typed === 'string') return { style: 'text', text: typed.trim() };
  const items = typed.map((item) => item.trim()).filter((item) => item !== '');
  return items.length === 1 && items[0] === 'None'
    ? { style: 'text', text: 'None' }
    : { style: 'native', value: items };
}

/** Addresses and paths stay as they were typed; what has one form only gets it. */
function writtenOf(setting: Setting, raw: RawValue, value: unknown): WrittenValue {
  switch (setting.kind) {
    case 'url':
    case 'host':
    case 'text':
    case 'path':
      return String(plainValue(raw));
    case 'boolean':
    case 'integer':
    case 'number':
    case 'level':
    case 'word':
    case 'hosts':
    case 'networks':
    case 'origins':
    case 'webhooks':
    case 'words':
    case 'publicKey':
    case 'timeZone':
      return value as WrittenValue;
  }
}

/**
 * What the field for a setting holds at first.
 * @param raw what was found, `undefined` where nobody says anything
 * @param value that of it; `undefined` when it isn't allowed
 */
export function typedOf(setting: Setting, raw: RawValue | undefined, value: unknown): Exclude<Typed, null> {
  const isOfList = isList(setting);
  if (raw === undefined) {
    if (setting.default === null) return isOfList ? [] : '';
    return isOfList ? (setting.default as readonly string[]) : String(setting.default);
  }
  if (isNone(raw)) return isOfList ? ['None'] : 'None';
  const shown = value === undefined || setting.kind === 'path' ? plainValue(raw) : value;
  if (!isOfList) return asText(shown);
  return (Array.isArray(shown) ? (shown as readonly unknown[]) : [shown]).map(asText);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
