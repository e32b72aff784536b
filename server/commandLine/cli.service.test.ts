/**
 * Tests the command line: in this process, and where the process itself is the subject, in the form that people and systemd
 * start: `node dist/server/main.js`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildStale } from '../../build/bundle/buildStale.mjs';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { pickFreePort, startLab } from '../../e2e/support/managers.ts';
import { repository, startService } from '../../e2e/support/service.ts';
import manifest from '../../package.json' with { type: 'json' };
import { accountName } from '../commandLog/commandLog.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { exitCodes } from '../status.ts';
import { runCommandLine } from './cli.ts';
import { asSystemService } from './cliMaintenance.ts';

beforeAll(() => buildStale(repository), 120_000);

let folder: TempFolder;
let children: ChildProcess[] = [];
let servers: http.Server[] = [];
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) server.close();
  await folder.remove();
});

/** Each file with its content. */
const readFolder = async (path: string) =>
  Promise.all((await readdir(path)).toSorted().map(async (name) => [name, await readFile(join(path, name), 'utf8')]));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The environment of the program, without settings of the test's. */
const environment = (more: Readonly<Record<string, string>>) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(folder.path, 'home'),
  // Otherwise root's commands are for the machine's service, which the tests of the package install.
  XDG_STATE_HOME: join(folder.path, 'home/.local/state'),
  MADSCI_REGISTRY_PATH: join(folder.path, 'registry.json'),
  ...more,
});

/** Starts the program in the lab's folder. */
function program(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(repository, 'dist/server/main.js'), ...args], {
    cwd: join(folder.path, 'home/lab'),
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
  return { child, texts, ended };
}

/** Runs options that end by themselves, in this process. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const texts = { out: '', err: '' };
  const code = await runCommandLine({
    argv,
    env: environment(env),
    cwd: join(folder.path, 'home/lab'),
    homeDir: join(folder.path, 'home'),
    program: 'lab-manager',
    codeDirectory: join(repository, 'dist/server'),
    startDemo: () => Promise.reject(new Error('This test starts no demo lab')),
    output: {
      print: (text) => (texts.out += `${text}\n`),
      printError: (text) => (texts.err += `${text}\n`),
    },
  });
  return { code, ...texts };
}

const inLab = (files: Readonly<Record<string, string>>) =>
  folder.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`home/lab/${name}`, text])));

it.skipIf(process.platform === 'win32')('the service starts and ends with state files that never respond', async () => {
  const port = await pickFreePort();
  const state = join(folder.path, 'state');
  await mkdir(join(state, 'lab-manager'), { recursive: true });
  const files = ['history-%.jsonl', 'maintenance-%.json', 'notifications-%.json', 'commands-%'];
  for (const name of files) execFileSync('mkfifo', [join(state, 'lab-manager', name.replace('%', String(port)))]);
  const { child, ended } = program([], { LAB_LISTEN_PORT: String(port), XDG_STATE_HOME: state });
  await expect
    .poll(async () => (await sendRequest(port, '/lab_health/history').catch(() => null))?.body)
    .toContain('unreachable');
  child.kill('SIGTERM');
  const { code, err } = await ended;
  expect(code).toBe(exitCodes.ok);
  expect(err).toMatch(/history-\d+\.jsonl: it is not a file/);
});

/** Starts a webhook that responds to each message with a status. @returns its address */
function startReceiver(getStatus: (body: string) => number): Promise<string> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => response.writeHead(getStatus(body)).end());
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

