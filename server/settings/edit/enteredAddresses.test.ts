import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestSettingsEditor, readText } from '../../fixtures/settingsEditor.ts';
import { formatEffective } from '../load/report.ts';
import { loadSettings } from '../load/load.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { backupPath } from './plan.ts';

const enteredText =
  '# bench A\nworkcell_server_url: http://a-pc:8005/\nevent_server_url: http://a-pc:8001/\nlisten_port: 8010\n';
let editor: TestSettingsEditor;
let inputs: SettingsInputs;
beforeEach(async () => {
  editor = await TestSettingsEditor.make();
  inputs = editor.inputs({ cwd: null, labFolder: editor.lab('') });
  await editor.folder.write({ 'home/.config/lab-manager/lab.settings.yaml': enteredText });
});
afterEach(() => editor.folder.remove());

it('entered addresses never outrank a file of the chosen lab folder and are listed as hidden', async () => {
  await editor.writeLab({ 'settings.yaml': 'manager_name: Lab B\nworkcell_server_url: http://b-pc:8005/\n' });
  const result = await loadSettings(inputs);
  expect(result.ok && result.settings.context.workcell_server_url).toBe('http://b-pc:8005/');
  expect(await editor.findRow(inputs, 'workcell_server_url')).toMatchObject({
    origin: `${editor.lab('settings.yaml')}, line 2`,
    overriddenOrigins: [`${editor.user}, line 2`],
  });
  expect(await editor.findRow(inputs, 'event_server_url')).toMatchObject({
    origin: `${editor.user}, line 3`,
    overriddenOrigins: [],
  });
});

it('entered addresses cause a warning when the lab’s own files leave some of them in force', async () => {
  await editor.writeLab({ 'settings.yaml': 'manager_name: Lab B\nworkcell_server_url: http://b-pc:8005/\n' });
  const text = formatEffective(await loadSettings(inputs));
  expect(text).toContain(
    'event_server_url comes from the user configuration, but workcell_server_url, manager_name come from the lab’s own files: the addresses may be those of two labs',
  );
  expect(text).toContain(`warning: ${editor.user}:3: event_server_url`);
  // A setting that does not describe the lab causes no warning.
  await editor.writeLab({ 'settings.yaml': 'verbose: true\n' });
  expect(formatEffective(await loadSettings(inputs))).not.toContain('two labs');
});

it('entered addresses are listed, and set aside with a backup', async () => {
  const { addresses } = (await editor.session.handle(inputs, { kind: 'entered' })) as { addresses: unknown[] };
  expect(addresses).toEqual([
    { title: 'Workcell server URL', value: 'http://a-pc:8005/', file: editor.user },
    { title: 'Event server URL', value: 'http://a-pc:8001/', file: editor.user },
  ]);
  expect(await editor.session.handle(inputs, { kind: 'set-aside' })).toEqual([backupPath(editor.user)]);
  expect(await readText(editor.user)).toBe('# bench A\nlisten_port: 8010\n');
  expect(await readText(backupPath(editor.user))).toBe(enteredText);
  expect(await editor.session.handle(inputs, { kind: 'entered' })).toEqual({ addresses: [] });
  await editor.undo(inputs);
  expect(await readText(editor.user)).toBe(enteredText);
});

it('addresses in the lab’s own files remain when the entered ones are set aside', async () => {
  const labFile = 'workcell_server_url: http://b-pc:8005/\n';
  await editor.writeLab({ 'settings.yaml': labFile });
  expect(await editor.session.handle(inputs, { kind: 'set-aside' })).toEqual([backupPath(editor.user)]);
  expect(await readText(editor.user)).toBe('# bench A\nlisten_port: 8010\n');
  expect(await readText(editor.lab('settings.yaml'))).toBe(labFile);
});
