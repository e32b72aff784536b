import { chmod, lstat, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestSettingsEditor, readText } from '../../fixtures/settingsEditor.ts';
import { loadSettings } from '../load/load.ts';
import type { CheckReply } from './messages.ts';

let editor: TestSettingsEditor;
beforeEach(async () => {
  editor = await TestSettingsEditor.make();
});
afterEach(() => editor.folder.remove());

const inFiles = [
  ['.env', '# mine\nexport LAB_LOG_LEVEL="INFO" # usual\n', '# mine\nexport LAB_LOG_LEVEL="DEBUG" # usual\n', 2],
  ['lab.env', 'LOG_LEVEL=INFO\r\n', 'LOG_LEVEL=DEBUG\r\n', 1],
  ['settings.json', '{\n  "lab_log_level": "INFO"\n}\n', '{\n  "lab_log_level": "DEBUG"\n}\n', 2],
  ['settings.toml', '# mine\nlab_log_level = "INFO" # usual\n', '# mine\nlab_log_level = "DEBUG" # usual\n', 2],
  ['settings.yaml', '\ufefflog_level: INFO # usual\n', '\ufefflog_level: DEBUG # usual\n', 1],
  ['lab.settings.yaml', '# mine\nlab_log_level:  INFO\n', '# mine\nlab_log_level: DEBUG\n', 2],
] as const;

