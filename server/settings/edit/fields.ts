/**
 * The settings as shown in the app's settings window: value, origin, parsing of typed text, and representation in a file.
 */
import { dirname } from 'node:path';
import { shortenAddress } from '../../logging/text.ts';
import { allowedValues, expectedText, settingTitle } from '../schema/names.ts';
import { formatProblem, redact, type RawValue } from '../parse/problem.ts';
import { defaultText } from '../load/report.ts';
import { loadSettings } from '../load/load.ts';
import { isInContextFile, readSources, saveTarget, type Sources } from '../load/sources.ts';
import { isNone, parseValue, plainValue } from '../parse/values.ts';
import { sections, type SettingKind } from '../schema/definition.ts';
import { allSettings, isOptional, type Setting, type SettingName } from '../schema/table.ts';
import type { Origin, SettingsInputs } from '../schema/types.ts';
import type { SettingRow, SettingsList } from './messages.ts';
import type { PathBase } from '../parse/discovery.ts';
import type { WrittenValue } from './editText.ts';
import { originText } from '#api/lab/settings.ts';
import { contextKey, managerKeys, type ManagerKey } from '#api/managers.ts';

/** @param canUndo whether the last save can be undone */
export async function describeSettings(inputs: SettingsInputs, canUndo: boolean): Promise<SettingsList> {
  const [sources, loaded] = await Promise.all([readSources(inputs), loadSettings(inputs)]);
  const problems = [...(loaded.ok ? [] : loaded.problems), ...loaded.warnings];
  return {
    sections: sections.map((section) => ({
      name: section,
      settings: allSettings
        .filter((setting) => setting.section === section)
        .filter((setting) => setting.scope !== 'contextOnly' || isInContextFile(sources.labAddress))
        .map((setting) => createRow(setting, sources)),
    })),
    problems: problems.map((problem) => ({ severity: problem.severity, text: formatProblem(problem) })),
    target: sources.targets.lab,
    machineTarget: sources.targets.machine,
    canUndo,
  };
}

/** Other places that set the value without effect. */
function outrankedPlaces(name: string, { layers, winners }: Sources): string[] {
  const effectivePlace = originText(winners.get(name as SettingName)?.origin);
  const places = layers.flat().flatMap((candidate) => (candidate.name === name ? [originText(candidate.origin)] : []));
  return [...new Set(places)].filter((place) => place !== effectivePlace);
}

function createRow(setting: Setting, sources: Sources): SettingRow {
  const { winners, places } = sources;
  const candidate = winners.get(setting.name);
  const baseDir = candidate?.origin.path == null ? places.cwd : dirname(candidate.origin.path);
  const parsed = candidate && parseValue(setting, candidate.raw, { ...places, baseDir });
  const typed = toEnteredValue(setting, candidate?.raw, parsed?.ok ? parsed.value : undefined);
  const shownValue = candidate && !isNone(candidate.raw, setting) ? candidate.raw : null;
  return {
    name: setting.name,
    title: settingTitle(setting.name),
    section: setting.section,
    help: setting.help,
    kind: setting.kind,
    expected: expectedText(setting),
    allowedValues: [...allowedValues(setting)],
    isOptional: isOptional(setting),
    value: setting.isSecret ? (isList(setting) ? [] : '') : typeof typed === 'string' ? typed : [...typed],
    displayedSecret: setting.isSecret && shownValue ? secretText(plainValue(shownValue)) : null,
    isDefault: candidate === undefined,
    defaultValue: toMutable(toEnteredValue(setting, undefined, undefined)),
    defaultText: defaultValueText(setting),
    origin: originText(candidate?.origin),
    overriddenOrigins: outrankedPlaces(setting.name, sources),
    target: saveTarget(setting.name, sources),
    hasFile: candidate?.origin.path != null,
    problem: parsed?.ok === false ? parsed.message : null,
    override: candidate ? explainOutranked(candidate.origin) : null,
    needsRestart: setting.needsRestart,
    manager: addressKeys.get(setting.name) ?? null,
  };
}

function defaultValueText(setting: Setting): string {
  if (setting.name === 'manager_id') return 'generated at startup';
  return Array.isArray(setting.default) && setting.default.length === 0 ? 'none' : defaultText(setting);
}

