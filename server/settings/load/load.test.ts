import { generateKeyPairSync } from 'node:crypto';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxFileBytes, describeUnreadable } from '../parse/files.ts';
import { isConfigured, loadSettings } from './load.ts';
import { allSettings } from '../schema/table.ts';
import { makeTempFolder, type TempFolder } from '../../fixtures/tempFolder.ts';
import type { SettingsInputs } from '../schema/types.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(() => folder.remove());

async function loadValid(files: Record<string, string> = {}, changes: Partial<SettingsInputs> = {}) {
  await folder.write(files);
  const result = await loadSettings(folder.inputs(changes));
  if (!result.ok) {
    throw new Error(JSON.stringify(result.problems));
  }
  return result;
}

async function loadInvalid(files: Record<string, string> = {}, changes: Partial<SettingsInputs> = {}) {
  await folder.write(files);
  const result = await loadSettings(folder.inputs(changes));
  expect(result.ok).toBe(false);
  return result.ok ? [] : result.problems;
}

const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

describe('a lab without settings', () => {
  it('has the settings of the example lab', async () => {
    const { settings, effective, warnings, files } = await loadValid();
    expect(settings).toEqual({
      serverUrl: 'http://localhost:8000/',
      listenHost: null,
      listenPort: null,
      advertisedHost: null,
      managerName: null,
      name: null,
      labName: null,
      unsetAddresses: [],
      fleet: [],
      mdns: true,
      managerDescription: null,
      managerId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      timeZone: null,
      eventTimeZone: null,
      experimentTimeZone: null,
      dataTimeZone: null,
      workcellTimeZone: null,
      locationTimeZone: null,
      enableRegistryResolution: true,
      registryLockTimeout: 60,
      dashboardFiles: { kind: 'bundled' },
      verbose: false,
      logLevel: 'INFO',
      corsAllowedOrigins: ['*'],
      rateLimitEnabled: true,
      rateLimitRequests: 300,
      rateLimitWindow: 60,
      rateLimitShortRequests: 50,
      rateLimitShortWindow: 1,
      rateLimitExemptIps: null,
      allowedHosts: [],
      trustedProxy: [],
      remoteAccess: 'off',
      remoteStop: 'users',
      sharedAddress: null,
      databaseUrl: null,
      databaseRetentionDays: 365,
      tlsCertFile: null,
      tlsKeyFile: null,
      proxyRoles: [],
      otelEnabled: false,
      otelServiceName: null,
      otelExporter: 'console',
      otelEndpoint: null,
      otelProtocol: 'grpc',
      watchInterval: 5,
      metrics: true,
      notifyWebhookUrl: [],
      notifyEvents: ['lab', 'manager', 'node', 'workflow_failed', 'step_overdue'],
      notifyFormat: 'json',
      notifyReminderHours: 4,
      notifyIdempotentReceivers: false,
      updateFeed: null,
      updatePublicKey: null,
      context: {
        lab_server_url: 'http://localhost:8000/',
        event_server_url: 'http://localhost:8001/',
        experiment_server_url: 'http://localhost:8002/',
        resource_server_url: 'http://localhost:8003/',
        data_server_url: 'http://localhost:8004/',
        workcell_server_url: 'http://localhost:8005/',
        location_server_url: 'http://localhost:8006/',
      },
    });
    expect([warnings, files]).toEqual([[], []]);
    expect(effective.map(({ name }) => name)).toEqual(allSettings.map(({ name }) => name));
    expect(effective.filter(({ isDefault }) => !isDefault).map(({ name }) => name)).toEqual(['manager_id']);
  });

  it('keeps its generated ID for the life of the process', async () => {
    const first = await loadValid();
    const second = await loadValid();
    expect(second.settings.managerId).toBe(first.settings.managerId);
    expect(second.effective.find(({ name }) => name === 'manager_id')?.origin.source).toBe('generated');
    const named = await loadValid({ 'home/lab/lab.env': 'LAB_MANAGER_ID=mine' });
    expect(named.settings.managerId).toBe('mine');
  });
});

