/** Everything that says something about a setting, lowest rank first: the files that are found, the environment, the arguments. */
import { basename, dirname, join, resolve } from 'node:path';
import { parseCommandLine, readEnvironment, readOverrides } from '../parse/commandLine.ts';
import {
  byRank,
  discoverSettings,
  findStart,
  isDirectory,
  settingsFiles,
  type FoundFile,
  madsciDirectory,
} from '../parse/discovery.ts';
import { readSettingsFile } from '../parse/files.ts';
import { settingOf, type SettingName } from '../schema/table.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';
import { whyUnwritable, writtenFile } from './settingsFile.ts';
import type { Candidate, Layer } from '../parse/problem.ts';

export interface Sources {
  /** Lowest rank first. */
  readonly layers: readonly Layer[];
  /** What counts for each setting. */
  readonly winners: ReadonlyMap<SettingName, Candidate>;
  /** Who decides on `/context`'s `lab_server_url`; `undefined` when nobody does. */
  readonly labAddress: Candidate | undefined;
  readonly found: readonly FoundFile[];
  /** Where settings are saved that are in no file yet: those of the lab, and those of this machine alone. */
  readonly targets: { readonly lab: string; readonly machine: string };
  readonly watchedDirs: readonly string[];
  readonly problems: readonly SettingsProblem[];
  /** Where relative paths start that are in no file, and what `~` and `.madsci/` stand for. */
  readonly places: { readonly cwd: string; readonly homeDir: string; readonly madsciDir: string };
}

/** Texts in place of what files hold, by their whole path: how it would be. */
export type Overlay = ReadonlyMap<string, string>;

const nothingInstead: Overlay = new Map();

/** @param overlay a file in it that isn't there yet is found where none of its name is */
export async function readSources(inputs: SettingsInputs, overlay: Overlay = nothingInstead): Promise<Sources> {
  const commandLine = parseCommandLine(inputs.argv, inputs.commandLine);
  const { dir: start, isChosen, problems: startProblems } = await findStart(inputs, commandLine.flags.settingsDir);
  const discovery = await discoverSettings(start, inputs);
  const found = withNew(discovery.found, overlay, inputs.userConfigDir);
  const files = await Promise.all(found.map((file) => readSettingsFile(file, inputs.env, overlay.get(file.path))));
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
    found,
    targets: await saveTargets(discovery.found, isChosen ? start : null, inputs.userConfigDir),
    watchedDirs: discovery.watchedDirs,
    problems: [
      ...commandLine.problems,
      ...startProblems,
      ...overrides.problems,
      ...environment.problems,
      ...discovery.problems,
      ...files.flatMap((file) => file.problems),
    ],
    places: {
      cwd: inputs.cwd ?? start ?? inputs.homeDir,
      homeDir: inputs.homeDir,
      madsciDir: await madsciDirectory(start, inputs.homeDir),
    },
  };
}

function withNew(found: readonly FoundFile[], overlay: Overlay, userConfigDir: string): readonly FoundFile[] {
  const added = [...overlay.keys()].flatMap((path): FoundFile[] => {
    const place = dirname(path) === resolve(userConfigDir) ? 'user' : 'lab';
    const file = settingsFiles.find(({ name }) => name === basename(path));
    const isThere = found.some((each) => each.path === path || (each.name === file?.name && each.place === place));
    return file === undefined || isThere ? [] : [{ ...file, path, place }];
  });
  return byRank([...found, ...added]);
}

/**
 * What is of the lab goes to its own `lab.settings.yaml`: the one that is read, else one in the folder that was chosen.
 * Where that can't be written, and for what is of this machine alone, it is the user configuration's.
 */
async function saveTargets(
  found: readonly FoundFile[],
  labFolder: string | null,
  userConfigDir: string,
): Promise<Sources['targets']> {
  const machine = join(resolve(userConfigDir), writtenFile);
  const own = found.find(({ name, place }) => name === writtenFile && place === 'lab')?.path;
  const lab = own ?? (labFolder !== null && (await isDirectory(labFolder)) ? join(labFolder, writtenFile) : null);
  return { lab: lab === null || (await whyUnwritable(lab)) !== null ? machine : lab, machine };
}

/** The file that a setting is saved to: the one that sets it, else that of the lab or of this machine. */
export function saveTarget(name: SettingName, { targets, winners }: Pick<Sources, 'targets' | 'winners'>): string {
  return winners.get(name)?.origin.path ?? (settingOf(name).isOfMachine ? targets.machine : targets.lab);
}

/**
 * The winning finding of each setting. Layers come lowest rank first and are ranked by where they come from alone; within
 * one, a prefixed spelling beats the other, and a later finding an earlier.
 */
export function mergeLayers(layers: readonly Layer[]): ReadonlyMap<SettingName, Candidate> {
  const winners = new Map<SettingName, { readonly candidate: Candidate; readonly rank: number }>();
  for (const [rank, layer] of layers.entries()) {
    for (const candidate of layer) {
      const other = winners.get(candidate.name);
      if (other === undefined || other.rank < rank || candidate.prefixed || !other.candidate.prefixed) {
        winners.set(candidate.name, { candidate, rank });
      }
    }
  }
  return new Map([...winners].map(([name, { candidate }]) => [name, candidate]));
}

/**
 * The finding behind `/context`'s `lab_server_url`: that of `server_url`, unless a `context.*` file says it and ranks
 * higher. Returns `undefined` when nobody says anything.
 */
export function mergeLabAddress(layers: readonly Layer[]): Candidate | undefined {
  const both = layers.map((layer) =>
    layer.flatMap((candidate) =>
      candidate.name === 'server_url' || candidate.name === 'lab_server_url'
        ? [{ ...candidate, name: 'lab_server_url' as const }]
        : [],
    ),
  );
  return mergeLayers(both).get('lab_server_url');
}
