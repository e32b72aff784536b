/** The program as people and systemd start it: `node dist/server/main.js`. */
import { spawn, type ChildProcess } from 'node:child_process';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildStale } from '../../build/bundle/stale.mjs';
import { ask } from '../../e2e/support/ask.ts';
import { freePort, startLab } from '../../e2e/support/managers.ts';
import { repository, startService } from '../../e2e/support/service.ts';
import manifest from '../../package.json' with { type: 'json' };
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { exitCodes } from '../lifecycle/status.ts';

beforeAll(() => buildStale(repository), 120_000);

let folder: TempFolder;
let children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the program in the lab's folder, with nothing of our own environment that is a setting. */
function program(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(repository, 'dist/server/main.js'), ...args], {
    cwd: join(folder.path, 'home/lab'),
    env: { PATH: process.env['PATH'] ?? '', HOME: join(folder.path, 'home'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
  return { child, texts, ended };
}

const run = (args: readonly string[], env?: Readonly<Record<string, string>>) => program(args, env).ended;
const inLab = (files: Readonly<Record<string, string>>) =>
  folder.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`home/lab/${name}`, text])));

describe('what it says of itself', () => {
  it('--help lists every option, --version the version', async () => {
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
  ])('%s is an error that is explained', async (argument, words) => {
    const { code, out, err } = await run([argument]);
    expect([code, out]).toEqual([exitCodes.settings, '']);
    expect(err).toContain(words);
    expect(err).toContain('--help lists every option');
  });
});

describe('--demo', () => {
  it('serves six healthy simulated managers on loopback alone, whatever the settings say, and ends them with itself', async () => {
    await inLab({ 'settings.yaml': 'lab_server_url: nowhere\nlab_manager_name: Mine\n' });
    const { child, texts, ended } = program(['--demo']);
    const url = await vi.waitFor(() => {
      const found = /Demo lab at (http:\S+)/.exec(texts.out)?.[1];
      expect(found, texts.out + texts.err).toBeDefined();
      return found ?? '';
    }, 20_000);
    const health = await fetch(`${url}lab_health`).then((answer) => answer.json());
    expect(health).toMatchObject({ healthy: true, description: '6/6 managers are healthy' });
    const history = await fetch(`${url}lab_health/history`).then((answer) => answer.json());
    expect(history).toMatchObject({ lab_name: 'Demo Lab', demo: true });
    const context = (await fetch(`${url}context`).then((answer) => answer.json())) as Record<string, string>;
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: exitCodes.ok });
    await expect(fetch(`${context['event_server_url']}health`)).rejects.toThrow('fetch failed');
  }, 40_000);
});

describe('--check-settings', () => {
  it('prints the settings and where they come from', async () => {
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
  ])('says what is wrong in %s', async (_name, files, args, env, words) => {
    await inLab(files);
    const { code, err } = await run(['--check-settings', ...args], env);
    expect(code).toBe(exitCodes.settings);
    expect(err).toMatch(words);
    // What it finds, a start finds as well.
    const start = await run(args, env);
    expect(start.code).toBe(exitCodes.settings);
    expect(start.out + start.err).toMatch(words);
  });

  it('says every problem, not the first alone', async () => {
    await inLab({ 'settings.yaml': 'event_server_url: 1\ndata_server_url: 2\n', 'settings.toml': '=\n' });
    const { err } = await run(['--check-settings']);
    for (const words of ['event_server_url', 'data_server_url', 'settings.toml:1']) expect(err).toContain(words);
  });
});

