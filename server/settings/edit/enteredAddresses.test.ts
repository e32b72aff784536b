import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestSettingsEditor, readText } from '../../fixtures/settingsEditor.ts';
import { formatEffective } from '../load/report.ts';
import { loadSettings } from '../load/load.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { backupPath } from './plan.ts';

const entered =
  '# bench A\nworkcell_server_url: http://a-pc:8005/\nevent_server_url: http://a-pc:8001/\nlisten_port: 8010\n';
let at: TestSettingsEditor;
let inputs: SettingsInputs;
beforeEach(async () => {
  at = await TestSettingsEditor.make();
  inputs = at.inputs({ cwd: null, labFolder: at.lab('') });
  await at.folder.write({ 'home/.config/lab-manager/lab.settings.yaml': entered });
});
afterEach(() => at.folder.remove());

it('entered addresses never outrank a file of the chosen lab folder and are listed as hidden', async () => {
  await at.writeLab({ 'settings.yaml': 'manager_name: Lab B\nworkcell_server_url: http://b-pc:8005/\n' });
  const result = await loadSettings(inputs);
  expect(result.ok && result.settings.context.workcell_server_url).toBe('http://b-pc:8005/');
  expect(await at.findRow(inputs, 'workcell_server_url')).toMatchObject({
    from: `${at.lab('settings.yaml')}, line 2`,
    hidden: [`${at.user}, line 2`],
  });
  expect(await at.findRow(inputs, 'event_server_url')).toMatchObject({ from: `${at.user}, line 3`, hidden: [] });
});

it('entered addresses cause a warning when the lab’s own files leave some of them in force', async () => {
  await at.writeLab({ 'settings.yaml': 'manager_name: Lab B\nworkcell_server_url: http://b-pc:8005/\n' });
  const text = formatEffective(await loadSettings(inputs));
  expect(text).toContain(
    'event_server_url comes from the user configuration, but workcell_server_url, manager_name come from the lab’s own files: the addresses may be those of two labs',
  );
  expect(text).toContain(`warning: ${at.user}:3: event_server_url`);
  // With another kind of file, or without settings of the lab, there is no mix.
  await at.writeLab({ 'settings.yaml': 'verbose: true\n' });
  expect(formatEffective(await loadSettings(inputs))).not.toContain('two labs');
});

it('entered addresses are listed, and set aside with a backup', async () => {
  const { addresses } = (await at.session.handle(inputs, { about: 'entered' })) as { addresses: unknown[] };
  expect(addresses).toEqual([
    { title: 'Workcell server URL', value: 'http://a-pc:8005/', file: at.user },
    { title: 'Event server URL', value: 'http://a-pc:8001/', file: at.user },
  ]);
  expect(await at.session.handle(inputs, { about: 'set-aside' })).toEqual([backupPath(at.user)]);
  expect(await readText(at.user)).toBe('# bench A\nlisten_port: 8010\n');
  expect(await readText(backupPath(at.user))).toBe(entered);
  expect(await at.session.handle(inputs, { about: 'entered' })).toEqual({ addresses: [] });
  await at.undo(inputs);
  expect(await readText(at.user)).toBe(entered);
});

it('addresses in the lab’s own files remain when the entered ones are set aside', async () => {
  const labFile = 'workcell_server_url: http://b-pc:8005/\n';
  await at.writeLab({ 'settings.yaml': labFile });
  expect(await at.session.handle(inputs, { about: 'set-aside' })).toEqual([backupPath(at.user)]);
  expect(await readText(at.user)).toBe('# bench A\nlisten_port: 8010\n');
  expect(await readText(at.lab('settings.yaml'))).toBe(labFile);
});
