/**
 * `npm start` of a clone as root and as an ordinary user, where the kernel permits user namespaces and where it refuses
 * them.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureSandbox } from '../../build/setup/sandbox.mjs';
import { ordinaryUser } from '../support/desktop/ordinaryUser.ts';
import {
  fetchText,
  plainEnvironment,
  startProgram,
  waitFor,
  waitForProcessesToEnd,
  type Program,
} from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { attach, debuggingSwitch } from '../support/desktop/remoteDebugging.ts';
import { permitsNamespaces, refusals, withoutUserNamespaces, type NoUserNamespaces } from './noUserNamespaces.ts';

const root = resolve(import.meta.dirname, '..', '..');
const start = join(root, 'build', 'setup', 'start.mjs');
const user = ordinaryUser();
const canRun = process.getuid?.() === 0 && user.canRead(start) && process.env['LAB_MANAGER_RUNTIME'] !== undefined;

describe.runIf(canRun)('npm start', () => {
  let runtime = '';
  let home = '';
  let kernel: NoUserNamespaces;
  let program: Program | null = null;

  beforeAll(async () => {
    // A copy, because root's home is unreadable for the user, and the helper of the tests' runtime must stay unchanged.
    runtime = mkdtempSync(join(tmpdir(), 'runtime-'));
    cpSync(process.env['LAB_MANAGER_RUNTIME'] ?? '', runtime, { recursive: true, mode: constants.COPYFILE_FICLONE });
    chmodSync(runtime, 0o755);
    kernel = await withoutUserNamespaces();
  });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'home-'));
    user.chown(home);
    execFileSync('chmod', ['755', join(runtime, 'chrome-sandbox')]);
  });
  afterEach(() => {
    program?.kill();
    rmSync(home, { recursive: true, force: true });
  });
  afterAll(() => {
    kernel?.stop();
    rmSync(runtime, { recursive: true, force: true });
  });

  const helper = () => join(runtime, 'chrome-sandbox');

  /**
   * Runs `npm start`.
   * @param prefix a command that runs it in another environment
   * @param userPrefix a command that runs it as another user
   */
  async function npmStart(
    prefix: readonly string[],
    args: readonly string[],
    variables: NodeJS.ProcessEnv = {},
    userPrefix: readonly string[] = user.command,
  ) {
    const port = await pickFreePort();
    const env = plainEnvironment({
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      ELECTRON_OVERRIDE_DIST_PATH: runtime,
      LAB_WATCH_INTERVAL: '5',
      LAB_LISTEN_PORT: String(port),
      LAB_LISTEN_HOST: '127.0.0.1',
      ...variables,
    });
    const node = [process.execPath, start, ...args];
    program = startProgram([...prefix, ...userPrefix, 'dbus-run-session', '--', ...node], env, home);
    return { started: program, port };
  }

  async function waitForWindow(started: Program): Promise<void> {
    const browser = await attach(started);
    try {
      await waitFor(started, 'a window', async () => browser.contexts()[0]?.pages()[0] ?? null);
    } finally {
      await browser.close();
    }
  }

  async function openInSandbox(prefix: readonly string[]): Promise<{ seccomp: string; suid: boolean }> {
    const { started } = await npmStart(prefix, [debuggingSwitch]);
    await waitForWindow(started);
    // Loading the dashboard replaces the first page and its renderer process.
    const seccomp = await waitFor(started, 'the process of a page', async () => {
      const renderer = started.processes().find(({ commandLine }) => commandLine.join(' ').includes('--type=renderer'));
      const status = `/proc/${renderer?.pid}/status`;
      return existsSync(status) ? (/^Seccomp:\s*(\d)/m.exec(readFileSync(status, 'utf8'))?.[1] ?? null) : null;
    });
    const processes = started.processes();
    const suid = processes.some(({ commandLine: [first] }) => first === helper());
    return { seccomp, suid };
  }

  test.runIf(permitsNamespaces)(
    'opens its window in the sandbox as an ordinary user when the kernel permits namespaces',
    async () => {
      expect(await openInSandbox([])).toEqual({ seccomp: '2', suid: false });
    },
  );

  test.each(refusals)(
    'serves as an ordinary user where $refusal refuses namespaces, and ends with the command for the helper',
    async ({ refuse }) => {
      const refusing = await refuse();
      try {
        const { started, port } = await npmStart(refusing.command, []);
        expect((await waitFor(started, 'the dashboard', () => fetchText(port, '/'))).type).toContain('text/html');
        const command = `sudo chown root:root '${helper()}' && sudo chmod 4755 '${helper()}'`;
        await expect.poll(() => started.output()).toContain(command);
        const service = started.processes().find(({ commandLine }) => commandLine.join(' ').includes('server/main.js'));
        process.kill(service?.pid ?? 0, 'SIGTERM');
        expect(await started.exit).toEqual({ code: 1, signal: null });
        // The last lines may arrive after the end.
        await expect.poll(() => started.output().trimEnd().endsWith(command)).toBe(true);
        expect(started.output()).not.toMatch(/FATAL|--no-sandbox/);
      } finally {
        refusing.stop();
      }
    },
  );

  test('opens its window in the sandbox of the helper as an ordinary user after root has prepared the helper', async () => {
    execFileSync('sh', ['-c', `chown root:root '${helper()}' && chmod 4755 '${helper()}'`]);
    expect(await openInSandbox(kernel.command)).toEqual({ seccomp: '2', suid: true });
  });

  test.each(refusals)(
    'prepares the helper and opens the window as root where $refusal refuses namespaces',
    async ({ refuse }) => {
      const refusing = await refuse();
      try {
        const { started } = await npmStart(refusing.command, [debuggingSwitch], {}, []);
        await waitForWindow(started);
        const { uid, mode } = statSync(helper());
        expect({ uid, mode: mode & 0o7777 }).toEqual({ uid: 0, mode: 0o4755 });
        expect(started.output()).not.toContain('sudo');
        program?.kill();
        await waitForProcessesToEnd(started);
      } finally {
        refusing.stop();
      }
    },
  );

  test.runIf(permitsNamespaces)(
    'has a check of the sandbox that leaves the helper unchanged when the kernel permits namespaces',
    () => {
      expect(ensureSandbox(runtime).kind).toBe('namespaces');
      expect(statSync(helper()).mode & 0o7777).toBe(0o755);
    },
  );

  test.each([true, false])('runs the service without a display, namespaces permitted: %s', async (permitted) => {
    const { started, port } = await npmStart(permitted ? [] : kernel.command, [], { DISPLAY: '', WAYLAND_DISPLAY: '' });
    await waitFor(started, 'the dashboard', () => fetchText(port, '/'));
    await expect.poll(() => started.output()).toContain('There is no display here');
    const service = started.processes().find(({ commandLine }) => commandLine.join(' ').includes('server/main.js'));
    process.kill(service?.pid ?? 0, 'SIGTERM');
    expect(await started.exit).toEqual({ code: 0, signal: null });
  });
});
