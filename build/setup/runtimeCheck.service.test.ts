import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { officialFault, runtimeFault } from './runtimeCheck.mjs';

let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'runtime-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Creates an `electron` package that contains only the given files, and returns its directory. */
function installRuntime(files: Readonly<Record<string, string>>): string {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version: '45.4.1' }));
  mkdirSync(join(root, 'dist'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), text);
    chmodSync(join(root, name), 0o755);
  }
  return root;
}

/** A stub of Electron that prints its version when started as plain Node. */
const script = (version: string) => `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && echo ${version}\n`;
const completeRuntime = { 'dist/electron': script('45.4.1'), 'dist/version': '45.4.1', 'path.txt': 'electron' };

/** Linux only: the stub is a shell script at the program's path on Linux. */
describe.runIf(process.platform === 'linux')('the Electron runtime', () => {
  test('is accepted when its installation is complete and it starts', () => {
    expect(officialFault(installRuntime(completeRuntime))).toBeNull();
  });

  test.each([
    ['was interrupted', { ...completeRuntime, 'path.txt': '' }, 'its download was not finished'],
    ['is of another version', { ...completeRuntime, 'dist/version': 'v44.0.0' }, 'it is version 44.0.0, not 45.4.1'],
    [
      'has a broken program',
      { ...completeRuntime, 'dist/electron': '#!/bin/sh\nexit 127\n' },
      /^its program can't be started/,
    ],
    [
      'has an empty program',
      { ...completeRuntime, 'dist/electron': '' },
      /^its program (can't be started|is version unknown)/,
    ],
    ['has no program', { 'dist/version': '45.4.1', 'path.txt': 'electron' }, /^its program can't be started .*ENOENT/],
    [
      'has another program',
      { ...completeRuntime, 'dist/electron': script('33.2.1') },
      'its program is version 33.2.1, not 45.4.1',
    ],
    [
      'has no version',
      { 'dist/electron': script('45.4.1'), 'path.txt': 'electron' },
      /^it has no file with its version/,
    ],
  ])('is rejected if its installation %s', (_what, files, fault) => {
    expect(officialFault(installRuntime(files))).toEqual(
      typeof fault === 'string' ? fault : expect.stringMatching(fault),
    );
  });

  test('is accepted when only a system library is missing', () => {
    const missingLibrary =
      '#!/bin/sh\necho "electron: error while loading shared libraries: libgtk-3.so.0: cannot open" >&2; exit 127\n';
    expect(officialFault(installRuntime({ ...completeRuntime, 'dist/electron': missingLibrary }))).toBeNull();
  });

  test('may have any version when the user selects it by path', () => {
    installRuntime({ 'dist/electron': script('44.1.0'), 'dist/version': 'v44.1.0\n' });
    expect(runtimeFault(join(root, 'dist'), null)).toBeNull();
  });
});
