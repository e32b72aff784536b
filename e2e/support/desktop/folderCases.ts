/** Unusable folders of the app, created in a home before its start. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../api/errorText.ts';
import { ordinaryUser } from './ordinaryUser.ts';
import type { OutsideFolders } from './outsideApp.ts';

export interface FolderCase {
  readonly name: string;
  /** The path that the app must name, relative to the home; `null` if it has nothing to report. */
  readonly names: string | null;
  /** Runs after the user owns the home. @returns a function that undoes it */
  readonly spoil: (folders: OutsideFolders) => () => void;
  readonly env?: Readonly<Record<string, string>>;
}

const isRoot = process.getuid?.() === 0;

/** The parent folders belong to the user and are usable. */
function makeParents(path: string, { home }: OutsideFolders): void {
  mkdirSync(dirname(path), { recursive: true });
  ordinaryUser().chown(home);
}

function closed(folder: string, folders: OutsideFolders): () => void {
  makeParents(folder, folders);
  mkdirSync(folder, { recursive: true });
  // A folder that belongs to root; if the tests do not run as root, one that its owner may not write to.
  if (isRoot) chownSync(folder, 0, 0);
  chmodSync(folder, isRoot ? 0o755 : 0o555);
  return () => chmodSync(folder, 0o755);
}

function readOnly(folder: string, folders: OutsideFolders): () => void {
  makeParents(folder, folders);
  mkdirSync(folder, { recursive: true });
  if (!isRoot) return closed(folder, folders);
  execFileSync('mount', ['--bind', folder, folder]);
  execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
  return () => void execFileSync('umount', ['--lazy', folder]);
}

/** A full file system of a few kilobytes, which only root can create. */
function full(folder: string, folders: OutsideFolders): () => void {
  makeParents(folder, folders);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0777', 'tmpfs', folder]);
  try {
    writeFileSync(join(folder, 'filler'), Buffer.alloc(256 * 1024));
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
  }
  return () => void execFileSync('umount', ['--lazy', folder]);
}

function file(path: string, folders: OutsideFolders): () => void {
  makeParents(path, folders);
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, 'not a folder');
  return () => rmSync(path, { force: true });
}

const config = '.config/lab-manager';

const always: readonly FolderCase[] = [
  { name: 'a read-only home', names: config, spoil: (folders) => readOnly(folders.home, folders) },
  {
    name: 'a home that doesn’t exist',
    names: config,
    spoil: () => () => undefined,
    env: { HOME: '/nonexistent/home' },
  },
  { name: 'no HOME at all', names: null, spoil: () => () => undefined, env: { HOME: '' } },
  { name: 'configuration of another account', names: config, spoil: (folders) => closed(folders.config, folders) },
  { name: 'read-only configuration', names: config, spoil: (folders) => readOnly(folders.config, folders) },
  { name: 'a file in place of the configuration', names: config, spoil: (folders) => file(folders.config, folders) },
  {
    name: 'a file in place of .config',
    names: config,
    spoil: (folders) => file(join(folders.home, '.config'), folders),
  },
  {
    name: 'the app’s own state of another account',
    names: config,
    spoil: (folders) => closed(join(folders.config, 'desktop'), folders),
  },
  {
    name: 'a file in place of its state',
    names: config,
    spoil: (folders) => file(join(folders.config, 'desktop'), folders),
  },
  {
    name: 'logs of another account',
    names: `${config}/logs`,
    spoil: (folders) => closed(join(folders.config, 'logs'), folders),
  },
  {
    name: 'a file in place of the logs',
    names: `${config}/logs`,
    spoil: (folders) => file(join(folders.config, 'logs'), folders),
  },
];

const asRoot: readonly FolderCase[] = [
  { name: 'a full disk under the configuration', names: config, spoil: (folders) => full(folders.config, folders) },
  {
    name: 'a full disk under the logs',
    names: `${config}/logs`,
    spoil: (folders) => full(join(folders.config, 'logs'), folders),
  },
];

export const folderCases: readonly FolderCase[] = isRoot ? [...always, ...asRoot] : always;
