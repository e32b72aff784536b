/**
 * Loads the settings: reads the sources (`sources.ts`) and parses the effective values. Collects all problems and never
 * throws for user input.
 */
import { dirname } from 'node:path';
import { ulid } from 'ulid';
import { contextKey, serviceKeys, type ManagerKey } from '#api/managers.ts';
import type { LabContext } from '#api/lab/lab.ts';
import { isDirectory, type FoundFile } from '../parse/discovery.ts';
import { expectedText } from '../schema/names.ts';
import { createWarning, type Candidate, parserReason, makeProblem } from '../parse/problem.ts';
import { readSources, saveTarget } from './sources.ts';
import {
  findMixedSources,
  findManagersWithUnsetAddress,
  describeMixedSources,
  describeUnsetAddresses,
} from '#api/lab/settings.ts';
import { shortenAddress } from '../../logging/text.ts';
import { allSettings, settingNames, getSetting, type SettingName, type SettingValues } from '../schema/table.ts';
import {
  fieldName,
  type EffectiveSetting,
  type Origin,
  type SettingsInputs,
  type SettingsProblem,
  type SettingsResult,
  type LabSettings,
  type PlainSettings,
} from '../schema/types.ts';
import { isNone, parseValue, plainValue } from '../parse/values.ts';
import { isUnprotected } from '#api/hosts.ts';

const noPlace = { name: null, file: null, path: null, line: null } as const;
const defaultOrigin: Origin = { source: 'default', ...noPlace };

let generatedId: string | null = null;

/** The lab manager's ID if the settings contain none: generated once, and constant for the lifetime of the process. */
function getGeneratedId(): string {
  generatedId ??= ulid();
  return generatedId;
}

/** Builds the typed settings of the service. */
function buildSettings(
  values: SettingValues,
  dashboard: Candidate | undefined,
  unsetAddresses: readonly ManagerKey[],
): LabSettings {
  const { dashboard_files_path: path } = values;
  const context = Object.fromEntries(
    serviceKeys.map((key) => [contextKey(key), values[contextKey(key)]]),
  ) as LabContext;
  const plain = Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== 'dashboard_files_path' && !(name in context))
      .map(([name, value]) => [fieldName(name), value]),
  ) as unknown as PlainSettings;
  return {
    ...plain,
    labName: values.manager_name ?? values.name,
    unsetAddresses,
    managerId: values.manager_id ?? getGeneratedId(),
    dashboardFiles:
      dashboard === undefined ? { kind: 'bundled' } : path === null ? { kind: 'none' } : { kind: 'directory', path },
    context,
  };
}

/** The displayed value of a setting with its origin. A path is shown as typed, because other machines can read it. */
function effectiveSetting(
  name: SettingName,
  candidate: Candidate | undefined,
  value: unknown,
  placeByPath: ReadonlyMap<string, FoundFile['place']>,
): EffectiveSetting {
  if (name === 'manager_id' && value === null) {
    const origin: Origin = { source: 'generated', ...noPlace };
    return { name, value: getGeneratedId(), isDefault: false, origin };
  }
  const isShownAsTyped = name === 'dashboard_files_path' && candidate !== undefined && value !== null;
  const displayed = isShownAsTyped
    ? plainValue(candidate.raw)
    : getSetting(name).isSecret
      ? redactSecret(value)
      : value;
  return {
    name,
    value: displayed,
    isDefault: candidate === undefined,
    origin: locateOrigin(candidate?.origin, placeByPath),
  };
}

/** Adds whether the file belongs to the lab or is in the user configuration folder. */
function locateOrigin(origin: Origin | undefined, placeByPath: ReadonlyMap<string, FoundFile['place']>): Origin {
  const place = origin?.path == null ? undefined : placeByPath.get(origin.path);
  return { ...(origin ?? defaultOrigin), ...(place === undefined ? {} : { place }) };
}

/** The origins of the settings by name. */
type Origins = Readonly<Record<string, Origin>>;

