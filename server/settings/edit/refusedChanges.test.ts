import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestSettingsEditor, readText } from '../../fixtures/settingsEditor.ts';
import { planChanges } from './plan.ts';
import { SettingsEditSession } from './settingsEditSession.ts';

let editor: TestSettingsEditor;
beforeEach(async () => {
  editor = await TestSettingsEditor.make();
});
afterEach(() => editor.folder.remove());

describe('a change of settings', () => {
  it('saves nothing when a file changed by a byte since the review', async () => {
    await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n', '.env': 'LAB_VERBOSE=no\n' });
    const inputs = editor.inputs();
    const planned = await editor.plan(inputs, { log_level: 'DEBUG', verbose: 'true' });
    await editor.writeLab({ '.env': 'LAB_VERBOSE=no \n' });
    await expect(editor.save(inputs, planned)).rejects.toThrow(/\.env was changed meanwhile/);
    expect(await readText(editor.lab('settings.yaml'))).toBe('log_level: INFO\n');
    // The old plan cannot be saved later either.
    await expect(editor.save(inputs, planned)).rejects.toThrow('review the changes again');
  });

  it('leaves the file unchanged and names the backup when it is an undo after another edit of the file', async () => {
    await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n' });
    const inputs = editor.inputs();
    await editor.save(inputs, await editor.plan(inputs, { log_level: 'DEBUG' }));
    await editor.writeLab({ 'settings.yaml': 'log_level: DEBUG\n# mine\n' });
    await expect(editor.undo(inputs)).rejects.toThrow(
      /changed since it was saved\. The previous version is in .*\.lab-manager\.bak/,
    );
    expect(await readText(editor.lab('settings.yaml'))).toContain('# mine');
    await expect(new SettingsEditSession().handle(inputs, { kind: 'undo' })).rejects.toThrow(
      'There is nothing to undo',
    );
  });

  it('reports an unwritable file before saving, and the others can still be saved', async () => {
    await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n', '.env': 'LAB_VERBOSE=no\n' });
    const findWriteProblem = async (path: string) => (path.endsWith('.env') ? 'the disk is read-only' : null);
    const planned = await planChanges(editor.inputs(), { log_level: 'DEBUG', verbose: 'yes' }, findWriteProblem);
    expect(planned.files.map(({ path }) => path)).toEqual([editor.lab('settings.yaml')]);
    expect(planned.refusals).toEqual([
      {
        name: 'verbose',
        reason: `${editor.lab('.env')} can’t be written: the disk is read-only.`,
        suggestion: expect.stringContaining('writable'),
      },
    ]);
  });

  it('reverts the first file’s change when the second file fails', async () => {
    await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n', '.env': 'LAB_VERBOSE=no\n' });
    // A folder occupies the path of its backup.
    await mkdir(editor.lab('.env.lab-manager.bak'));
    const inputs = editor.inputs();
    await expect(
      editor.save(inputs, await editor.plan(inputs, { log_level: 'DEBUG', verbose: 'yes' })),
    ).rejects.toThrow('was not written');
    expect([await readText(editor.lab('settings.yaml')), await readText(editor.lab('.env'))]).toEqual([
      'log_level: INFO\n',
      'LAB_VERBOSE=no\n',
    ]);
  });

  it('leaves the file unchanged when a variable appears between review and saving', async () => {
    await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n' });
    const planned = await editor.plan(editor.inputs(), { log_level: 'DEBUG' });
    const later = editor.inputs({ env: { LAB_LOG_LEVEL: 'ERROR' } });
    await expect(editor.save(later, planned)).rejects.toThrow('Log level would not have the new value');
    expect(await readText(editor.lab('settings.yaml'))).toBe('log_level: INFO\n');
  });

  it('is saved in one file with a note when another file is broken', async () => {
    await editor.writeLab({ 'settings.yaml': 'a: [\n', 'lab.settings.yaml': 'log_level: INFO\n' });
    const inputs = editor.inputs();
    const planned = await editor.plan(inputs, { log_level: 'DEBUG' });
    expect(planned.notes.join()).toContain(`The contents of this file are unknown: ${editor.lab('settings.yaml')}`);
    await editor.save(inputs, planned);
    expect(await readText(editor.lab('lab.settings.yaml'))).toBe('log_level: DEBUG\n');
  });

  it('leaves a broken file unchanged that would receive the setting', async () => {
    await editor.writeLab({ 'lab.settings.yaml': '- a\n' });
    const { refused } = await editor.plan(editor.inputs(), { log_level: 'DEBUG' });
    expect(refused).toHaveLength(1);
    expect(await readText(editor.lab('lab.settings.yaml'))).toBe('- a\n');
  });

  it.each([
    [
      'a change of an anchor that other keys use',
      { 'settings.yaml': 'log_level: &l INFO\nother: *l\n' },
      'DEBUG',
      /anchor &l, which other keys use/,
    ],
    [
      'a removal of a merged value',
      { 'settings.yaml': 'b: &b {log_level: INFO}\n<<: *b\n' },
      null,
      /would still set it/,
    ],
  ])('is refused if it is %s', async (_name, files, typed, reason) => {
    await editor.writeLab(files);
    const { refused } = await editor.plan(editor.inputs(), { log_level: typed });
    expect(refused.map((refusal) => refusal.reason).join()).toMatch(reason);
    expect(refused[0]?.suggestion).toContain('settings.yaml');
  });
});