describe('a setting in the editor', () => {
  it.each(inFiles)('in %s is shown with its line and changed there', async (name, before, after, line) => {
    await editor.writeLab({ [name]: before });
    const inputs = editor.inputs();
    expect(await editor.findRow(inputs, 'log_level')).toMatchObject({
      value: 'INFO',
      origin: `${editor.lab(name)}, line ${line}`,
      hasFile: true,
      override: null,
      isDefault: false,
    });
    const planned = await editor.plan(inputs, { log_level: 'debug' });
    expect(planned).toMatchObject({
      files: [{ path: editor.lab(name), isNew: false, backup: editor.lab(`${name}.lab-manager.bak`) }],
      saved: [{ name: 'log_level', title: 'Log level', needsRestart: false }],
      refused: [],
    });
    expect(await readText(editor.lab(name))).toBe(before);
    expect(await editor.save(inputs, planned)).toEqual({
      files: [{ path: editor.lab(name), backup: editor.lab(`${name}.lab-manager.bak`) }],
      needRestart: [],
    });
    expect(await readText(editor.lab(name))).toBe(after);
    expect(await readText(editor.lab(`${name}.lab-manager.bak`))).toBe(before);
    await editor.undo(inputs);
    expect(await readText(editor.lab(name))).toBe(before);
  });

  it('that is unset is shown with its default and written to the user’s file', async () => {
    const inputs = editor.inputs();
    expect(await editor.findRow(inputs, 'watch_interval')).toMatchObject({
      value: '5',
      defaultText: '5',
      origin: 'the default',
      hasFile: false,
      isDefault: true,
      expected: 'a number from 1 to 3600',
    });
    const planned = await editor.plan(inputs, { watch_interval: '7' });
    expect(planned.files).toEqual([
      { path: editor.user, isNew: true, backup: null, lines: [{ kind: 'added', text: 'lab_watch_interval: 7' }] },
    ]);
    await editor.save(inputs, planned);
    expect(await readText(editor.user)).toBe('lab_watch_interval: 7\n');
    await editor.undo(inputs);
    expect(await readdir(join(editor.user, '..'))).toEqual([]);
  });

  it.each([
    ['environment', { env: { LAB_LOG_LEVEL: 'ERROR' } }, /environment variable LAB_LOG_LEVEL/, /remove it there/],
    [
      'command line',
      { argv: ['--lab-log-level=ERROR'] },
      /command line \(--lab-log-level\)/,
      /without --lab-log-level/,
    ],
  ] as const)(
    'with a value set by the %s is reported as not editable before saving',
    async (_name, overrides, reason, suggestion) => {
      await editor.writeLab({ 'settings.yaml': 'lab_log_level: INFO\n' });
      const inputs = editor.inputs(overrides);
      const { override, value, hasFile } = await editor.findRow(inputs, 'log_level');
      expect([value, hasFile]).toEqual(['ERROR', false]);
      expect(override?.reason).toMatch(reason);
      const { refused, files } = await editor.plan(inputs, { log_level: 'DEBUG' });
      expect(files).toEqual([]);
      expect(refused).toEqual([{ name: 'log_level', title: 'Log level', ...override }]);
      expect(refused[0]?.suggestion).toMatch(suggestion);
    },
  );

  it('in several files is changed in the effective one and reset in all', async () => {
    await editor.writeLab({
      'settings.yaml': 'log_level: INFO\n',
      '.env': 'LAB_LOG_LEVEL=ERROR\nlab_log_level=ERROR\nX=1\n',
    });
    const inputs = editor.inputs();
    const changed = await editor.plan(inputs, { log_level: 'DEBUG' });
    expect(changed.files.map(({ path }) => path)).toEqual([editor.lab('.env')]);
    await editor.save(inputs, await editor.plan(inputs, { log_level: null }));
    expect([await readText(editor.lab('settings.yaml')), await readText(editor.lab('.env'))]).toEqual(['', 'X=1\n']);
    expect(await editor.findRow(inputs, 'log_level')).toMatchObject({ isDefault: true, origin: 'the default' });
    await editor.undo(inputs);
    expect(await editor.findRow(inputs, 'log_level')).toMatchObject({ value: 'ERROR' });
  });

  it('with an invalid value is shown with its error and can be corrected', async () => {
    await editor.writeLab({ 'settings.yaml': 'lab_log_level: LOUD\nlab_listen_port: 70000\n' });
    const inputs = editor.inputs();
    expect(await editor.findRow(inputs, 'log_level')).toMatchObject({
      value: 'LOUD',
      problem: 'is not a logging level',
    });
    const { problems } = await editor.list(inputs);
    expect(problems).toHaveLength(2);
    // Saving one correction is allowed while another, existing error remains.
    await editor.save(inputs, await editor.plan(inputs, { log_level: 'INFO' }));
    await editor.save(inputs, await editor.plan(inputs, { listen_port: '8000' }));
    expect((await loadSettings(inputs)).ok).toBe(true);
  });

  it.each([
    [
      'blank items of a list are dropped',
      'cors_allowed_origins',
      'cors_allowed_origins: ["*"]\n',
      ['http://a', ' ', 'http://b'],
      'cors_allowed_origins: [http://a, http://b]\n',
    ],
    [
      'an empty value is the default if the default is empty',
      'manager_name',
      'manager_name: x\nverbose: yes\n',
      '',
      'verbose: yes\n',
    ],
    [
      'an empty value is saved as None if the default is not empty',
      'event_server_url',
      'event_server_url: http://e\n',
      '',
      'event_server_url: None\n',
    ],
    [
      'None is saved as None',
      'dashboard_files_path',
      'dashboard_files_path: ./ui\n',
      'None',
      'dashboard_files_path: None\n',
    ],
    [
      'a path is saved as typed',
      'dashboard_files_path',
      'dashboard_files_path: ./ui\n',
      '../ui',
      'dashboard_files_path: ../ui\n',
    ],
    [
      'the roles of groups are saved as a list',
      'proxy_roles',
      'proxy_roles: ["staff=viewer"]\n',
      ['staff=operator', '*=viewer'],
      'proxy_roles: [staff=operator, "*=viewer"]\n',
    ],
    ['an empty list of roles is saved', 'proxy_roles', 'proxy_roles: ["staff=viewer"]\n', [], 'proxy_roles: []\n'],
    ['a number is saved as a number', 'watch_interval', 'watch_interval: "5"\n', '10', 'watch_interval: 10\n'],
    [
      'a value from a YAML merge is overridden next to the merge key',
      'log_level',
      'b: &b {log_level: INFO}\n<<: *b\n',
      'DEBUG',
      'b: &b {log_level: INFO}\n<<: *b\nlog_level: DEBUG\n',
    ],
  ])('is saved in the form of its type: %s', async (_name, name, before, typed, after) => {
    await editor.writeLab({ 'settings.yaml': before });
    const inputs = editor.inputs();
    const planned = await editor.plan(inputs, { [name]: typed });
    expect(planned.refused).toEqual([]);
    await editor.save(inputs, planned);
    expect(await readText(editor.lab('settings.yaml'))).toBe(after);
  });

  it.each([
    ['log_level', 'LOUD', /is not a logging level/],
    ['server_url', '', /needs a value/],
    ['manager_name', 'a\nb', /line break/],
    ['notify_events', ['lab', 'weather'], /out of range/],
  ])('is rejected while typing and in the review: %s with the value %j', async (name, typed, expected) => {
    const inputs = editor.inputs();
    const checked = (await editor.session.handle(inputs, { kind: 'check', name, input: typed })) as CheckReply;
    expect(checked).toMatchObject({ ok: false, message: expect.stringMatching(expected) });
    const { refused, files } = await editor.plan(inputs, { [name]: typed });
    expect([refused.map((refusal) => refusal.name), files]).toEqual([[name], []]);
    expect(await editor.session.handle(inputs, { kind: 'check', name: 'log_level', input: 'info' })).toMatchObject({
      ok: true,
    });
  });
});