const toMutable = (typed: string | readonly string[]): string | string[] =>
  typeof typed === 'string' ? typed : [...typed];

/** Only the hosts of the addresses, because an address grants access. */
function secretText(value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return items.map((item) => redact(null, shortenAddress(String(item).trim()))).join(', ');
}

/** The reason why no file can override a setting of this origin, and a suggestion; `null` if a file can. */
export function explainOutranked(origin: Origin): { readonly reason: string; readonly suggestion: string } | null {
  const { source, name } = origin;
  if (source !== 'environment' && source !== 'command line' && source !== 'argument') return null;
  return {
    reason: `It is set by ${originText(origin)}, which ranks before every file.`,
    suggestion:
      source === 'environment'
        ? 'Change the variable where it is set, or remove it there; then quit Lab Manager and start it again.'
        : `Start Lab Manager without ${name ?? 'that option'}, or with another value for it.`,
  };
}

/** One text, or for lists one per item. `null` removes the setting, so that the default applies. */
export type EnteredValue = string | readonly string[] | null;

export type DraftValue =
  | { readonly kind: 'default' }
  | { readonly kind: 'value'; readonly value: unknown; readonly written: WrittenValue }
  | { readonly kind: 'wrong'; readonly message: string; readonly expected: string };

/** Whether the field of the setting is a list. */
function isList(setting: Setting): boolean {
  return setting.schema.safeParse([]).success;
}

/** An empty field means the default if that is "not set", otherwise "none" if allowed. */
export function parseDraft(setting: Setting, typed: EnteredValue, base: PathBase): DraftValue {
  if (typed === null) return { kind: 'default' };
  const raw = toRawValue(typed);
  const isEmpty = raw.style === 'native' ? (raw.value as readonly string[]).length === 0 : raw.text === '';
  if (isEmpty && setting.default === null) return { kind: 'default' };
  if (isNone(raw, setting)) {
    if (isOptional(setting)) return { kind: 'value', value: null, written: 'None' };
    return { kind: 'wrong', message: 'needs a value', expected: expectedText(setting) };
  }
  // For some readers of these files, a line break ends the value.
  if (/[\r\n\0]/.test(typeof typed === 'string' ? typed : typed.join(''))) {
    return { kind: 'wrong', message: 'has a line break in it', expected: expectedText(setting) };
  }
  const parsed = parseValue(setting, raw, base);
  if (!parsed.ok) return { kind: 'wrong', message: parsed.message, expected: expectedText(setting) };
  const written = kindsAsTyped.has(setting.kind) ? String(plainValue(raw)) : (parsed.value as WrittenValue);
  return { kind: 'value', value: parsed.value, written };
}

function toRawValue(typed: string | readonly string[]): Exclude<RawValue, { style: 'option' }> {
  if (typeof typed === 'string') return { style: 'text', text: typed.trim() };
  const items = typed.map((item) => item.trim()).filter((item) => item !== '');
  return items.length === 1 && items[0] === 'None'
    ? { style: 'text', text: 'None' }
    : { style: 'native', value: items };
}

/** These values are stored as typed; the others in their canonical form. */
const kindsAsTyped: ReadonlySet<SettingKind> = new Set(['url', 'host', 'text', 'lines', 'path', 'file']);

/**
 * The initial content of a setting's field.
 * @param raw the value found, `undefined` if no source sets it
 * @param value its parsed value; `undefined` if it is invalid
 */
function toEnteredValue(setting: Setting, raw: RawValue | undefined, value: unknown): Exclude<EnteredValue, null> {
  const isListSetting = isList(setting);
  if (raw === undefined) {
    if (setting.default === null) return isListSetting ? [] : '';
    return isListSetting ? (setting.default as readonly string[]) : String(setting.default);
  }
  if (isNone(raw, setting)) return isListSetting ? ['None'] : 'None';
  const isPath = setting.kind === 'path' || setting.kind === 'file';
  const displayed = value === undefined || isPath ? plainValue(raw) : value;
  if (!isListSetting) return textFromValue(displayed);
  return (Array.isArray(displayed) ? (displayed as readonly unknown[]) : [displayed]).map(textFromValue);
}

function textFromValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The settings that are a manager's address, which can be tested. */
const addressKeys: ReadonlyMap<string, ManagerKey> = new Map(managerKeys.map((key) => [contextKey(key), key]));
