/** The folders with settings on this machine, from which the user of the app chooses that of the lab. */
import { opendir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, errorText } from '#api/errorText.ts';
import { clock } from '#api/time/clock.ts';
import type { FolderListing, FolderRequest, LabFolder } from '#api/labFolders.ts';
import { contextKey, managerKeys } from '#api/managers.ts';
import { expandHome, resolvePath, settingsFiles, startFolderNames } from '../parse/discovery.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { DiskReads, findOtherServers } from './diskReads.ts';
import { loadSettings } from './load.ts';
import { readSources } from './sources.ts';

export interface SearchLimits {
  readonly depth: number;
  /** The maximum number of folders that are read. */
  readonly folders: number;
  readonly found: number;
  /** The maximum number of entries that are read of each folder. */
  readonly entries: number;
  readonly ms: number;
  /** The limit for each folder and its settings. */
  readonly folderMs: number;
}
const defaultLimits: SearchLimits = { depth: 4, folders: 3000, found: 12, entries: 5000, ms: 3000, folderMs: 500 };
/** A folder that takes longer is on a disk or a server that does not respond, in ms. */
const listTimeoutMs = 5000;
const linkTimeoutMs = 500;
const maxListedEntries = 50_000;

/** The list of a folder is refused while another one hangs. */
const listReads = new DiskReads(1);
/** Links and searched folders, one of which may hang while the others are read. */
const probeReads = new DiskReads(2);

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
  const inTime = <Value>(read: () => Promise<Value>) =>
    probeReads.run(read, Math.min(limits.folderMs, endsAt - clock.now()));
  const isOnOtherServer = await findOtherServers([inputs.homeDir]);
  const queue = [...new Set(roots)].map((path) => ({ path, depth: 0 }));
  const queued = new Set(roots);
  const found: LabFolder[] = [];
  let count = 0;
  // The loop includes the folders that are added meanwhile.
  for (const { path, depth } of queue) {
    if (count >= limits.folders || found.length >= limits.found || clock.now() >= endsAt || probeReads.isFull) break;
    count += 1;
    const content = isOnOtherServer(path)
      ? null
      : await inTime(() => readFolder(path, limits.entries).catch(() => null));
    if (content === null) continue;
    const lab = content.files.length === 0 ? null : await inTime(() => readLab(inputs, path));
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
  const entered = resolve(expandHome(enteredPath, inputs.homeDir));
  const path = settingsFileNames.has(basename(entered)) ? dirname(entered) : entered;
  if (listReads.isFull) throw new Error('Another folder does not respond yet: enter the folder instead');
  const read = async () => {
    const content = await readFolder(path, maxListedEntries).catch((error: unknown) => {
      throw new Error(`${path} ${readFailures[errorCode(error) ?? ''] ?? `can’t be read: ${errorText(error)}`}`);
    });
    const isOnOtherServer = await findOtherServers([inputs.homeDir, path]);
    const linked: Linked = { folders: [], files: [] };
    for (const name of content.links) await addLink(linked, join(path, name), isOnOtherServer);
    const files = [...content.files, ...linked.files.filter((name) => settingsFileNames.has(name))];
    const parent = dirname(path);
    return {
      path,
      parent: parent === path ? null : parent,
      folders: [...content.folders, ...linked.folders].toSorted((a, b) => a.localeCompare(b)),
      files,
      lab: files.length === 0 ? null : await readLab(inputs, path),
    };
  };
  const listing = await listReads.run(read, listTimeoutMs);
  if (listing === null) throw new Error(`${path} can’t be read: no response within ${listTimeoutMs / 1000} s`);
  return listing;
}

interface Linked {
  readonly folders: string[];
  readonly files: string[];
}

/** Adds a link to a folder or a file, unless its target is on another server or does not respond. */
async function addLink(linked: Linked, path: string, isOnOtherServer: (path: string) => boolean): Promise<void> {
  const target = await readlink(path).catch(() => null);
  if (target === null || isOnOtherServer(resolve(dirname(path), target))) return;
  const stats = await probeReads.run(() => stat(path), linkTimeoutMs).catch(() => null);
  if (stats?.isDirectory() === true) linked.folders.push(basename(path));
  if (stats?.isFile() === true) linked.files.push(basename(path));
}

interface FolderContent {
  readonly folders: string[];
  readonly files: string[];
  readonly links: string[];
}

/** @param maxEntries the number of entries after which the rest is ignored */
async function readFolder(path: string, maxEntries: number): Promise<FolderContent> {
  const content: FolderContent = { folders: [], files: [], links: [] };
  let count = 0;
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    count += 1;
    if (count > maxEntries) break;
    if (entry.isDirectory()) content.folders.push(entry.name);
    if (entry.isFile() && settingsFileNames.has(entry.name)) content.files.push(entry.name);
    if (entry.isSymbolicLink()) content.links.push(entry.name);
  }
  return content;
}

/** The settings that make a folder that of a lab. */
const labSettings: ReadonlySet<string> = new Set([
  ...managerKeys.map(contextKey),
  'server_url',
  'manager_name',
  'name',
]);
const sharedFiles: ReadonlySet<string> = new Set(
  settingsFiles.filter(({ group }) => group === 'shared').map(({ name }) => name),
);

/**
 * Reads the settings as if the folder were chosen. `null` if its own files contain none of a lab, as many a `.env`; those
 * of its parents do not make it a lab.
 */
async function readLab({ homeDir }: SettingsInputs, path: string): Promise<LabFolder | null> {
  const inputs: SettingsInputs = {
    argv: [],
    env: {},
    cwd: null,
    homeDir,
    labFolder: path,
    // The user's own settings belong to another lab, so this folder does not exist.
    userConfigDir: join(path, '.no-user-configuration'),
    commandLine: 'desktop',
  };
  const { winners, problems } = await readSources(inputs);
  const start = await resolvePath(path);
  const ownFolders = new Set([start, ...startFolderNames.map((name) => join(start, name))]);
  const isOwn = (file: string | null): file is string => file !== null && ownFolders.has(dirname(file));
  const makesLab = [...winners].some(([name, { origin }]) => {
    // Other programs have such keys in a shared file, too.
    const isLabSetting =
      labSettings.has(name) && (!/^(name|server_url)$/i.test(origin.name ?? '') || !sharedFiles.has(origin.file ?? ''));
    return isLabSetting && isOwn(origin.path);
  });
  const isBrokenLab = problems.some(
    (problem) => problem.severity === 'error' && isOwn(problem.path) && !sharedFiles.has(basename(problem.path)),
  );
  if (!makesLab && !isBrokenLab) return null;
  const result = await loadSettings(inputs);
  return { path, labName: result.ok ? result.settings.labName : null };
}