it('the review lists other affected settings and other readers of the file', async () => {
  await editor.writeLab({ '.env': 'LAB_SERVER_URL=http://a:1\nEVENT_SERVER_URL=${LAB_SERVER_URL}/event\n' });
  const { notes, refused } = await editor.plan(editor.inputs(), { server_url: 'http://b:1' });
  expect(refused).toEqual([]);
  expect(notes).toEqual([
    'Event server URL changes too, because its value depends on what is changed.',
    `${editor.lab('.env')} may be read by the other managers of the lab too.`,
  ]);
});

it('a secret is hidden in the list and in the review, and can be replaced', async () => {
  const secret = 'https://hooks.example.com/services/T000/B000/verysecret';
  const otherSecret = 'http://ntfy.example.com/bench-four-topic';
  await editor.writeLab({ '.env': `DB_PASSWORD=hunter22\nLAB_NOTIFY_WEBHOOK_URL=${secret}\n` });
  const inputs = editor.inputs();
  const row = await editor.findRow(inputs, 'notify_webhook_url');
  expect(row).toMatchObject({ value: [], displayedSecret: expect.stringContaining('hooks.example.com') });
  const planned = await editor.plan(inputs, { notify_webhook_url: [otherSecret] });
  const shown = JSON.stringify([row, planned]);
  for (const hidden of ['verysecret', 'hunter22', 'bench-four-topic']) expect(shown).not.toContain(hidden);
  await editor.save(inputs, planned);
  expect(await readText(editor.lab('.env'))).toBe(
    `DB_PASSWORD=hunter22\nLAB_NOTIFY_WEBHOOK_URL='["${otherSecret}"]'\n`,
  );
});

// Creating symlinks on Windows requires administrator rights.
it.skipIf(process.platform === 'win32')(
  'saving follows a link and keeps the permissions of file and backup',
  async () => {
    await editor.folder.write({ 'real/mine.yaml': 'log_level: INFO\n' });
    const real = join(editor.folder.path, 'real/mine.yaml');
    await chmod(real, 0o640);
    await symlink('../../real/mine.yaml', editor.lab('lab.settings.yaml'));
    const inputs = editor.inputs();
    await editor.save(inputs, await editor.plan(inputs, { log_level: 'DEBUG' }));
    expect((await lstat(editor.lab('lab.settings.yaml'))).isSymbolicLink()).toBe(true);
    expect(await readText(real)).toBe('log_level: DEBUG\n');
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect((await stat(`${real}.lab-manager.bak`)).mode & 0o777).toBe(0o640);
  },
);

it('a file with two names is written once', async () => {
  await editor.writeLab({ 'settings.yaml': 'log_level: INFO\nlab_verbose: no\n' });
  await symlink('settings.yaml', editor.lab('lab.settings.yaml'));
  const inputs = editor.inputs();
  const planned = await editor.plan(inputs, { log_level: null, verbose: 'yes' });
  expect(planned.files).toHaveLength(1);
  await editor.save(inputs, planned);
  expect(await readText(editor.lab('settings.yaml'))).toBe('lab_verbose: true\n');
});