describe('the dashboard directory', () => {
  it.each<[string, string, unknown]>([
    ['relative to its file', 'ui', 'home/ui'],
    ['below the home directory', '~/ui', 'home/ui'],
    ['below .madsci', '.madsci/ui', 'home/.madsci/ui'],
  ])('is resolved %s', async (_, configuredPath, expected) => {
    const { settings } = await loadValid({ 'home/settings.yaml': `dashboard_files_path: ${configuredPath}` });
    expect(settings.dashboardFiles).toEqual({ kind: 'directory', path: join(folder.path, String(expected)) });
  });

  it('is shown as typed, and causes a warning with its line if it does not exist', async () => {
    const { effective, warnings } = await loadValid({ 'home/lab/lab.settings.toml': '\ndashboard_files_path = "ui"' });
    expect(effective.find(({ name }) => name === 'dashboard_files_path')?.value).toBe('ui');
    expect(warnings).toMatchObject([{ key: 'dashboard_files_path', line: 2, severity: 'warning' }]);
    const withUi = await loadValid({ 'home/lab/ui/': '' });
    expect(withUi.warnings).toEqual([]);
  });

  it.each(['None', 'none', 'null', ''])('is none with %j on the command line', async (word) => {
    const { settings } = await loadValid({}, { argv: ['--lab-dashboard-files-path', word] });
    expect(settings.dashboardFiles).toEqual({ kind: 'none' });
  });

  it('is relative to the lab folder if it is a command line option of an app without a current directory', async () => {
    const inputs = { argv: ['--lab-dashboard-files-path=ui'], cwd: null, labFolder: join(folder.path, 'home/lab') };
    const { settings } = await loadValid({}, inputs);
    expect(settings.dashboardFiles).toEqual({ kind: 'directory', path: join(folder.path, 'home/lab/ui') });
  });
});

describe('the name of the lab in titles', () => {
  it('is LAB_NAME, which madsci init writes, and doesn’t change the name in the ID registry', async () => {
    const { settings, warnings } = await loadValid({ 'home/lab/.env': 'LAB_NAME=growth_lab' });
    expect([settings.labName, settings.managerName, warnings]).toEqual(['growth_lab', null, []]);
  });

  it('is LAB_MANAGER_NAME wherever it is set', async () => {
    const files = { 'home/lab/settings.yaml': 'lab_manager_name: Growth' };
    const { settings } = await loadValid(files, { env: { LAB_NAME: 'growth_lab' } });
    expect(settings.labName).toBe('Growth');
  });
});

describe('the start directory', () => {
  it('is none in a double-clicked app without a lab folder, which uses the user configuration only', async () => {
    const files = {
      'home/lab/lab.env': 'LAB_MANAGER_NAME=lab',
      'home/.config/lab.env': 'LAB_MANAGER_NAME=above',
      'home/.config/lab-manager/lab.settings.yaml': 'watch_interval: 7',
    };
    const { settings, watchedDirs } = await loadValid(files, { cwd: null });
    expect([settings.managerName, settings.watchInterval]).toEqual([null, 7]);
    expect(watchedDirs).toEqual([join(folder.path, 'home/.config/lab-manager')]);
  });

  it('causes a warning when it does not exist, and its parents are searched', async () => {
    const files = { 'home/lab/lab.env': 'LAB_MANAGER_NAME=lab' };
    const { settings, warnings } = await loadValid(files, { env: { MADSCI_SETTINGS_DIR: '~/lab/gone/far' } });
    expect(settings.managerName).toBe('lab');
    expect(warnings).toMatchObject([{ source: 'environment', key: 'MADSCI_SETTINGS_DIR' }]);
  });

  it('is the first of: option, argument, variable, lab folder, current directory', async () => {
    const dirs = ['option', 'argument', 'variable', 'folder', 'cwd'];
    await folder.write(Object.fromEntries(dirs.map((dir) => [`home/${dir}/lab.env`, `LAB_MANAGER_NAME=${dir}`])));
    const at = (dir: string) => join(folder.path, 'home', dir);
    const steps: Partial<SettingsInputs>[] = [
      { argv: ['--settings-dir', at('option')] },
      { settingsDir: at('argument') },
      { env: { madsci_settings_dir: at('variable') } },
      { labFolder: at('folder') },
      { cwd: at('cwd') },
    ];
    for (const [index, dir] of dirs.entries()) {
      const { settings } = await loadValid({}, Object.assign({}, ...steps.slice(index)));
      expect(settings.managerName).toBe(dir);
    }
  });
});