/** Detects addresses entered for one lab together with the files of another one. */
function mixedProblems(origins: Origins, foundFiles: readonly FoundFile[]): SettingsProblem[] {
  const mixed = findMixedSources(origins);
  const first = origins[mixed?.userAddresses[0] ?? ''];
  if (mixed === null || first === undefined) return [];
  const { source, path, line } = first;
  const folders = new Set(foundFiles.filter(({ place }) => place === 'lab').map((file) => dirname(file.path)));
  return [
    makeProblem({
      severity: 'warning',
      source,
      path,
      line,
      message: describeMixedSources(mixed),
      expected: `all addresses of the lab in its own files (${[...folders].join(', ')}), and none of them in ${path ?? ''}`,
    }),
  ];
}

/** A warning for the addresses that a partly configured lab does not set. */
function unsetAddressProblems({ unsetAddresses }: LabSettings): readonly SettingsProblem[] {
  if (unsetAddresses.length === 0) return [];
  return [
    makeProblem({
      severity: 'warning',
      source: 'default',
      message: describeUnsetAddresses(unsetAddresses.map(contextKey)),
      expected: 'the address of each, or None where the lab has no such manager',
    }),
  ];
}

/** Hides the secret parts of addresses that grant access: only their hosts are shown. */
function redactSecret(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((address) => shortenAddress(String(address)));
  return typeof value === 'string' ? shortenAddress(value) : value;
}

/** Parses the winning values. Each invalid value is reported as a problem and replaced by the default. */
export function parseWinners(
  winners: ReadonlyMap<SettingName, Candidate>,
  places: { readonly cwd: string; readonly homeDir: string; readonly madsciDir: string },
): { readonly values: SettingValues; readonly problems: readonly SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const values = allSettings.map((setting) => {
    const candidate = winners.get(setting.name);
    if (candidate === undefined) {
      return [setting.name, setting.default] as const;
    }
    const { origin, raw, column } = candidate;
    const baseDir = origin.path === null ? places.cwd : dirname(origin.path);
    const parsed = parseValue(setting, raw, { ...places, baseDir });
    // Without its own value, lab_server_url is server_url, whose problem is already reported.
    if (!parsed.ok && !(setting.name === 'lab_server_url' && winners.get('server_url')?.origin === origin)) {
      problems.push(
        makeProblem({
          severity: 'error',
          source: origin.source,
          path: origin.path,
          line: origin.line,
          column,
          key: origin.name ?? setting.name,
          value: isNone(raw, setting) ? '' : plainValue(raw),
          message: parsed.message,
          expected: expectedText(setting),
        }),
      );
    }
    return [setting.name, parsed.ok ? parsed.value : setting.default] as const;
  });
  return { values: Object.fromEntries(values) as SettingValues, problems };
}

/** A missing configured dashboard directory is a warning: the bundled one is served instead. */
async function missingDashboard(settings: LabSettings, candidate: Candidate | undefined): Promise<SettingsProblem[]> {
  const { dashboardFiles } = settings;
  if (candidate === undefined || dashboardFiles.kind !== 'directory' || (await isDirectory(dashboardFiles.path))) {
    return [];
  }
  return [
    createWarning(candidate, {
      value: dashboardFiles.path,
      message: 'there is no such directory, so the bundled dashboard is served',
      expected: 'a directory of built dashboard files, or None',
    }),
  ];
}

/**
 * Loads the settings from all sources. Never rejects.
 * @returns the typed settings with the origin of each, or all problems; warnings, files and watched directories in both
 * cases
 */
export async function loadSettings(inputs: SettingsInputs): Promise<SettingsResult> {
  try {
    return await load(inputs);
  } catch (error) {
    // An unexpected error must not end a service that runs with the previous settings.
    const message = `the settings cannot be read: ${parserReason(error)}`;
    const problem = makeProblem({
      severity: 'error',
      source: 'argument',
      message,
      expected: 'the settings before the last change',
    });
    return { ok: false, problems: [problem], warnings: [], files: [], watchedDirs: fallbackDirs(inputs) };
  }
}

