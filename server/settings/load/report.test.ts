import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsTableMarkdown, settingsTemplateYaml, formatEffective, helpText, settingsSchema } from './report.ts';
import { loadSettings } from './load.ts';
import { envName, optionNames } from '../schema/names.ts';
import { formatProblem, makeProblem, redact } from '../parse/problem.ts';
import { allSettings } from '../schema/table.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(() => folder.remove());

describe('the text of a problem', () => {
  it.each([
    [
      {
        source: 'yaml',
        path: '/lab/settings.yaml',
        line: 12,
        column: 3,
        key: 'lab_server_url',
        value: 'ftp://x',
        message: 'is wrong',
        expected: 'an address',
      },
      '/lab/settings.yaml:12:3: lab_server_url = "ftp://x": is wrong; expected: an address',
    ],
    [
      { source: 'json', path: '/lab/settings.json', message: 'this file is too big' },
      '/lab/settings.json: this file is too big',
    ],
    [
      { source: 'command line', key: '--x', message: 'is unknown', expected: 'did you mean --y?' },
      'command line: --x: is unknown; did you mean --y?',
    ],
  ] as const)('is complete for %j', (problem, expected) => {
    expect(formatProblem(makeProblem({ severity: 'error', ...problem }))).toBe(expected);
  });

  it.each([
    ['db_password', 'x', '***REDACTED***'],
    ['API_TOKEN', 'x', '***REDACTED***'],
    ['server_url', 'http://user:pw@host/a@b', 'http://***@host/a@b'],
    ['server_url', 'http://token@host', 'http://***@host'],
    ['manager_name', 'me@lab', 'me@lab'],
    ['x', 'a'.repeat(300), `${'a'.repeat(200)}…`],
    [null, ['a'], '["a"]'],
  ])('redact shows %s %s as %s', (key, value, shown) => {
    expect(redact(key, value)).toBe(shown);
  });
});

describe('the output of --check-settings', () => {
  it('lists every setting with its origin', async () => {
    await folder.write({ 'home/lab/lab.env': '\nLAB_MANAGER_NAME=Bench', 'home/lab/lab.settings.yaml': 'nonsense: 1' });
    const text = formatEffective(await loadSettings(folder.inputs({ argv: ['--lab-verbose'] })));
    for (const { name } of allSettings) {
      expect(text).toMatch(new RegExp(`^${name} `, 'm'));
    }
    expect(text).toMatch(/^manager_name +Bench +.*lab\.env:2: LAB_MANAGER_NAME$/m);
    expect(text).toMatch(/^verbose +true +command line: --lab-verbose$/m);
    expect(text).toMatch(/^dashboard_files_path +the bundled dashboard +default$/m);
    expect(text).toMatch(/^warning: .*lab\.settings\.yaml:1:1: nonsense: /m);
  });

  it('lists every problem and their number', async () => {
    const text = formatEffective(await loadSettings(folder.inputs({ argv: ['--lab-verbose=x', '--nonsense'] })));
    expect(text.split('\n').map((line) => line.split(':')[0])).toEqual([
      'error',
      'error',
      '2 problems in the settings',
    ]);
  });
});

describe('texts generated from the settings table', () => {
  it('--help lists every setting', () => {
    const text = helpText({ program: 'lab-manager', usageExtra: 'The service.' });
    expect(text).toMatch(/^Usage: lab-manager \[options\]\nThe service\.\n/);
    for (const setting of allSettings.filter((candidate) => candidate.scope !== 'contextOnly')) {
      expect(text).toContain(`${optionNames(setting)[0]}`);
      expect(text).toContain(`(${envName(setting)})`);
    }
    for (const option of [
      '--help',
      '--version',
      '--check-settings',
      '--headless',
      '--doctor',
      '--bundle',
      '--status',
      '--settings-dir',
    ]) {
      expect(text).toContain(`  ${option}`);
    }
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('the documentation lists every setting', () => {
    const rows = settingsTableMarkdown()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(allSettings.length);
    for (const row of rows) {
      expect(row.split(/(?<!\\)\|/)).toHaveLength(8);
    }
  });

  it('the template sets nothing, and sets everything validly when it is uncommented', async () => {
    const template = settingsTemplateYaml();
    await folder.write({ 'home/lab/lab.settings.yaml': template });
    const untouched = await loadSettings(folder.inputs());
    expect(untouched.ok && untouched.effective.filter((setting) => setting.origin.source === 'yaml')).toEqual([]);
    await folder.write({
      'home/lab/lab.settings.yaml': template.replace(/^# (?=[a-z_]+: )/gm, ''),
      'home/lab/ui/dist/': '',
    });
    const used = await loadSettings(folder.inputs());
    expect([used.ok ? [] : used.problems, used.warnings]).toEqual([[], []]);
    expect(used.ok && used.effective.filter((setting) => setting.isDefault)).toEqual([]);
  });

  it('the JSON schema describes known settings, each with a title, a description and a default', () => {
    const schema = settingsSchema();
    expect(schema).toMatchObject({
      title: 'LabManagerSettings',
      type: 'object',
      properties: {
        server_url: { type: 'string', format: 'uri', default: 'http://localhost:8000/', title: 'Server url' },
        rate_limit_requests: { type: 'integer', minimum: 1, default: 300 },
        watch_interval: { type: 'number', minimum: 1, maximum: 3600 },
        cors_allowed_origins: { type: 'array', default: ['*'] },
      },
    });
    for (const [name, property] of Object.entries(schema['properties'] as Record<string, Record<string, unknown>>)) {
      expect(allSettings.map((setting) => String(setting.name))).toContain(name);
      expect(Object.keys(property)).toEqual(expect.arrayContaining(['title', 'description', 'default']));
    }
  });
});
