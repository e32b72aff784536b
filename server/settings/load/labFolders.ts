/** The folders with settings on this machine, from which the user of the app chooses that of the lab. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { errorCode, errorText } from '#api/errorText.ts';
import { clock } from '#api/time/clock.ts';
import { withTimeout } from '../../concurrency/boundedWait.ts';
import { expandHome, settingsFiles, startFolderNames } from '../parse/discovery.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { isConfigured, loadSettings } from './load.ts';

/** A request of the app about folders. `find-folders` searches below the roots; `list-folder` reads one folder. */
export const folderRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('find-folders'), roots: z.array(z.string()) }),
  z.object({ kind: z.literal('list-folder'), path: z.string() }),
]);
export type FolderRequest = z.infer<typeof folderRequest>;

/** A folder with a lab's settings. */
interface LabFolder {
  readonly path: string;
  /** `null` if the settings have none or contain errors. */
  readonly labName: string | null;
}

interface FolderListing {
  readonly path: string;
  readonly parent: string | null;
  readonly folders: readonly string[];
  /** The names of the settings files. */
  readonly files: readonly string[];
  /** `null` if the folder contains no lab's settings. */
  readonly lab: LabFolder | null;
}

export interface SearchLimits {
  readonly depth: number;
  /** The maximum number of folders that are read. */
  readonly folders: number;
  readonly found: number;
  readonly ms: number;
}
const defaultLimits: SearchLimits = { depth: 4, folders: 3000, found: 12, ms: 3000 };
/** A folder that takes longer is on a disk or a server that does not respond, in ms. */
const listTimeoutMs = 5000;

const settingsFileNames: ReadonlySet<string> = new Set(settingsFiles.map(({ name }) => name));
const skippedNames = /^(?:\.|node_modules$|AppData$|Library$)/;

export const isFolderRequest = (request: { readonly kind: string }): request is FolderRequest =>
  request.kind === 'find-folders' || request.kind === 'list-folder';

export function handleFolderRequest(inputs: SettingsInputs, request: FolderRequest): Promise<unknown> {
  return request.kind === 'find-folders' ? findLabFolders(inputs, request.roots) : listFolder(inputs, request.path);
}

/**
 * Searches breadth-first below the roots. Follows no links and enters no network drive other than that of the home folder,
 * because a server that does not respond blocks every read.
 */
export async function findLabFolders(
  inputs: SettingsInputs,
  roots: readonly string[],
  limits = defaultLimits,
): Promise<readonly LabFolder[]> {
  const endsAt = clock.now() + limits.ms;
  const inTime = <Value>(work: Promise<Value>) => withTimeout(work, endsAt - clock.now(), () => null);
  const isOnOtherServer = await findOtherServers(inputs.homeDir);
  const queue = [...new Set(roots)].map((path) => ({ path, depth: 0 }));
  const queued = new Set(roots);
  const found: LabFolder[] = [];
  let count = 0;
  // The loop includes the folders that are added meanwhile.
  for (const { path, depth } of queue) {
    if (count >= limits.folders || found.length >= limits.found || clock.now() >= endsAt) break;
    count += 1;
    const content = isOnOtherServer(path) ? null : await inTime(readFolder(path).catch(() => null));
    if (content === null) continue;
    const lab = content.files.length === 0 ? null : await inTime(readLab(inputs, path));
    if (lab !== null) found.push(lab);
    const partNames: readonly string[] = lab === null ? [] : startFolderNames;
    const children = content.folders.filter((name) => !skippedNames.test(name) && !partNames.includes(name));
    for (const child of depth < limits.depth ? children.map((name) => join(path, name)) : []) {
      if (!queued.has(child)) queue.push({ path: child, depth: depth + 1 });
      queued.add(child);
    }
  }
  return found;
}

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EACCES: 'may not be read by this account',
  EPERM: 'may not be read by this account',
};

/** Lists the folders and settings files in a folder. @throws Error with a user-facing message */
async function listFolder(inputs: SettingsInputs, enteredPath: string): Promise<FolderListing> {
  const path = resolve(expandHome(enteredPath, inputs.homeDir));
  const listing = async (): Promise<FolderListing> => {
    const { folders, files, links } = await readFolder(path).catch((error: unknown) => {
      throw new Error(`${path} ${readFailures[errorCode(error) ?? ''] ?? `can’t be read: ${errorText(error)}`}`);
    });
    const kinds = await Promise.all(links.map((name) => stat(join(path, name)).catch(() => null)));
    const linked = (isKind: (kind: NonNullable<(typeof kinds)[number]>) => boolean) =>
      links.filter((_name, index) => kinds[index] && isKind(kinds[index]));
    const allFiles = [...files, ...linked((kind) => kind.isFile()).filter((name) => settingsFileNames.has(name))];
    const parent = dirname(path);
    return {
      path,
      parent: parent === path ? null : parent,
      folders: [...folders, ...linked((kind) => kind.isDirectory())].toSorted((a, b) => a.localeCompare(b)),
      files: allFiles,
      lab: allFiles.length === 0 ? null : await readLab(inputs, path),
    };
  };
  return withTimeout(listing(), listTimeoutMs, () => {
    throw new Error(`${path} can’t be read: no response within ${listTimeoutMs / 1000} s`);
  });
}

async function readFolder(path: string) {
  const entries = await readdir(path, { withFileTypes: true });
  const namesOf = (kind: 'isDirectory' | 'isFile' | 'isSymbolicLink') =>
    entries.filter((entry) => entry[kind]()).map(({ name }) => name);
  return {
    folders: namesOf('isDirectory'),
    files: namesOf('isFile').filter((name) => settingsFileNames.has(name)),
    links: namesOf('isSymbolicLink'),
  };
}

/** Reads the settings as if the folder were chosen; `null` if they contain none of a lab, as many a `.env`. */
async function readLab({ homeDir }: SettingsInputs, path: string): Promise<LabFolder | null> {
  const result = await loadSettings({
    argv: [],
    env: {},
    cwd: null,
    homeDir,
    labFolder: path,
    // The user's own settings belong to another lab.
    userConfigDir: path,
    commandLine: 'desktop',
  });
  if (!result.ok) return { path, labName: null };
  return isConfigured(result) ? { path, labName: result.settings.labName } : null;
}

/** Types of network file systems in `/proc/self/mountinfo`, and of folders that mount one when they are read. */
const networkTypes = /^(?:nfs|cifs|smb|9p|afs|ceph|glusterfs|lustre|davfs|autofs|fuse\.)/;

/** Returns whether a path is on a network drive other than that of the home folder. Only Linux lists its drives. */
async function findOtherServers(homeDir: string): Promise<(path: string) => boolean> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const mounts = table.split('\n').flatMap((line) => {
    const [place = '', source] = line.split(' - ');
    const point = place
      .split(' ')[4]
      ?.replaceAll(/\\(\d{3})/g, (_code, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    return point === undefined || source === undefined ? [] : [{ point, isNetwork: networkTypes.test(source) }];
  });
  const mountOf = (path: string) =>
    mounts
      .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
      .reduce<(typeof mounts)[number] | null>(
        (longest, mount) => (longest === null || mount.point.length >= longest.point.length ? mount : longest),
        null,
      );
  const home = mountOf(homeDir);
  return (path) => {
    const mount = mountOf(path);
    return mount !== home && mount?.isNetwork === true;
  };
}
