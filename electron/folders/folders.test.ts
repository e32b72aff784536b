import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  fileProblemText,
  folderProblemText,
  homeDirectory,
  lockFolder,
  temporaryProfile,
  unwritableReason,
} from './folders.ts';
import { openInOtherProgram } from '../../server/storage/lockedFiles.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

describe('unwritableReason', () => {
  it('creates a missing folder and leaves nothing in it', () => {
    const folder = join(root, 'a', 'b');
    expect(unwritableReason(folder)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports a file in place of the folder', () => {
    writeFileSync(join(root, 'file'), '');
    expect(unwritableReason(join(root, 'file'))).toBe('a file exists in place of the folder');
    expect(unwritableReason(join(root, 'file', 'below'))).toBe('a file exists in place of the folder');
  });
});

it.each([
  ['it is damaged', 'Move that file away'],
  [openInOtherProgram, 'Close that program'],
])('fileProblemText contains the remedy when %s', (reason, advice) => {
  expect(fileProblemText({ path: '/x.json', use: 'Preferences', reason })).toContain(advice);
});

// Windows has no file modes, and each account has its own temporary folder.
describe.skipIf(process.platform === 'win32')('temporaryProfile', () => {
  it('is the same at each start, and only its user can read it', () => {
    vi.stubEnv('TMPDIR', root);
    const first = temporaryProfile('/home/x/.config/lab-manager');
    expect(temporaryProfile('/home/x/.config/lab-manager')).toBe(first);
    expect(statSync(first).mode & 0o777).toBe(0o700);
    expect(temporaryProfile('/home/y/.config/lab-manager')).not.toBe(first);
  });

  it('is a different folder when a public folder has its name', () => {
    vi.stubEnv('TMPDIR', root);
    const first = temporaryProfile('/home/x/.config/lab-manager');
    chmodSync(first, 0o777);
    expect(temporaryProfile('/home/x/.config/lab-manager')).not.toBe(first);
  });
});

// Windows keeps its lock outside of folders.
describe.skipIf(process.platform === 'win32')('lockFolder', () => {
  it('is in the runtime folder, also while that is full or read-only', () => {
    vi.stubEnv('XDG_RUNTIME_DIR', root);
    const folder = lockFolder('/home/x/.config/lab-manager');
    expect(folder).toMatch(new RegExp(`^${root}/lab-manager-`));
    chmodSync(root, 0o500);
    expect(lockFolder('/home/x/.config/lab-manager')).toBe(folder);
    expect(lockFolder('/home/y/.config/lab-manager')).not.toBe(folder);
    chmodSync(root, 0o700);
  });

  it('is in the temporary folder if the runtime folder does not exist', () => {
    vi.stubEnv('XDG_RUNTIME_DIR', join(root, 'missing'));
    vi.stubEnv('TMPDIR', root);
    expect(lockFolder('/home/x/.config/lab-manager')).not.toMatch(/missing/);
  });
});

it('homeDirectory is known without HOME', () => {
  vi.stubEnv('HOME', '');
  expect(isAbsolute(homeDirectory())).toBe(true);
});

it('folderProblemText names the folder, the reason and the remedy', () => {
  const sentence = folderProblemText({ path: '/home/x/.config', use: 'Settings', reason: 'the disk is read-only' });
  expect(sentence).toContain('/home/x/.config: the disk is read-only');
  expect(sentence).toContain('Make the folder writable');
});
