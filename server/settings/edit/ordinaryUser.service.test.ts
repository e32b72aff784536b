/** Files that an ordinary user cannot write: root may write everywhere, so a process of another user runs the checks. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ordinaryUser } from '#e2e/support/desktop/ordinaryUser.ts';
import { TestSettingsEditor, readText } from '../../fixtures/settingsEditor.ts';
import type { Refusal } from './plan.ts';

interface SaveAttempt {
  readonly planned: readonly string[];
  readonly refused: readonly Refusal[];
  /** Why saving the same change without a review failed; `null` if it succeeded. */
  readonly saveFailure: string | null;
}

const program = `
import { planChanges } from './plan.ts';
import { saveSettings } from './save.ts';
const [inputs, changes] = JSON.parse(process.argv[2]);
(async () => {
  const { files, refusals: refused } = await planChanges(inputs, changes);
  const saveFailure = await saveSettings(inputs, changes).then(() => null, (error) => error.message);
  console.log(JSON.stringify({ planned: files.map(({ path }) => path), refused, saveFailure }));
})();
`;

let editor: TestSettingsEditor;
let unwritablePaths: string[] = [];
beforeEach(async () => {
  editor = await TestSettingsEditor.make();
});
afterEach(async () => {
  for (const path of unwritablePaths) chmodSync(path, 0o755);
  unwritablePaths = [];
  await editor.folder.remove();
});

async function saveAsUser(
  changes: Readonly<Record<string, string>>,
  makeUnwritable: readonly string[],
): Promise<SaveAttempt> {
  const file = join(editor.folder.path, 'save.cjs');
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: file,
    logLevel: 'silent',
  });
  const user = ordinaryUser();
  user.chown(editor.folder.path);
  for (const path of makeUnwritable) {
    if (process.getuid?.() === 0) chownSync(path, 0, 0);
    else chmodSync(path, 0o555);
    unwritablePaths.push(path);
  }
  const [command = '', ...args] = [...user.command, process.execPath, file];
  const output = execFileSync(command, [...args, JSON.stringify([editor.inputs(), changes])], { encoding: 'utf8' });
  return JSON.parse(output) as SaveAttempt;
}

describe.skipIf(process.platform === 'win32')('changes of settings by an ordinary user', () => {
  it('are refused for an unwritable folder before saving, and leave the file unchanged', async () => {
    await editor.writeLab({ 'lab.settings.yaml': 'log_level: INFO\n' });
    const path = editor.lab('lab.settings.yaml');
    const { planned, refused, saveFailure } = await saveAsUser({ log_level: 'DEBUG' }, [dirname(path)]);
    expect(planned).toEqual([]);
    expect(refused).toEqual([
      {
        name: 'log_level',
        reason: `${path} can’t be written: writing there is not permitted.`,
        suggestion: expect.stringContaining('Make the file and its folder writable'),
      },
    ]);
    expect(saveFailure).toContain(`${path} can’t be written: writing there is not permitted`);
    expect(await readText(path)).toBe('log_level: INFO\n');
  });

  it('are refused for a link into an unwritable folder, with its target', async () => {
    await editor.folder.write({ 'real/mine.yaml': 'log_level: INFO\n' });
    const real = join(editor.folder.path, 'real/mine.yaml');
    symlinkSync(real, editor.lab('lab.settings.yaml'));
    const { planned, refused, saveFailure } = await saveAsUser({ log_level: 'DEBUG' }, [dirname(real)]);
    expect(planned).toEqual([]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      `${editor.lab('lab.settings.yaml')} leads to ${real}, which can’t be written: writing there is not permitted.`,
    ]);
    expect(saveFailure).toContain(`${real}, which can’t be written`);
    expect(await readText(real)).toBe('log_level: INFO\n');
  });

  it('are saved in the user’s own files', async () => {
    await editor.writeLab({ 'lab.settings.yaml': 'log_level: INFO\n' });
    const { refused, saveFailure } = await saveAsUser({ log_level: 'DEBUG' }, []);
    expect([refused, saveFailure]).toEqual([[], null]);
    expect(await readText(editor.lab('lab.settings.yaml'))).toBe('log_level: DEBUG\n');
  });
});