describe('keys of settings', () => {
  it('the address of the lab manager has the port that is listened on, unless it is set', async () => {
    const load = async (text: string) => (await loadValid({ 'home/lab/settings.yaml': text })).settings;
    const unset = await load('lab_listen_port: 8100');
    expect([unset.serverUrl, unset.context.lab_server_url]).toEqual(Array(2).fill('http://localhost:8100/'));
    expect((await load('lab_listen_port: 8100\nserver_url: http://lab:80')).serverUrl).toBe('http://lab/');
    expect((await load('lab_listen_port: 0')).serverUrl).toBe('http://localhost:8000/');
  });

  it('lab_server_url in a context file changes only /context, and a source of higher rank overrides it', async () => {
    const files = {
      'home/lab/context.settings.yaml': 'lab_server_url: http://public:1',
      'home/lab/lab.settings.yaml': 'server_url: http://own:2',
    };
    const { settings } = await loadValid(files);
    expect([settings.serverUrl, settings.context.lab_server_url]).toEqual(['http://own:2/', 'http://public:1/']);
    const overridden = await loadValid({}, { env: { LAB_SERVER_URL: 'http://env:3' } });
    expect(overridden.settings.context.lab_server_url).toBe('http://env:3/');
  });

  it('an empty address or None is null in /context', async () => {
    const { settings } = await loadValid({
      'home/lab/.env': 'EVENT_SERVER_URL=\ndata_server_url=None',
      'home/lab/settings.yaml': 'workcell_server_url:\n',
    });
    const { event_server_url, data_server_url, workcell_server_url, location_server_url } = settings.context;
    expect([event_server_url, data_server_url, workcell_server_url]).toEqual([null, null, null]);
    expect(location_server_url).toBe('http://localhost:8006/');
  });

  it('unknown keys cause warnings in lab files only, with the most similar key', async () => {
    const text =
      'lab_sever_url: a\nLAB_VERBOSE: yes\nlab_event_server_url: b\nuvicorn_workers: 2\nlab_uvicorn_workers: 2\nzzzzzzzz: 1\n';
    const { warnings, settings } = await loadValid({
      'home/lab/lab.settings.yaml': text,
      'home/lab/settings.yaml': text,
    });
    expect(warnings.map(({ key, line, expected }) => [key, line, expected])).toEqual([
      ['lab_sever_url', 1, 'did you mean lab_server_url?'],
      ['LAB_VERBOSE', 2, 'did you mean verbose?'],
      ['lab_event_server_url', 3, 'did you mean event_server_url?'],
      ['zzzzzzzz', 6, 'a setting listed by --help'],
    ]);
    expect(settings.verbose).toBe(false);
  });

  it('probably misspelt LAB_ variables cause warnings, other variables do not', async () => {
    const { warnings } = await loadValid(
      {},
      { env: { LAB_SERVER_ULR: 'x', LAB_BENCH_COLOUR: 'x', LAB_UVICORN_WORKERS: '1', PATH: '/' } },
    );
    expect(warnings).toMatchObject([{ key: 'LAB_SERVER_ULR', expected: 'did you mean LAB_SERVER_URL?' }]);
  });

  it('an address that no source sets causes a warning in a lab that sets others', async () => {
    expect((await loadValid({ 'home/lab/settings.yaml': 'lab_verbose: true\n' })).warnings).toEqual([]);
    const { warnings } = await loadValid({
      'home/lab/.env': 'EVENT_SERVER_URL=http://bench:8001/\nDATA_SERVER_URL=None\n',
    });
    expect(warnings.map(({ message }) => message)).toEqual([
      'experiment_server_url, resource_server_url, workcell_server_url, location_server_url are not set, so their defaults at localhost apply, which may be another lab’s',
    ]);
  });

  it('unknown argument names are errors', async () => {
    expect(await loadInvalid({}, { overrides: { sever_url: 'x', server_url: undefined } })).toMatchObject([
      { source: 'argument', key: 'sever_url', expected: 'did you mean server_url?' },
    ]);
  });
});

