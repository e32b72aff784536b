/** The ways in which folders of the app can be unusable. Each is set up in a home directory before the app starts. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '#api/errorText.ts';
import { ordinaryUser } from './ordinaryUser.ts';
import type { OutsideFolders } from './outsideApp.ts';

export interface FolderCase {
  readonly name: string;
  /** The path that the app must name, relative to the home; `null` if it has nothing to report. */
  readonly namedPath: string | null;
  /** Runs once the user owns the home. @returns a function that undoes the change */
  readonly makeUnusable: (folders: OutsideFolders) => () => void;
  readonly env?: Readonly<Record<string, string>>;
}

const isRoot = process.getuid?.() === 0;

/** Creates the parent folders, which belong to the user and are usable. */
function makeParents(path: string, { home }: OutsideFolders): void {
  mkdirSync(dirname(path), { recursive: true });
  ordinaryUser().chown(home);
}

function makeUnwritable(folder: string, folders: OutsideFolders): () => void {
  makeParents(folder, folders);
  mkdirSync(folder, { recursive: true });
  // The folder belongs to root; if the tests do not run as root, its owner may not write to it.
  if (isRoot) chownSync(folder, 0, 0);
  chmodSync(folder, isRoot ? 0o755 : 0o555);
  return () => chmodSync(folder, 0o755);
}

function makeReadOnly(folder: string, folders: OutsideFolders): () => void {
  makeParents(folder, folders);
  mkdirSync(folder, { recursive: true });
  if (!isRoot) return makeUnwritable(folder, folders);
  execFileSync('mount', ['--bind', folder, folder]);
  execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
  return () => void execFileSync('umount', ['--lazy', folder]);
}

/** Mounts a small file system without free space at the folder, which only root can do. */
function makeFull(folder: string, folders: OutsideFolders): () => void {
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

function replaceByFile(path: string, folders: OutsideFolders): () => void {
  makeParents(path, folders);
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, 'not a folder');
  return () => rmSync(path, { force: true });
}

const config = '.config/lab-manager';

const casesForAllUsers: readonly FolderCase[] = [
  { name: 'a read-only home', namedPath: config, makeUnusable: (folders) => makeReadOnly(folders.home, folders) },
  {
    name: 'a home that doesn’t exist',
    namedPath: config,
    makeUnusable: () => () => undefined,
    env: { HOME: '/nonexistent/home' },
  },
  { name: 'no HOME at all', namedPath: null, makeUnusable: () => () => undefined, env: { HOME: '' } },
  {
    name: 'configuration of another account',
    namedPath: config,
    makeUnusable: (folders) => makeUnwritable(folders.config, folders),
  },
  {
    name: 'read-only configuration',
    namedPath: config,
    makeUnusable: (folders) => makeReadOnly(folders.config, folders),
  },
  {
    name: 'a file in place of the configuration',
    namedPath: config,
    makeUnusable: (folders) => replaceByFile(folders.config, folders),
  },
  {
    name: 'a file in place of .config',
    namedPath: config,
    makeUnusable: (folders) => replaceByFile(join(folders.home, '.config'), folders),
  },
  {
    name: 'the app’s own state of another account',
    namedPath: config,
    makeUnusable: (folders) => makeUnwritable(join(folders.config, 'desktop'), folders),
  },
  {
    name: 'a file in place of its state',
    namedPath: config,
    makeUnusable: (folders) => replaceByFile(join(folders.config, 'desktop'), folders),
  },
  {
    name: 'logs of another account',
    namedPath: `${config}/logs`,
    makeUnusable: (folders) => makeUnwritable(join(folders.config, 'logs'), folders),
  },
  {
    name: 'a file in place of the logs',
    namedPath: `${config}/logs`,
    makeUnusable: (folders) => replaceByFile(join(folders.config, 'logs'), folders),
  },
];

const casesForRoot: readonly FolderCase[] = [
  {
    name: 'a full disk under the configuration',
    namedPath: config,
    makeUnusable: (folders) => makeFull(folders.config, folders),
  },
  {
    name: 'a full disk under the logs',
    namedPath: `${config}/logs`,
    makeUnusable: (folders) => makeFull(join(folders.config, 'logs'), folders),
  },
];

export const folderCases: readonly FolderCase[] = isRoot ? [...casesForAllUsers, ...casesForRoot] : casesForAllUsers;