/** The sections whose settings describe a lab. The others configure this program. */
const labSections: ReadonlySet<string> = new Set([
  'Lab',
  'Remote access',
  'Two servers',
  'Time zones',
  'Service addresses',
]);
const labSettings: ReadonlySet<string> = new Set(
  allSettings
    // Without a context.* file, lab_server_url has the origin of server_url.
    .filter(({ section, isMachineSpecific, scope }) => {
      return labSections.has(section) && !isMachineSpecific && scope !== 'contextOnly';
    })
    .map(({ name }) => name),
);

/**
 * Returns whether a lab is configured: in a file, a variable or on the command line. The port of this machine, which is
 * saved before a lab is chosen, is no lab.
 */
export const isConfigured = ({ effective }: { readonly effective: readonly EffectiveSetting[] }): boolean =>
  effective.some(({ name, origin: { source, place } }) => {
    if (source === 'default' || source === 'generated') return false;
    return labSettings.has(name) || (name === 'server_url' && place === 'lab');
  });

/** The directories where a change could repair settings that cannot be searched for. */
function fallbackDirs({ cwd, userConfigDir }: SettingsInputs): readonly string[] {
  return cwd === null ? [userConfigDir] : [cwd, userConfigDir];
}

async function load(inputs: SettingsInputs): Promise<SettingsResult> {
  const sources = await readSources(inputs);
  const { winners, labAddress, foundFiles, watchedDirs, problems: sourceProblems, places } = sources;
  const { values: parsed, problems: invalidValues } = parseWinners(winners, places);
  const { listen_port: port } = parsed;
  // Without a configured address, the default address gets the port that is listened on.
  const server_url = winners.has('server_url') || !port ? parsed.server_url : `http://localhost:${port}/`;
  const values = { ...parsed, server_url, ...(labAddress === undefined && { lab_server_url: server_url }) };
  const placeByPath = new Map(foundFiles.map(({ path, place }) => [path, place]));
  const effective = allSettings.map(({ name }) => effectiveSetting(name, winners.get(name), values[name], placeByPath));
  const origins: Origins = Object.fromEntries(effective.map(({ name, origin }) => [name, origin]));
  const unsetAddresses = findManagersWithUnsetAddress(origins);
  const settings = buildSettings(values, winners.get('dashboard_files_path'), unsetAddresses);
  const mixed = mixedProblems(origins, foundFiles);
  const all = [
    ...sourceProblems,
    ...mixed,
    ...unsetAddressProblems(settings),
    ...invalidValues,
    ...feedProblems(settings, winners.get('update_feed')),
    ...(await missingDashboard(settings, winners.get('dashboard_files_path'))),
  ];
  const problems = all.filter((problem) => problem.severity === 'error');
  const common = {
    warnings: all.filter((problem) => problem.severity === 'warning'),
    files: foundFiles.map((file) => file.path),
    watchedDirs,
  };
  return problems.length > 0
    ? { ok: false, problems, ...common }
    : {
        ok: true,
        settings,
        effective,
        targets: new Map(settingNames.map((name) => [name, saveTarget(name, sources)])),
        mixed: mixed[0] ?? null,
        ...common,
      };
}

/** A warning for an update feed whose packages can be replaced in transit. */
function feedProblems(
  { updateFeed, updatePublicKey }: Pick<LabSettings, 'updateFeed' | 'updatePublicKey'>,
  candidate: Candidate | undefined,
): readonly SettingsProblem[] {
  if (updateFeed === null || candidate === undefined || !isUnprotected(updateFeed, updatePublicKey !== null)) return [];
  return [
    createWarning(candidate, {
      value: updateFeed,
      message:
        'the update feed is read over plain http and its list is not signed, so anyone on the network can replace a package',
      expected: 'an https address, or LAB_UPDATE_PUBLIC_KEY',
    }),
  ];
}