describe('the command line', () => {
  it('lists the options with --help and prints the version with --version', async () => {
    const help = await run(['--help']);
    expect(help).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(help.out).toMatch(/^Usage: lab-manager \[options\]/);
    for (const option of [
      '--check-settings',
      '--status',
      '--lab-server-url',
      '--event-server-url',
      '--settings-dir',
      '--demo',
    ])
      expect(help.out).toContain(option);
    expect(await run(['--version'])).toEqual({ code: exitCodes.ok, out: `${manifest.version}\n`, err: '' });
  });

  it.each([
    ['--lab-sever-url=http://x/', '--lab-server-url'],
    ['start', 'start'],
  ])('rejects the unknown argument %s and refers to --help', async (argument, expected) => {
    const { code, out, err } = await run([argument]);
    expect([code, out]).toEqual([exitCodes.settings, '']);
    expect(err).toContain(expected);
    expect(err).toContain('--help lists every option');
  });
});

describe('the option --demo', () => {
  // Windows has no SIGTERM: a program is terminated without notice. `e2e/windows` tests Ctrl+C.
  it.skipIf(process.platform === 'win32')(
    'serves six healthy simulated managers until the program ends, and ignores the settings',
    async () => {
      await inLab({ 'settings.yaml': 'lab_server_url: nowhere\nlab_manager_name: Mine\n' });
      const { child, texts, ended } = program(['--demo']);
      const url = await vi.waitFor(() => {
        const [, address = ''] = /Demo lab at (http:\S+)/.exec(texts.out) ?? [];
        expect(address, texts.out + texts.err).toMatch(/^http:/);
        return address;
      });
      const health = await fetch(`${url}lab_health`).then((response) => response.json());
      expect(health).toMatchObject({ healthy: true, description: '6/6 managers are healthy' });
      const history = await fetch(`${url}lab_health/history`).then((response) => response.json());
      expect(history).toMatchObject({ lab_name: 'Demo Lab', demo: true });
      const context = (await fetch(`${url}context`).then((response) => response.json())) as Record<string, string>;
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: exitCodes.ok });
      await expect(fetch(`${context['event_server_url']}health`)).rejects.toThrow('fetch failed');
    },
  );
});

describe('the option --check-settings', () => {
  it('prints the settings and their origins', async () => {
    await inLab({ 'settings.yaml': '# lab\nevent_server_url: http://lab-pc:9001\n' });
    const { code, out } = await run(['--check-settings', '--lab-log-level=30'], { DATA_SERVER_URL: 'None' });
    expect(code).toBe(exitCodes.ok);
    expect(out).toMatch(/event_server_url +http:\/\/lab-pc:9001\/ +\S+settings\.yaml:2: event_server_url/);
    expect(out).toMatch(/data_server_url +None +environment: DATA_SERVER_URL/);
    expect(out).toMatch(/log_level +WARNING +command line: --lab-log-level/);
    expect(out).toMatch(/server_url +http:\/\/localhost:8000\/ +default/);
  });

  it.each([
    ['YAML', { 'settings.yaml': 'a: 1\nevent_server_url: [x\n' }, [], {}, /settings\.yaml:\d+:\d+: /],
    ['TOML', { 'lab.settings.toml': 'a = 1\nb = \n' }, [], {}, /lab\.settings\.toml:2:\d+: /],
    ['JSON', { 'settings.json': '{\n  "a": 1,\n}' }, [], {}, /settings\.json:3:\d+: /],
    ['dotenv', { 'lab.env': 'A=1\nLAB_VERBOSE=perhaps\n' }, [], {}, /lab\.env:2.*LAB_VERBOSE = "perhaps"/],
    ['a value', { 'lab.settings.yaml': 'server_url: ftp://x/\n' }, [], {}, /lab\.settings\.yaml:1.*server_url.*ftp/],
    ['the environment', {}, [], { LAB_LISTEN_PORT: '70000' }, /environment: LAB_LISTEN_PORT = "70000"/],
    ['an option', {}, ['--event-server-url=nonsense'], {}, /command line: --event-server-url = "nonsense"/],
    ['an unknown option', {}, ['--evnt-server-url=http://x/'], {}, /--evnt-server-url.*--event-server-url\?/],
  ])('reports an error in %s', async (_name, files, args, env, expected) => {
    await inLab(files);
    const { code, err } = await run(['--check-settings', ...args], env);
    expect(code).toBe(exitCodes.settings);
    expect(err).toMatch(expected);
  });

  it('reports every problem, not only the first, as a start does', async () => {
    await inLab({ 'settings.yaml': 'event_server_url: 1\ndata_server_url: 2\n', 'settings.toml': '=\n' });
    const checked = await run(['--check-settings']);
    const started = await program([]).ended;
    expect([checked.code, started.code]).toEqual([exitCodes.settings, exitCodes.settings]);
    for (const text of ['event_server_url', 'data_server_url', 'settings.toml:1']) {
      expect(checked.err).toContain(text);
      expect(started.out + started.err).toContain(text);
    }
  });
});

