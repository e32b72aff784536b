/**
 * Searches for each settings file separately: from the start directory upwards through at most ten parents, up to a
 * directory that contains `.madsci/` or `.git` or is the home directory, then in `<start>/managers/` and
 * `<start>/config/`. Files in the user configuration folder always have the lowest priority, so that values entered for
 * one lab never override another's. Source: the discovery of MADSci 0.8.1, without the user configuration.
 */
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '#api/errorText.ts';
import { makeProblem } from './problem.ts';
import type { FileGroup } from '../schema/names.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';

export type FileFormat = 'yaml' | 'toml' | 'json' | 'dotenv';

/** A file name to search for. */
export interface SettingsFile {
  readonly name: string;
  readonly format: FileFormat;
  readonly group: FileGroup;
}

/** All file names, lowest priority first. */
export const settingsFiles: readonly SettingsFile[] = [
  { name: 'settings.yaml', format: 'yaml', group: 'shared' },
  { name: 'lab.settings.yaml', format: 'yaml', group: 'lab' },
  { name: 'context.settings.yaml', format: 'yaml', group: 'context' },
  { name: 'settings.toml', format: 'toml', group: 'shared' },
  { name: 'lab.settings.toml', format: 'toml', group: 'lab' },
  { name: 'context.settings.toml', format: 'toml', group: 'context' },
  { name: 'settings.json', format: 'json', group: 'shared' },
  { name: 'lab.settings.json', format: 'json', group: 'lab' },
  { name: 'context.settings.json', format: 'json', group: 'context' },
  { name: '.env', format: 'dotenv', group: 'shared' },
  { name: 'lab.env', format: 'dotenv', group: 'lab' },
  { name: 'context.env', format: 'dotenv', group: 'context' },
];

/** File names that are mistaken for a lab's own settings files: Windows hides the ending, and other programs use `.yml`. */
const misnamedFiles = settingsFiles
  .filter(({ group }) => group !== 'shared')
  .flatMap((file) => [
    { ...file, misnamed: `${file.name}.txt` },
    ...(file.format === 'yaml' ? [{ ...file, misnamed: file.name.replace(/yaml$/, 'yml') }] : []),
  ]);

/** The maximum number of parents searched besides the start directory. */
const maxParents = 10;
export const startFolderNames = ['managers', 'config'] as const;

/** A settings file that exists. */
export interface FoundFile extends SettingsFile {
  readonly path: string;
  /** `lab`: found from the start directory. `user`: in the user configuration folder. */
  readonly place: 'lab' | 'user';
}

/** Sorts files by priority, the lowest first. */
export function sortByRank(files: readonly FoundFile[]): readonly FoundFile[] {
  const rank = ({ name, place }: FoundFile): number =>
    settingsFiles.findIndex((file) => file.name === name) + (place === 'lab' ? settingsFiles.length : 0);
  return files.toSorted((a, b) => rank(a) - rank(b));
}

interface Discovery {
  /** Lowest priority first. */
  readonly foundFiles: readonly FoundFile[];
  /** Directories in which a settings file could appear or change; not all need to exist. */
  readonly watchedDirs: readonly string[];
  readonly problems: readonly SettingsProblem[];
}

/** The type of a path; `missing` also if it cannot exist (a file as parent, a circular link). */
async function pathKind(path: string): Promise<'file' | 'directory' | 'missing' | 'inaccessible'> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'missing';
  } catch (error) {
    const code = errorCode(error);
    return code === 'EACCES' || code === 'EPERM' ? 'inaccessible' : 'missing';
  }
}

/** Texts that no system accepts as a path. libuv aborts the process on Windows for U+10FFFF (nodejs/node#65060). */
export function isInvalidPath(text: string): boolean {
  return /[\0\u{10ffff}]/u.test(text);
}

/** The path with links resolved as far as it exists; MADSci's lab manager compares resolved paths. */
export async function resolvePath(path: string): Promise<string> {
  const absolutePath = resolve(path);
  try {
    return await realpath(absolutePath);
  } catch {
    const parent = dirname(absolutePath);
    return parent === absolutePath ? absolutePath : join(await resolvePath(parent), absolutePath.slice(parent.length));
  }
}

