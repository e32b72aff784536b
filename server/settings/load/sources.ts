/** Collects all values of the settings, lowest priority first: the files found, the environment, the arguments. */
import { basename, dirname, join, resolve } from 'node:path';
import { parseCommandLine, readEnvironment, readOverrides } from '../parse/commandLine.ts';
import {
  sortByRank,
  discoverSettings,
  findStart,
  isDirectory,
  settingsFiles,
  type FoundFile,
  madsciDirectory,
} from '../parse/discovery.ts';
import { readSettingsFile } from '../parse/files.ts';
import { getSetting, type SettingName } from '../schema/table.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';
import { findWriteProblem, defaultSettingsFile } from './settingsFile.ts';
import type { Candidate, Layer } from '../parse/problem.ts';

export interface Sources {
  /** Lowest priority first. */
  readonly layers: readonly Layer[];
  /** The effective candidate of each setting. */
  readonly winners: ReadonlyMap<SettingName, Candidate>;
  /** The candidate for `/context`'s `lab_server_url`; `undefined` if there is none. */
  readonly labAddress: Candidate | undefined;
  readonly foundFiles: readonly FoundFile[];
  /** The files for new settings: those of the lab, and those of this machine only. */
  readonly targets: { readonly lab: string; readonly machine: string };
  readonly watchedDirs: readonly string[];
  readonly problems: readonly SettingsProblem[];
  /** The base of relative paths that are in no file, and the values of `~` and `.madsci/`. */
  readonly places: { readonly cwd: string; readonly homeDir: string; readonly madsciDir: string };
}

/** The start of the search for settings files, by the command line and the other inputs. */
export function findSettingsStart(inputs: SettingsInputs): ReturnType<typeof findStart> {
  return findStart(inputs, parseCommandLine(inputs.argv, inputs.commandLine).flags.settingsDir);
}

/** The `.madsci` directory of the lab with these settings; it need not exist. */
export async function findMadsciDirectory(inputs: SettingsInputs): Promise<string> {
  return madsciDirectory((await findSettingsStart(inputs)).dir, inputs.homeDir);
}

/** Texts that replace the content of files, by their full path, to evaluate a planned change. */
export type Overlay = ReadonlyMap<string, string>;

const emptyOverlay: Overlay = new Map();

/** @param overlay a new file in it is included if no file of its name exists */
export async function readSources(inputs: SettingsInputs, overlay: Overlay = emptyOverlay): Promise<Sources> {
  const commandLine = parseCommandLine(inputs.argv, inputs.commandLine);
  const start = await findStart(inputs, commandLine.flags.settingsDir);
  const discovery = await discoverSettings(start, inputs);
  const foundFiles = addNewFile(discovery.foundFiles, overlay, inputs.userConfigDir);
  const files = await Promise.all(foundFiles.map((file) => readSettingsFile(file, inputs.env, overlay.get(file.path))));
  const environment = readEnvironment(inputs.env);
  const overrides = readOverrides(inputs.overrides ?? {});
  const layers: readonly Layer[] = [
    ...files.map((file) => file.layer),
    environment.candidates,
    overrides.candidates,
    commandLine.values,
  ];
  const merged = mergeLayers(layers);
  const labAddress = mergeLabAddress(layers);
  return {
    layers,
    winners: labAddress === undefined ? merged : new Map([...merged, ['lab_server_url' as const, labAddress]]),
    labAddress,
    foundFiles,
    targets: await saveTargets(discovery.foundFiles, start.isChosen ? start.dir : null, inputs.userConfigDir),
    watchedDirs: discovery.watchedDirs,
    problems: [
      ...commandLine.problems,
      ...start.problems,
      ...overrides.problems,
      ...environment.problems,
      ...discovery.problems,
      ...files.flatMap((file) => file.problems),
    ],
    places: {
      cwd: inputs.cwd ?? start.dir ?? inputs.homeDir,
      homeDir: inputs.homeDir,
      madsciDir: await madsciDirectory(start.dir, inputs.homeDir),
    },
  };
}

function addNewFile(files: readonly FoundFile[], overlay: Overlay, userConfigDir: string): readonly FoundFile[] {
  const added = [...overlay.keys()].flatMap((path): FoundFile[] => {
    const place = dirname(path) === resolve(userConfigDir) ? 'user' : 'lab';
    const file = settingsFiles.find(({ name }) => name === basename(path));
    const exists = files.some(
      (candidate) => candidate.path === path || (candidate.name === file?.name && candidate.place === place),
    );
    return file === undefined || exists ? [] : [{ ...file, path, place }];
  });
  return sortByRank([...files, ...added]);
}

/**
 * Settings of the lab are saved in its own `lab.settings.yaml`: the one that is read, else one in the chosen folder. If
 * that is not writable, and for settings of this machine only, the user configuration is used.
 */
async function saveTargets(
  files: readonly FoundFile[],
  labFolder: string | null,
  userConfigDir: string,
): Promise<Sources['targets']> {
  const machine = join(resolve(userConfigDir), defaultSettingsFile);
  const labFile = files.find(({ name, place }) => name === defaultSettingsFile && place === 'lab')?.path;
  const lab =
    labFile ?? (labFolder !== null && (await isDirectory(labFolder)) ? join(labFolder, defaultSettingsFile) : null);
  return { lab: lab === null || (await findWriteProblem(lab)) !== null ? machine : lab, machine };
}

/** The file in which a setting is saved: the one that sets it, else that of the lab or of this machine. */
export function saveTarget(name: SettingName, { targets, winners }: Pick<Sources, 'targets' | 'winners'>): string {
  return winners.get(name)?.origin.path ?? (getSetting(name).isMachineSpecific ? targets.machine : targets.lab);
}

/**
 * The winning candidate of each setting. Layers are sorted by source, lowest priority first; within one, a prefixed
 * spelling wins over the other, and a later candidate over an earlier one.
 */
export function mergeLayers(layers: readonly Layer[]): ReadonlyMap<SettingName, Candidate> {
  const winners = new Map<SettingName, { readonly candidate: Candidate; readonly rank: number }>();
  for (const [rank, layer] of layers.entries()) {
    for (const candidate of layer) {
      const winner = winners.get(candidate.name);
      if (winner === undefined || winner.rank < rank || candidate.isPrefixed || !winner.candidate.isPrefixed) {
        winners.set(candidate.name, { candidate, rank });
      }
    }
  }
  return new Map([...winners].map(([name, { candidate }]) => [name, candidate]));
}

/**
 * The candidate for `/context`'s `lab_server_url`: that of `server_url`, unless a `context.*` file sets it with a higher
 * priority. Returns `undefined` if there is none.
 */
export function mergeLabAddress(layers: readonly Layer[]): Candidate | undefined {
  const addressLayers = layers.map((layer) =>
    layer.flatMap((candidate) =>
      candidate.name === 'server_url' || candidate.name === 'lab_server_url'
        ? [{ ...candidate, name: 'lab_server_url' as const }]
        : [],
    ),
  );
  return mergeLayers(addressLayers).get('lab_server_url');
}

/** Whether a `context.*` file sets it. Only there, `lab_server_url` is a setting; in other files the key means `server_url`. */
export function isInContextFile(candidate: Candidate | undefined): boolean {
  return candidate?.origin.file?.startsWith('context.') === true;
}