describe('problems of settings', () => {
  it('are all collected with their places', async () => {
    const problems = await loadInvalid(
      {
        'home/lab/settings.yaml': 'a: [\n',
        'home/lab/settings.json': '{"server_url": "localhost:8000",\n "lab_listen_port": 70000}',
        'home/lab/lab.env': '\nLAB_VERBOSE=maybe\n',
      },
      { argv: ['--lab-log-level', 'loud', '--nonsense'], env: { EVENT_SERVER_URL: 'http://user:hunter2@h' } },
    );
    const places = problems.map(({ source, key, line, value }) => [source, key, line, value]);
    expect(places).toEqual(
      expect.arrayContaining([
        ['command line', '--nonsense', null, null],
        ['yaml', null, expect.any(Number), null],
        ['json', 'server_url', 1, 'localhost:8000'],
        ['json', 'lab_listen_port', 2, '70000'],
        ['dotenv', 'LAB_VERBOSE', 2, 'maybe'],
        ['command line', '--lab-log-level', null, 'loud'],
        ['environment', 'EVENT_SERVER_URL', null, 'http://***@h'],
      ]),
    );
    expect(problems).toHaveLength(7);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it.each([
    ['http://files/lab/', '', true],
    ['https://files/lab/', '', false],
    ['http://127.0.0.1:9000/', '', false],
    ['http://files/lab/', `lab_update_public_key: ${publicKey}\n`, false],
  ])(
    'include a warning for an update feed only if it uses plain http without a key: %s %s',
    async (feed, otherSettings, hasWarning) => {
      const { warnings } = await loadValid({ 'home/lab/settings.yaml': `lab_update_feed: ${feed}\n${otherSettings}` });
      const expected = { key: 'lab_update_feed', line: 1, message: expect.stringContaining('plain http') };
      expect(warnings).toEqual(hasWarning ? [expect.objectContaining(expected)] : []);
    },
  );

  it('exclude a value that is overridden', async () => {
    const { settings } = await loadValid({ 'home/lab/.env': 'LAB_VERBOSE=maybe' }, { env: { LAB_VERBOSE: 'on' } });
    expect(settings.verbose).toBe(true);
  });

  it('include files that are too large or binary, but no directories or broken links', async () => {
    await folder.write({ 'home/lab/settings.json': ' '.repeat(maxFileBytes + 1), 'home/lab/settings.toml/': '' });
    await writeFile(join(folder.path, 'home/lab/settings.yaml'), Buffer.from([0xff, 0xfe, 0x61, 0]));
    await symlink('nowhere', join(folder.path, 'home/lab/lab.env'));
    expect((await loadInvalid()).map(({ message }) => message)).toEqual([
      'this file is not UTF-8 text',
      'this file has 257 KiB, more than a settings file may have (256 KiB)',
    ]);
  });

  it('exclude a file of exactly the maximum size with a byte order mark', async () => {
    const text = '\uFEFFLAB_MANAGER_NAME=x\n#';
    const fill = '#'.repeat(maxFileBytes - Buffer.byteLength(text));
    const { settings, warnings } = await loadValid({
      'home/lab/.env': text + fill,
      'home/lab/settings.json': '\uFEFF{"watch_interval": 9}',
      'home/lab/settings.yaml': '\uFEFFverbose: on',
    });
    expect([settings.managerName, settings.watchInterval, settings.verbose, warnings]).toEqual(['x', 9, true, []]);
  });

  // Windows has no file modes.
  it.skipIf(process.platform === 'win32')('include a file without read permission', async () => {
    await folder.write({ 'home/lab/.env': 'A=1' });
    await chmod(join(folder.path, 'home/lab/.env'), 0);
    // Root can read any file, so this test runs as user `nobody` then.
    const isRoot = process.geteuid?.() === 0;
    await chmod(folder.path, 0o755);
    if (isRoot) process.seteuid?.('nobody');
    try {
      expect(await loadInvalid()).toMatchObject([{ source: 'dotenv', message: describeUnreadable('EACCES').message }]);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it.each([
    ['EACCES', /may not be read by the user/],
    ['EPERM', /may not be read by the user/],
    ['ENOENT', /just removed/],
    ['EBUSY', /another program has it open/],
    ['EIO', /EIO/],
    [null, /unknown reason/],
  ])('include the reason of an unreadable file: %s', (code, message) => {
    expect(describeUnreadable(code).message).toMatch(message);
  });
});

describe('isConfigured', () => {
  const userFile = 'home/.config/lab-manager/lab.settings.yaml';
  it.each<[string, string, string, boolean]>([
    ['a port', 'home/lab/settings.yaml', 'lab_listen_port: 8010\nlab_listen_host: 127.0.0.1\n', false],
    ['an own address of this machine', userFile, 'lab_server_url: http://localhost:8010/\n', false],
    ['a log level', 'home/lab/settings.yaml', 'lab_log_level: DEBUG\n', false],
    ['the address of a lab in its own file', 'home/lab/settings.yaml', 'lab_server_url: http://lab-pc:8000/\n', true],
    ['the address of a manager', userFile, 'event_server_url: http://lab-pc:8001/\n', true],
    ['the name of a lab', 'home/lab/.env', 'LAB_MANAGER_NAME=Bench\n', true],
    ['remote access', userFile, 'lab_remote_access: view\n', true],
  ])('returns whether %s is a lab', async (_name, file, text, expected) => {
    expect(isConfigured(await loadValid({ [file]: text }))).toBe(expected);
  });
});