/** The start directory of the search; `dir` is `null` if none is set or its path is invalid, and need not exist. */
interface Start {
  readonly dir: string | null;
  /** Whether it was set or chosen as the lab's folder, unlike the current directory. */
  readonly isChosen: boolean;
  /** Whether it was set by `--settings-dir`, the settings-directory argument, or `MADSCI_SETTINGS_DIR`. */
  readonly isExplicit: boolean;
  readonly problems: readonly SettingsProblem[];
}

/**
 * The start directory: `--settings-dir`, the settings-directory argument, `MADSCI_SETTINGS_DIR`, the lab folder chosen in
 * the app, the current directory. A missing one is a warning: its parents are searched nevertheless, as MADSci's lab
 * manager does.
 */
export async function findStart(inputs: SettingsInputs, option: string | null): Promise<Start> {
  const variable = Object.entries(inputs.env).findLast(([name]) => name.toUpperCase() === 'MADSCI_SETTINGS_DIR')?.[1];
  const candidates = [
    { path: option, source: 'command line', key: '--settings-dir' },
    { path: inputs.settingsDir, source: 'argument', key: 'settings directory' },
    { path: variable, source: 'environment', key: 'MADSCI_SETTINGS_DIR' },
    { path: inputs.labFolder, source: 'argument', key: 'lab folder' },
    { path: inputs.cwd, source: 'argument', key: 'current directory' },
  ] as const;
  const firstSet = candidates.find(({ path }) => path != null && path !== '');
  if (firstSet?.path == null) {
    return { dir: null, isChosen: false, isExplicit: false, problems: [] };
  }
  const { path, source, key } = firstSet;
  const isChosen = key !== 'current directory';
  const isExplicit = isChosen && key !== 'lab folder';
  const expected = 'the directory of the settings files';
  if (isInvalidPath(path)) {
    const problem = makeProblem({ severity: 'error', source, key, value: path, message: 'is not a path', expected });
    return { dir: null, isChosen, isExplicit, problems: [problem] };
  }
  const dir = await resolvePath(resolve(inputs.cwd ?? inputs.homeDir, expandHome(path, inputs.homeDir)));
  const missing = makeProblem({
    severity: 'warning',
    source,
    key,
    value: path,
    message: 'there is no such directory, so settings files are searched for in its parents only',
    expected,
  });
  return {
    dir,
    isChosen,
    isExplicit,
    problems: (await isDirectory(dir)) ? [] : [missing],
  };
}

/** The directories of the search, nearest first. */
export async function walkUp(start: string, homeDir: string): Promise<readonly string[]> {
  const home = await resolvePath(homeDir);
  const dirs: string[] = [];
  let dir = start;
  while (dirs.length <= maxParents) {
    dirs.push(dir);
    const isLast = dir === home || (await isGitRoot(dir)) || (await isDirectory(join(dir, '.madsci')));
    const parent = dirname(dir);
    if (isLast || parent === dir) {
      break;
    }
    dir = parent;
  }
  return dirs;
}

/** Whether a path is an accessible directory. */
export async function isDirectory(path: string): Promise<boolean> {
  return (await pathKind(path)) === 'directory';
}

/** The `.git` of a worktree or of a submodule is a file. */
async function isGitRoot(dir: string): Promise<boolean> {
  return ['directory', 'file'].includes(await pathKind(join(dir, '.git')));
}

/**
 * Searches for all settings files. An inaccessible directory is a warning and counts as empty. If it is the explicit
 * start directory, it is an error, because the lab would be watched with default settings.
 */
