/** Everything that says something about a setting, lowest rank first: the files that are found, the environment, the arguments. */
import { basename } from 'node:path';
import { parseCommandLine } from '../readers/commandLine.ts';
import { discoverSettings, findStart, settingsFiles, type FoundFile } from '../readers/discovery.ts';
import { readEnvironment } from '../readers/environment.ts';
import { readSettingsFile } from '../readers/files.ts';
import { madsciDirectory } from '../readers/paths.ts';
import type { SettingName } from '../schema/table.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';
import { mergeLabAddress, mergeLayers, type Candidate, type Layer } from './merge.ts';
import { readOverrides } from './overrides.ts';

export interface Sources {
  /** Lowest rank first. */
  readonly layers: readonly Layer[];
  /** What counts for each setting. */
  readonly winners: ReadonlyMap<SettingName, Candidate>;
  /** Who decides on `/context`'s `lab_server_url`; `undefined` when nobody does. */
  readonly labAddress: Candidate | undefined;
  readonly found: readonly FoundFile[];
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
  const { dir: start, problems: startProblems } = await findStart(inputs, commandLine.flags.settingsDir);
  const discovery = await discoverSettings(start, inputs);
  const found = withNew(discovery.found, overlay);
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

function withNew(found: readonly FoundFile[], overlay: Overlay): readonly FoundFile[] {
  return settingsFiles.flatMap((file) => {
    const there = found.find(({ name }) => name === file.name);
    if (there !== undefined) return [there];
    const path = [...overlay.keys()].find((each) => basename(each) === file.name);
    return path === undefined ? [] : [{ ...file, path }];
  });
}