describe('running', () => {
  async function running(env: Readonly<Record<string, string>> = {}) {
    const port = await freePort();
    const started = program([`--lab-listen-port=${port}`], env);
    await vi.waitFor(() => expect(started.texts.out).toContain(`at http://127.0.0.1:${port}/`), 10_000);
    return { port, ...started };
  }

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends well and quickly on %s', async (signal) => {
    const { port, child, ended } = await running();
    expect((await ask(port, '/health')).status).toBe(200);
    expect((await ask(port, '/', { headers: { accept: 'text/html' } })).body).toContain('<div id="app">');
    const asked = performance.now();
    child.kill(signal);
    expect((await ended).code).toBe(exitCodes.ok);
    expect(performance.now() - asked).toBeLessThan(3000);
  });

  it('tells each request on the console when LAB_VERBOSE asks for it, whatever the log level', async () => {
    const quiet = await running();
    const loud = await running({ LAB_VERBOSE: 'true', LAB_LOG_LEVEL: 'ERROR' });
    for (const { port } of [quiet, loud]) expect((await ask(port, '/context')).status).toBe(200);
    await vi.waitFor(() => expect(loud.texts.out + loud.texts.err).toContain('GET /context 200'));
    quiet.child.kill('SIGTERM');
    const { out, err } = await quiet.ended;
    expect(out).toContain('Listening on');
    expect(out + err).not.toContain('GET /context');
  });

  it('a taken port is exit code 3, and who has it', async () => {
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out, err } = await run([`--lab-listen-port=${port}`]);
    server.close();
    expect(code).toBe(exitCodes.port);
    expect(out + err).toContain(`Port ${port} is already in use by another program (process`);
  });

  it('an interface that is not there is exit code 1', async () => {
    const { code, out, err } = await run(['--lab-listen-host=203.0.113.77', '--lab-listen-port=0']);
    expect(code).toBe(exitCodes.failure);
    expect(out + err).toContain('This machine has no interface 203.0.113.77');
  });
});

describe('--status', () => {
  it('prints the lab as the running service sees it; 0 while it is healthy, 1 otherwise', async () => {
    const lab = await startLab({ data: 'http-503' });
    const service = await startService({ files: { 'settings.yaml': `${lab.settings}\nlab_manager_name: Bench 4\n` } });
    const statusNow = () => run(['--status', `--lab-listen-port=${service.port}`]);
    await vi.waitFor(() => expect(service.manager.watch?.status().state).toBe('degraded'), 6000);
    const degraded = await statusNow();
    expect(degraded).toMatchObject({ code: exitCodes.ok, err: '' });
    expect(degraded.out).toMatch(/^Bench 4: Degraded, 5\/6 managers are healthy\n/);
    expect(degraded.out).toMatch(/Data Manager +Unhealthy +http:\/\/127\.0\.0\.1:\d+\/ +HTTP 503/);
    await lab.stop();
    await vi.waitFor(() => expect(service.manager.watch?.status().state).toBe('down'), 8000);
    expect((await statusNow()).code).toBe(exitCodes.failure);
    await service.stop();
    const gone = await run(['--status', `--lab-listen-port=${await freePort()}`]);
    expect(gone.code).toBe(exitCodes.failure);
    expect(gone.out).toContain('No lab manager answers at');
  });
});

describe('--doctor and --bundle', () => {
  it('says what is wrong and what to do, with a code for scripts', async () => {
    const lab = await startLab();
    await inLab({ 'settings.yaml': lab.settings });
    const port = `--lab-listen-port=${await freePort()}`;
    const withManagers = await run(['--doctor', port]);
    expect(withManagers.out).toMatch(/^No lab manager runs at /);
    expect(withManagers.out).toMatch(/\nok +The managers answer +All 6 answer/);
    await lab.stop();
    const without = await run(['--doctor', port]);
    expect(without.code).toBe(exitCodes.failure);
    expect(without.out).toMatch(
      /\nPROBLEM +The managers answer .*connection refused[\s\S]*What to do: Look whether these managers run/,
    );
    expect(JSON.parse((await run(['--doctor', '--json', port])).out)).toMatchObject({ service: { kind: 'none' } });
  });

  it('saves one file and prints what it holds', async () => {
    await inLab({ 'settings.yaml': 'event_server_url: None\n' });
    const { code, out } = await run(['--bundle', 'all.zip', `--lab-listen-port=${await freePort()}`]);
    expect(code).toBe(exitCodes.ok);
    for (const name of ['all.zip', 'README.txt', 'checks.txt', 'settings.json']) expect(out).toContain(name);
    const failed = await run(['--bundle=nowhere/all.zip']);
    expect(failed.code).toBe(exitCodes.failure);
    expect(failed.err).toContain('there is no such folder');
  });
});