export async function discoverSettings(
  { dir: start, isExplicit }: Pick<Start, 'dir' | 'isExplicit'>,
  places: Pick<SettingsInputs, 'homeDir' | 'userConfigDir'>,
): Promise<Discovery> {
  const walk = start === null ? [] : await walkUp(start, places.homeDir);
  const startFolders = start === null ? [] : startFolderNames.map((name) => join(start, name));
  const userDir = resolve(places.userConfigDir);
  const labDirs = [...new Set([...walk, ...startFolders])].filter((dir) => dir !== userDir);
  const dirs = [...labDirs, userDir];
  const foundFiles: FoundFile[] = [];
  const unreadableDirs = new Set<string>();
  for (const [place, searchDirs] of [
    ['lab', labDirs],
    ['user', [userDir]],
  ] as const) {
    for (const file of settingsFiles) {
      for (const dir of searchDirs) {
        const path = join(dir, file.name);
        const kind = await pathKind(path);
        if (kind === 'inaccessible') {
          unreadableDirs.add(dir);
        }
        if (kind === 'file') {
          foundFiles.push({ ...file, path, place });
          break;
        }
      }
    }
  }
  // A linked file changes at its target, not at the link (as in mounted configuration volumes).
  const targets = await Promise.all(foundFiles.map(async (file) => dirname(await resolvePath(file.path))));
  return {
    foundFiles: sortByRank(foundFiles),
    watchedDirs: [...new Set([...dirs, ...targets])],
    problems: [
      ...(await misnamedProblems(dirs)),
      ...[...unreadableDirs].map((dir) => inaccessibleProblem(dir, isExplicit && dir === start ? 'error' : 'warning')),
    ],
  };
}

function inaccessibleProblem(dir: string, severity: SettingsProblem['severity']): SettingsProblem {
  return makeProblem({
    severity,
    source: 'argument',
    path: dir,
    message: 'this directory cannot be entered, so settings files in it are not read',
    expected: 'permission to enter the directory, for the user the lab manager runs as',
  });
}

async function misnamedProblems(dirs: readonly string[]): Promise<readonly SettingsProblem[]> {
  const found = await Promise.all(
    dirs.flatMap((dir) =>
      misnamedFiles.map(async ({ name, format, misnamed }) => {
        const path = join(dir, misnamed);
        const expected = `the name ${name}; rename it`;
        return (await pathKind(path)) === 'file'
          ? makeProblem({ severity: 'warning', source: format, path, message: 'this file is not read', expected })
          : null;
      }),
    ),
  );
  return found.filter((problem) => problem !== null);
}

/** Replaces the tilde of `~` and `~/x` with the home directory; `~user` stays unchanged. */
export function expandHome(path: string, homeDir: string): string {
  return path === '~' ? homeDir : /^~[/\\]/.test(path) ? join(homeDir, path.slice(2)) : path;
}

/** The base of a source's relative paths, and the values of `~` and `.madsci/`. */
export interface PathBase {
  readonly baseDir: string;
  readonly homeDir: string;
  readonly madsciDir: string;
}

/** The absolute path for a configured path. */
export function resolveConfiguredPath(path: string, base: PathBase): string {
  if (/^\.madsci(?:[/\\]|$)/.test(path)) {
    return resolve(base.madsciDir, path.replace(/^\.madsci[/\\]*/, ''));
  }
  return resolve(base.baseDir, expandHome(path, base.homeDir));
}

/**
 * The lab's `.madsci` directory: the nearest existing one from the start directory upwards (ten parents, not above the
 * home directory), else next to the nearest `.git`, else in the home directory. It need not exist. Unlike the search for
 * settings files, this one continues past a `.git`. Source: MADSci 0.8.1.
 */
export async function madsciDirectory(start: string | null, homeDir: string): Promise<string> {
  const home = await resolvePath(homeDir);
  let madsciBesideGit: string | null = null;
  let dir = start;
  for (let level = 0; dir !== null && level <= maxParents; level += 1) {
    const candidate = join(dir, '.madsci');
    if (await isDirectory(candidate)) {
      return candidate;
    }
    madsciBesideGit ??= (await isGitRoot(dir)) ? candidate : null;
    const parent = dirname(dir);
    dir = parent === dir || dir === home ? null : parent;
  }
  return madsciBesideGit ?? join(homeDir, '.madsci');
}
