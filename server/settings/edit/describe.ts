/** Every setting as the app's settings window shows it: its value, where that is from, and what may be said of it. */
import { dirname } from 'node:path';
import { addressKeys } from './managerOf.ts';
import { shortenedAddress } from '../../logging/text.ts';
import { allowedWords, expectedWords } from '../parse/expected.ts';
import { formatProblem, redact } from '../parse/problem.ts';
import { defaultWords } from '../load/report.ts';
import { loadSettings } from '../load/load.ts';
import { readSources, saveTarget, type Sources } from '../load/sources.ts';
import { isNone, parseValue, plainValue } from '../parse/values.ts';
import { sections } from '../schema/definition.ts';
import { settingTitle } from '../schema/names.ts';
import { allSettings, isOptional, type Setting, type SettingName } from '../schema/table.ts';
import type { Origin, SettingsInputs } from '../schema/types.ts';
import type { SettingRow, SettingsList } from './messages.ts';
import { isList, typedOf } from './typed.ts';

/** @param canUndo whether the last save can be taken back */
export async function describeSettings(inputs: SettingsInputs, canUndo: boolean): Promise<SettingsList> {
  const [sources, loaded] = await Promise.all([readSources(inputs), loadSettings(inputs)]);
  const problems = [...(loaded.ok ? [] : loaded.problems), ...loaded.warnings];
  return {
    sections: sections.map((section) => ({
      name: section,
      settings: allSettings
        .filter((setting) => setting.section === section)
        .filter((setting) => setting.scope !== 'contextOnly' || isInContextFile(sources))
        .map((setting) => rowOf(setting, sources)),
    })),
    problems: problems.map((problem) => ({ severity: problem.severity, text: formatProblem(problem) })),
    target: sources.targets.lab,
    machineTarget: sources.targets.machine,
    canUndo,
  };
}

/** `lab_server_url` is a setting of `context.*` files alone; elsewhere the key is that of `server_url`. */
function isInContextFile({ labAddress }: Sources): boolean {
  return labAddress?.origin.file?.startsWith('context.') === true;
}

/** Where else a setting is set, without effect. */
function hiddenPlaces(name: string, { layers, winners }: Sources): string[] {
  const counts = fromWords(winners.get(name as SettingName)?.origin);
  const places = layers.flat().flatMap((candidate) => (candidate.name === name ? [fromWords(candidate.origin)] : []));
  return [...new Set(places)].filter((place) => place !== counts);
}

function rowOf(setting: Setting, sources: Sources): SettingRow {
  const { winners, places } = sources;
  const candidate = winners.get(setting.name);
  const baseDir = candidate?.origin.path == null ? places.cwd : dirname(candidate.origin.path);
  const parsed = candidate && parseValue(setting, candidate.raw, { ...places, baseDir });
  const held = typedOf(setting, candidate?.raw, parsed?.ok ? parsed.value : undefined);
  const found = candidate && !isNone(candidate.raw) ? candidate.raw : null;
  return {
    name: setting.name,
    title: settingTitle(setting.name),
    section: setting.section,
    help: setting.help,
    kind: setting.kind,
    expected: expectedWords(setting),
    words: [...allowedWords(setting)],
    isOptional: isOptional(setting),
    value: setting.secret ? (isList(setting) ? [] : '') : typeof held === 'string' ? held : [...held],
    shown: setting.secret && found ? secretWords(plainValue(found)) : null,
    isDefault: candidate === undefined,
    defaultValue: mutable(typedOf(setting, undefined, undefined)),
    defaultWords: wordsOfDefault(setting),
    from: fromWords(candidate?.origin),
    hidden: hiddenPlaces(setting.name, sources),
    target: saveTarget(setting.name, sources),
    hasFile: candidate?.origin.path != null,
    problem: parsed?.ok === false ? parsed.message : null,
    outranked: candidate ? outrankedBy(candidate.origin) : null,
    needsRestart: setting.needsRestart,
    manager: addressKeys.get(setting.name) ?? null,
  };
}

function wordsOfDefault(setting: Setting): string {
  if (setting.name === 'manager_id') return 'generated at startup';
  return Array.isArray(setting.default) && setting.default.length === 0 ? 'none' : defaultWords(setting);
}

const mutable = (held: string | readonly string[]): string | string[] => (typeof held === 'string' ? held : [...held]);

/** Whoever knows such an address can use it: its host says enough. */
function secretWords(value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return items.map((item) => redact(null, shortenedAddress(String(item).trim()))).join(', ');
}

function fromWords(origin: Origin | undefined): string {
  if (origin === undefined) return 'the default';
  if (origin.path === null) return originWords(origin);
  return `${origin.path}${origin.line === null ? '' : `, line ${origin.line}`}`;
}

/** Why no file can change a setting from there, and what would work; `null` where one can. */
export function outrankedBy(origin: Origin): { readonly why: string; readonly whatWorks: string } | null {
  switch (origin.source) {
    case 'environment':
      return {
        why: `It is set by ${originWords(origin)}, which ranks before every file.`,
        whatWorks: `Change the variable where it is set, or remove it there; then quit Lab Manager and start it again.`,
      };
    case 'command line':
    case 'argument':
      return {
        why: `It is set by ${originWords(origin)}, which ranks before every file.`,
        whatWorks: `Start Lab Manager without ${origin.name ?? 'that option'}, or with another value for it.`,
      };
    case 'dotenv':
    case 'json':
    case 'toml':
    case 'yaml':
    case 'default':
    case 'generated':
    case 'registry':
      return null;
  }
}

/** `the environment variable LAB_SERVER_URL`, `/lab/.env (line 3)`. */
export function originWords({ source, name, path, line }: Origin): string {
  switch (source) {
    case 'environment':
      return `the environment variable ${name ?? ''}`.trim();
    case 'command line':
    case 'argument':
      return `the command line (${name ?? ''})`;
    case 'dotenv':
    case 'json':
    case 'toml':
    case 'yaml':
      return `${path ?? 'another file'}${line === null ? '' : ` (line ${line})`}`;
    case 'default':
    case 'generated':
    case 'registry':
      return 'the default';
  }
}