it('the address in /context is changed in a context file only', async () => {
  const inputs = editor.inputs();
  const names = async () => {
    const { sections } = await editor.list(inputs);
    return sections.flatMap(({ settings }) => settings.map(({ name }) => name));
  };
  expect(await names()).not.toContain('lab_server_url');
  expect((await editor.plan(inputs, { lab_server_url: 'http://x' })).refused).toHaveLength(1);
  await editor.writeLab({ 'context.settings.yaml': 'lab_server_url: http://a\n' });
  expect(await names()).toContain('lab_server_url');
  await editor.save(inputs, await editor.plan(inputs, { lab_server_url: 'http://b' }));
  expect(await readText(editor.lab('context.settings.yaml'))).toBe('lab_server_url: http://b\n');
  await editor.save(inputs, await editor.plan(inputs, { lab_server_url: null }));
  expect(await readText(editor.lab('context.settings.yaml'))).toBe('');
});

it('the reset address in /context is the one of the service', async () => {
  const inputs = editor.inputs();
  await editor.writeLab({
    'context.settings.yaml': 'lab_server_url: http://a\n',
    'settings.yaml': 'lab_server_url: http://b\n',
  });
  const planned = await editor.plan(inputs, { lab_server_url: null });
  expect(planned.refused).toEqual([]);
  await editor.save(inputs, planned);
  expect(await readText(editor.lab('context.settings.yaml'))).toBe('');
});

it('a setting is listed with its file, and an unknown one is rejected', async () => {
  await editor.writeLab({ '.env': 'LAB_VERBOSE=no\n' });
  const inputs = editor.inputs();
  expect(await editor.session.handle(inputs, { kind: 'file', name: 'verbose' })).toBe(editor.lab('.env'));
  expect(await editor.session.handle(inputs, { kind: 'file', name: 'log_level' })).toBeNull();
  await expect(editor.session.handle(inputs, { kind: 'plan', changes: { '../x': 'y' } })).rejects.toThrow(
    'There is no setting',
  );
});

it('a save in another lab folder is not undone in this one', async () => {
  await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n' });
  await editor.folder.write({ 'home/other/settings.yaml': 'log_level: INFO\n' });
  const inputs = editor.inputs();
  const otherInputs = editor.inputs({ cwd: join(editor.folder.path, 'home/other') });
  await editor.save(inputs, await editor.plan(inputs, { log_level: 'DEBUG' }));
  expect((await editor.list(inputs)).canUndo).toBe(true);
  const planned = await editor.plan(inputs, { log_level: 'ERROR' });
  expect((await editor.list(otherInputs)).canUndo).toBe(false);
  await expect(editor.undo(otherInputs)).rejects.toThrow('There is nothing to undo');
  await expect(editor.save(inputs, planned)).rejects.toThrow('review the changes again');
  expect((await editor.list(inputs)).canUndo).toBe(false);
  expect(await readText(editor.lab('settings.yaml'))).toBe('log_level: DEBUG\n');
});

it('an undo returns the names of the restored files', async () => {
  await editor.writeLab({ 'settings.yaml': 'log_level: INFO\n' });
  const inputs = editor.inputs();
  await editor.save(inputs, await editor.plan(inputs, { log_level: 'DEBUG' }));
  expect(await editor.undo(inputs)).toEqual({ files: [editor.lab('settings.yaml')] });
});

it('a misspelt key is listed with the most similar key after the errors', async () => {
  await editor.writeLab({ 'lab.settings.yaml': 'lab_watch_intervall: 10\nlab_listen_port: many\n' });
  const { problems } = await editor.list(editor.inputs());
  expect(problems.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  expect(problems[0]?.text).toContain('lab_listen_port');
  expect(problems[1]?.text).toBe(
    `${editor.lab('lab.settings.yaml')}:1:1: lab_watch_intervall: there is no such setting, so this is ignored; did you mean lab_watch_interval?`,
  );
});