describe('the running program', () => {
  async function startProgram(env: Readonly<Record<string, string>> = {}) {
    const port = await pickFreePort();
    const started = program([`--lab-listen-port=${port}`], env);
    await vi.waitFor(() => expect(started.texts.out).toContain(`at http://127.0.0.1:${port}/`));
    return { port, ...started };
  }

  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'exits successfully on %s',
    async (signal) => {
      const { port, child, ended } = await startProgram();
      expect((await sendRequest(port, '/health')).status).toBe(200);
      expect((await sendRequest(port, '/', { headers: { accept: 'text/html' } })).body).toContain('<div id="app">');
      child.kill(signal);
      expect((await ended).code).toBe(exitCodes.ok);
    },
  );

  it('logs requests on the console only when LAB_VERBOSE is set, then also at the log level ERROR', async () => {
    const quiet = await startProgram();
    const loud = await startProgram({ LAB_VERBOSE: 'true', LAB_LOG_LEVEL: 'ERROR' });
    for (const { port } of [quiet, loud]) expect((await sendRequest(port, '/context')).status).toBe(200);
    await vi.waitFor(() => expect(loud.texts.out + loud.texts.err).toContain('GET /context 200'));
    quiet.child.kill('SIGTERM');
    const { out, err } = await quiet.ended;
    expect(out).toContain('Listening on');
    expect(out + err).not.toContain('GET /context');
  });

  it.skipIf(process.platform === 'win32')('continues when its output is closed, and logs that once', async () => {
    const { port, child, ended } = await startProgram({ LAB_VERBOSE: 'true' });
    child.stdout.destroy();
    child.stderr.destroy();
    for (let count = 0; count < 3; count += 1) expect((await sendRequest(port, '/context')).status).toBe(200);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(exitCodes.ok);
    const log = await readFile(join(folder.path, 'home/.madsci/logs/lab-manager.log'), 'utf8');
    expect(log.match(/Standard output is closed/g)).toHaveLength(1);
    expect(log).not.toContain('Uncaught');
  });

  it.skipIf(process.platform === 'win32')('records maintenance although its output is closed', async () => {
    const { child, ended } = program(['--maintenance=data', '--until=2h', '--lab-listen-port=18999']);
    child.stdout.destroy();
    expect((await ended).code).toBe(exitCodes.ok);
    const records = await readFolder(join(folder.path, 'home/.local/state/lab-manager/commands-18999'));
    expect(JSON.stringify(records)).toContain('maintenance');
  });

  it('exits with code 3 when the port is taken and names the process', async () => {
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out, err } = await program([`--lab-listen-port=${port}`]).ended;
    server.close();
    expect(code).toBe(exitCodes.port);
    // Only Linux shows which process it is.
    const owner = process.platform === 'win32' ? '' : ' (process';
    expect(out + err).toContain(`Port ${port} is already in use by another program${owner}`);
  });

  it('exits with code 1 when the interface does not exist', async () => {
    const { code, out, err } = await program(['--lab-listen-host=203.0.113.77', '--lab-listen-port=0']).ended;
    expect(code).toBe(exitCodes.failure);
    expect(out + err).toContain('This machine has no interface 203.0.113.77');
  });
});

describe('the option --status', () => {
  it('prints the state of the lab and exits with 0 unless the lab is down or no service runs', async () => {
    const lab = await startLab({ data: 'http-503' });
    const service = await startService({ files: { 'settings.yaml': `${lab.settings}\nlab_manager_name: Bench 4\n` } });
    const statusNow = () => run(['--status', `--lab-listen-port=${service.port}`]);
    await vi.waitFor(() => expect(service.manager.lab?.currentStatus().state).toBe('degraded'));
    const degraded = await statusNow();
    expect(degraded).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(degraded.out).toMatch(/^Bench 4: Degraded, 5\/6 managers are healthy\n/);
    expect(degraded.out).toMatch(/Data Manager +Unhealthy +http:\/\/127\.0\.0\.1:\d+\/ +HTTP 503/);
    await lab.stop();
    await vi.waitFor(() => expect(service.manager.lab?.currentStatus().state).toBe('down'));
    expect((await statusNow()).code).toBe(exitCodes.failure);
    await service.stop();
    const missing = await run(['--status', `--lab-listen-port=${await pickFreePort()}`]);
    expect(missing.code).toBe(exitCodes.failure);
    expect(missing.out).toContain('No lab manager answers at');
  });
});

describe('the option --ping', () => {
  it('exits with 0 while the service responds, even if the lab is down, and with 1 otherwise', async () => {
    const service = await startService({ files: { 'settings.yaml': 'data_server_url: http://127.0.0.1:1/\n' } });
    const port = `--lab-listen-port=${service.port}`;
    const responds = await run(['--ping', port]);
    expect(responds).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(responds.out).toMatch(/^The lab manager at http:\/\/127\.0\.0\.1:\d+\/ responds \(version \d/);
    await service.stop();
    const stopped = await run(['--ping', port]);
    expect(stopped.code).toBe(exitCodes.failure);
    expect(stopped.out).toMatch(/^No lab manager responds at .*: connection refused/);
  });

  it('exits with 1 when another program has the port', async () => {
    const otherProgram = new URL(await startReceiver(() => 200));
    const { code, out } = await run(['--ping', `--lab-listen-port=${otherProgram.port}`]);
    expect(code).toBe(exitCodes.failure);
    expect(out).toContain('No lab manager responds at');
  });
});

describe('the command line for diagnostics', () => {
  it('prints problems and suggested actions for --doctor, and exits with 1', async () => {
    const lab = await startLab();
    await inLab({ 'settings.yaml': lab.settings });
    const port = `--lab-listen-port=${await pickFreePort()}`;
    const withManagers = await run(['--doctor', port]);
    expect(withManagers.out).toMatch(/^No lab manager runs at /);
    expect(withManagers.out).toMatch(/\nok +The managers answer +All 6 answer/);
    await lab.stop();
    const without = await run(['--doctor', port]);
    expect(without.code).toBe(exitCodes.failure);
    expect(without.out).toMatch(
      /\nPROBLEM +The managers answer .*connection refused[\s\S]*What to do: Check whether these managers run/,
    );
    expect(JSON.parse((await run(['--doctor', '--json', port])).out)).toMatchObject({ service: { kind: 'none' } });
  });

  it('saves one file and prints its contents with --bundle', async () => {
    await inLab({ 'settings.yaml': 'event_server_url: None\n' });
    const { code, out } = await run(['--bundle', 'all.zip', `--lab-listen-port=${await pickFreePort()}`]);
    expect(code).toBe(exitCodes.ok);
    for (const name of ['all.zip', 'README.txt', 'checks.txt', 'settings.json']) expect(out).toContain(name);
    const failed = await run(['--bundle=nowhere/all.zip']);
    expect(failed.code).toBe(exitCodes.failure);
    expect(failed.err).toContain('there is no such folder');
  });
});

// With the folders of Linux.
describe.skipIf(process.platform === 'win32')('the command line next to the desktop app', () => {
  const writeAppFiles = (labFolder: string | null, follow: string | null = null) =>
    folder.write({
      'home/.config/lab-manager/preferences.json': JSON.stringify({ labFolder, follow }),
      'home/.config/lab-manager/logs/desktop.log': '',
      'home/.config/lab-manager/logs/lab-manager.log': 'written by the app\n',
      'home/.config/lab-manager/logs/crashes.json': JSON.stringify([
        { at: new Date().toISOString(), process: 'service', reason: 'It crashed', exitCode: 139, version: '0.1.0' },
      ]),
      'home/bench/settings.yaml': 'lab_manager_name: Bench\nlab_listen_port: 1\n',
      'home/lab/settings.yaml': 'lab_manager_name: Current Directory\nlab_listen_port: 2\n',
    });
  const benchFolder = () => join(folder.path, 'home/bench');

  it('checks the settings of the lab folder chosen in the app unless another one is named', async () => {
    await writeAppFiles(benchFolder());
    expect((await run(['--check-settings'])).out).toMatch(/manager_name .*Bench/);
    const lab = join(folder.path, 'home/lab');
    expect((await run(['--check-settings', '--settings-dir', lab])).out).toMatch(/manager_name .*Current Directory/);
    expect((await run(['--check-settings'], { MADSCI_SETTINGS_DIR: lab })).out).toMatch(
      /manager_name .*Current Directory/,
    );
    await writeAppFiles(null);
    expect((await run(['--check-settings'])).out).toMatch(/manager_name .*Current Directory/);
  });

  it('prints the status of the service of the lab folder chosen in the app', async () => {
    await writeAppFiles(benchFolder());
    expect((await run(['--status'])).out).toContain('127.0.0.1:1');
  });

  it('reports the lab that the app follows when no service runs on this machine', async () => {
    const lab = await startLab();
    const followedService = await startService({
      files: { 'settings.yaml': `${lab.settings}\nlab_manager_name: Lab B\n` },
    });
    await vi.waitFor(() => expect(followedService.manager.lab?.currentStatus().state).toBe('healthy'));
    const follow = `http://127.0.0.1:${followedService.port}/`;
    const sentence = `The Lab Manager app follows the lab manager at ${follow}`;
    await writeAppFiles(benchFolder(), follow);
    const status = await run(['--status']);
    expect(status.out).toContain(sentence);
    expect(status.out).toContain(`\nLab B on 127.0.0.1:${followedService.port}: Healthy, 6/6 managers are healthy\n`);
    expect(status.code).toBe(exitCodes.ok);
    expect((await run(['--status', '--settings-dir', benchFolder()])).out).toMatch(/^No lab manager answers at /);
    const doctor = await run(['--doctor']);
    expect(doctor.out.startsWith(`${sentence}. No lab manager runs at http://127.0.0.1:1/`)).toBe(true);
    expect(JSON.parse((await run(['--doctor', '--json'])).out)).toMatchObject({ service: { kind: 'none', follow } });

    await followedService.stop();
    const missing = await run(['--status']);
    expect(missing.out).toContain(
      `${sentence}; no lab manager runs at http://127.0.0.1:1/.\nNo lab manager answers at ${follow}`,
    );
    expect(missing.code).toBe(exitCodes.failure);
    await writeAppFiles(benchFolder(), 'http://user:secret@bench-2:8000/');
    expect((await run(['--status'])).out).not.toContain('secret');
    await lab.stop();
  });

  it('reports the log of the app, and its crashes unless a settings folder is named', async () => {
    await writeAppFiles(benchFolder());
    expect((await run(['--doctor'])).out).toMatch(/the service \(1\)/);
    expect((await run(['--doctor', '--settings-dir', benchFolder()])).out).not.toMatch(/the service \(1\)/);
    const { out } = await run(['--bundle=all.zip']);
    expect(out).toContain('lab-manager.log');
  });
});

// With the folders of Linux; `e2e/windows` tests it with those of Windows.
describe.skipIf(process.platform === 'win32')('the option --maintenance', () => {
  it('puts a manager into maintenance in the running service, which excludes it from the counts', async () => {
    const lab = await startLab({ data: 'http-503' });
    const service = await startService({ files: { 'settings.yaml': lab.settings } });
    const state = { XDG_STATE_HOME: join(service.folder.path, 'home/.local/state') };
    const port = `--lab-listen-port=${service.port}`;
    const setMaintenance = (...args: readonly string[]) => run(['--maintenance', 'data', ...args, port], state);
    await vi.waitFor(() => expect(service.manager.lab?.currentStatus().state).toBe('degraded'));

    const begun = await setMaintenance('--until', '2h');
    expect(begun).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(begun.out).toMatch(/In maintenance now:\n +Data Manager +until \d{4}-\d\d-\d\d \d\d:\d\d\n/);
    await vi.waitFor(() => expect(service.manager.lab?.currentStatus().state).toBe('healthy'));
    const { out } = await run(['--status', port]);
    expect(out).toMatch(/^Lab: Healthy, 5\/5 managers are healthy, 1 in maintenance\n/);
    expect(out).toMatch(/Data Manager +Maintenance +http/);
    expect(JSON.parse((await sendRequest(service.port, '/lab_health')).body)).toMatchObject({
      total_managers: 6,
      healthy_managers: 5,
    });

    expect((await setMaintenance('--until', 'now')).out).toMatch(/^Nothing is in maintenance now/);
    await vi.waitFor(() => expect(service.manager.lab?.currentStatus().state).toBe('degraded'));

    const rule = /Planned:\n +Data Manager +every Mon, Thu 02:00 for 1 h, next \d{4}-\d\d-\d\d 02:00\n/;
    const planned = await setMaintenance('--every', 'Thu,Mon 2:00', '--for', '1h');
    expect(planned).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(planned.out).toMatch(rule);
    expect(planned.out).toMatch(/has applied the change/);
    expect((await run(['--status', port])).out).toMatch(/Data Manager +Planned +every Mon, Thu 02:00 for 1 h, next/);
    expect((await run(['--maintenance', 'list', port], state)).out).toMatch(rule);
    expect(JSON.parse((await sendRequest(service.port, '/summary')).body)).toMatchObject({
      planned_maintenance: { name: 'Data Manager' },
    });
    expect((await setMaintenance('--every', 'never')).out).not.toMatch(/Planned/);
    expect((await setMaintenance('--every', 'never')).out).toMatch(/There is no maintenance of Data Manager to cancel/);
    await service.stop();
    await lab.stop();
  });

  it.each([
    [['--maintenance', 'squid', '--until', '2h'], /“squid” can’t be put into maintenance.*event, experiment/],
    [['--maintenance', 'data'], /--until: is missing.*30m/],
    [['--maintenance', 'data', '--until', 'soon'], /“soon” is not a time.*30m/],
    [['--until', '2h'], /--until goes with --maintenance/],
    [['--every', 'Sun 02:00'], /--every and --for go with --maintenance/],
    [
      ['--maintenance', 'data', '--every', 'Sunny 02:00', '--for', '1h'],
      /“Sunny 02:00” is not a day and a time.*Sun 02:00/,
    ],
    [['--maintenance', 'data', '--every', 'Sun 02:00'], /--for: is missing.*30m/],
    [['--maintenance', 'data', '--every', 'Sun 02:00', '--for', '8d'], /“8d” is not a duration of at most 7 days/],
    [['--maintenance', 'data', '--every', 'never', '--until', 'now'], /--until and --every exclude each other/],
    [['--maintenance', 'data', '--for', '1h'], /--for goes with --every/],
    [['--demo', '--lab-listen-port', '8100'], /--demo uses no settings, so --lab-listen-port is not allowed/],
    [['--quit'], /--quit ends the desktop app/],
  ] as const)('and related options report the error in %j', async (args, expected) => {
    const { code, err } = await run(args, { XDG_STATE_HOME: folder.path });
    expect(code).toBe(exitCodes.settings);
    expect(err).toMatch(expected);
  });

  it('reports that the running service does not apply it, or that it takes effect at the next start', async () => {
    const service = await startService();
    const otherFolder = { XDG_STATE_HOME: join(folder.path, 'elsewhere') };
    const setMaintenance = (port: number) =>
      run(['--maintenance', 'lab', '--until', '2h', `--lab-listen-port=${port}`], otherFolder);
    const { port } = service;
    const missed = await setMaintenance(port);
    expect(missed.code).toBe(exitCodes.failure);
    expect(missed.err).toMatch(/does not apply it.*sudo/);
    await service.stop();
    const later = await setMaintenance(port);
    expect(later.code).toBe(exitCodes.ok);
    expect(later.out).toContain('takes effect when one starts');
  });

  it('accepts a node by its name in the workcell, or any name while the nodes are unknown', async () => {
    // A workcell manager sends all past errors of each node: more than 4 MiB here.
    const errors = Array.from({ length: 20_000 }, () => ({ message: 'x'.repeat(250) }));
    const nodes = { robotarm_1: { status: { errors } }, platereader_1: {}, 'hostile\u001b[2J': {} };
    const workcell = http.createServer((_request, response) => response.end(JSON.stringify(nodes)));
    await new Promise<void>((resolve) => workcell.listen(0, '127.0.0.1', resolve));
    const { port } = workcell.address() as AddressInfo;
    await inLab({ 'settings.yaml': `workcell_server_url: http://127.0.0.1:${port}/\n` });
    const listen = `--lab-listen-port=${await pickFreePort()}`;
    const setMaintenance = (node: string, until: string) =>
      run(['--maintenance', `node:${node}`, '--until', until, listen], { XDG_STATE_HOME: folder.path });
    const mistyped = await setMaintenance('robotarm1', '2h');
    expect(mistyped.code).toBe(exitCodes.settings);
    expect(mistyped.err).toMatch(/there is no node “robotarm1”\. Expected: one of .*platereader_1, robotarm_1\n/);
    // Names cannot move the terminal's cursor.
    expect(mistyped.err).not.toContain('\u001b');
    const exact = await setMaintenance('robotarm_1', '2h');
    expect(exact).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(exact.out).toMatch(/In maintenance now:\n +robotarm_1 +until /);
    await new Promise((resolve) => workcell.close(resolve));
    const unchecked = await setMaintenance('robotarm_2', '2h');
    expect(unchecked.code).toBe(exitCodes.ok);
    expect(unchecked.out).toMatch(
      /Could not check whether node “robotarm_2” exists .*connection refused[^]*robotarm_2 +until/,
    );
    // A maintenance window can be ended even if its node no longer exists.
    expect((await setMaintenance('robotarm_2', 'now')).out).not.toMatch(/Could not check|robotarm_2/);
  });

  it('reports that there is nothing to end, and then records nothing', async () => {
    await inLab({ 'settings.yaml': 'event_server_url: http://127.0.0.1:9/\n' });
    const port = await pickFreePort();
    const env = { XDG_STATE_HOME: folder.path, LAB_LISTEN_PORT: String(port) };
    const setMaintenance = (what: string, until: string) => run(['--maintenance', what, '--until', until], env);
    const none = await setMaintenance('data', 'now');
    expect(none).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(none.out).toBe('There is no maintenance of Data Manager to end\nNothing is in maintenance now\n');

    await setMaintenance('lab', '2h');
    const records = () => readFolder(join(folder.path, 'lab-manager', `commands-${port}`));
    const before = await records();
    expect(before.length).toBeGreaterThan(0);
    const repeated = await setMaintenance('data', 'now');
    expect(repeated.out).toMatch(
      /^There is no maintenance of Data Manager to end\nIn maintenance now:\n +The lab +until /,
    );
    expect(await records()).toEqual(before);
    const ended = await setMaintenance('lab', 'now');
    expect(ended.out).toMatch(/^Nothing is in maintenance now\n/);
    expect(await records()).not.toEqual(before);
  });

  it('is recorded in the event log, later by the service if the event manager is unavailable', async () => {
    type Stored = { event_data: Record<string, unknown> };
    const stored: Stored[] = [];
    const eventManager = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (request.method !== 'POST') return response.end('{}');
        const event = { event_timestamp: '2026-11-23T14:00:00', ...(JSON.parse(text) as Stored) };
        stored.push(event);
        return response.setHeader('content-type', 'application/json').end(JSON.stringify(event));
      });
    });
    const listening = (port: number) =>
      new Promise<void>((resolve) => eventManager.listen(port, '127.0.0.1', () => resolve()));
    await listening(0);
    servers.push(eventManager);
    const { port } = eventManager.address() as AddressInfo;
    const settings = `event_server_url: http://127.0.0.1:${port}/\nlab_event_time_zone: Asia/Tokyo\n`;
    await inLab({ 'settings.yaml': settings });
    const env = { XDG_STATE_HOME: folder.path, LAB_LISTEN_PORT: String(await pickFreePort()) };
    const begun = await run(['--maintenance', 'data', '--until', '2h'], env);
    expect(begun).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(stored).toMatchObject([
      {
        event_data: {
          command: 'maintenance',
          target: { kind: 'manager', name: 'Data Manager' },
          application: 'command line',
          user: accountName(),
          result: 'queued',
        },
      },
    ]);
    await new Promise((resolve) => eventManager.close(resolve));
    const ended = await run(['--maintenance', 'data', '--until', 'now'], env);
    expect(ended.out).toContain('The lab manager sends the record of this to the event manager later: ');
    await listening(port);
    const { child, ended: service } = program([], env);
    await vi.waitFor(() => expect(stored).toHaveLength(2));
    expect(stored[1]).toMatchObject({ event_data: { command: 'maintenance_end', application: 'command line' } });
    child.kill('SIGTERM');
    await service;
  });

  it('applies to the machine’s service when root runs it', () => {
    const inputs = folder.inputs({ env: {} });
    const unit = { state: folder.path, settings: '/etc/some' };
    const service = asSystemService(inputs, true, unit);
    expect(service.homeDir).toBe(folder.path);
    expect(service.userConfigDir).toBe(join(folder.path, '.config', 'lab-manager'));
    expect(service.env).toEqual({
      ...inputs.env,
      STATE_DIRECTORY: folder.path,
      MADSCI_SETTINGS_DIR: '/etc/some',
    });
    expect(asSystemService(inputs, false, unit)).toBe(inputs);
    expect(asSystemService(inputs, true, { ...unit, state: join(folder.path, 'missing') })).toBe(inputs);
    const userInputs = { ...inputs, env: { XDG_STATE_HOME: '/x' } };
    expect(asSystemService(userInputs, true, unit)).toBe(userInputs);
  });
});

describe('the option --notify-test', () => {
  it('reports for each address whether it accepted the message', async () => {
    const bodies: unknown[] = [];
    const [good, bad] = await Promise.all([
      startReceiver((body) => (bodies.push(JSON.parse(body)), 200)),
      startReceiver(() => 403),
    ]);
    const urls = JSON.stringify([`${bad}/secret-a`, `${good}/secret-b`, `${bad}/secret-c`]);
    const { code, out } = await run(['--notify-test'], { LAB_NOTIFY_WEBHOOK_URL: urls });
    expect(code).toBe(exitCodes.failure);
    expect(out).toBe(`1: ${bad}/…  HTTP 403\n${good}/…  accepted the test message\n3: ${bad}/…  HTTP 403\n`);
    expect(bodies).toMatchObject([{ source: 'lab-manager', level: 'info', title: 'Test of the notifications' }]);
    const none = await run(['--notify-test']);
    expect(none.code).toBe(exitCodes.failure);
    expect(none.out).toContain('LAB_NOTIFY_WEBHOOK_URL');
  });
});
