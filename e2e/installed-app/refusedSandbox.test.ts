/** The package on a kernel that refuses user namespaces only after the installation. Needs root. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
import { debuggingSwitch } from '../support/desktop/remoteDebugging.ts';
import { readWindow } from './dashboardWindow.ts';
import * as debian from './debianPackage.ts';
import { refusals, withoutUserNamespaces, type NoUserNamespaces } from './noUserNamespaces.ts';

const user = ordinaryUser();

describe.runIf(process.getuid?.() === 0)('a package installed before user namespaces were refused', () => {
  let paths: debian.PackagePaths;
  let kernel: NoUserNamespaces;
  let folder = '';
  let program: Program | null = null;

  beforeAll(async () => {
    paths = debian.installOrUnpack(process.env['LAB_MANAGER_DEB'] ?? '');
    kernel = await withoutUserNamespaces();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refused-'));
    for (const name of ['home', 'tools']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'calls'), '');
    user.chown(folder);
    chmodSync(helper(), 0o755);
  });
  afterEach(() => {
    program?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(() => {
    kernel?.stop();
    debian.remove(paths);
  });

  const helper = () => join(paths.app, 'chrome-sandbox');
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8');

  function tool(name: string, script: string): void {
    const file = join(folder, 'tools', name);
    writeFileSync(file, `#!/bin/sh\nprintf '%s: %s\\n' ${name} "$*" >>'${folder}/calls'\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** Starts the app as its icon does. @param prefix a command that runs it, which also sets the user */
  async function clickIcon(
    prefix: readonly string[] = [...kernel.command, ...user.command],
  ): Promise<{ started: Program; port: number }> {
    const port = await pickFreePort();
    const exec = debian.execCommand(debian.readValue(paths.desktopFile, 'Exec'), paths, [debuggingSwitch]);
    const env = plainEnvironment({
      HOME: join(folder, 'home'),
      XDG_CONFIG_HOME: join(folder, 'home', '.config'),
      PATH: `${join(folder, 'tools')}:${process.env['PATH'] ?? ''}`,
      LAB_WATCH_INTERVAL: '5',
      LAB_LISTEN_PORT: String(port),
      LAB_LISTEN_HOST: '127.0.0.1',
    });
    program = startProgram([...prefix, 'dbus-run-session', '--', ...exec], env);
    return { started: program, port };
  }

  test.each(refusals)(
    'opens the window as root where $refusal refuses namespaces, and then for an ordinary user in the sandbox of the helper',
    async ({ refuse }) => {
      const refusing = await refuse();
      try {
        const asRoot = await clickIcon(refusing.command);
        expect((await readWindow(asRoot.started, `http://127.0.0.1:${asRoot.port}/`)).text).toContain('Workcell');
        const { uid, mode } = statSync(helper());
        expect({ uid, mode: mode & 0o7777 }).toEqual({ uid: 0, mode: 0o4755 });
        expect(await asRoot.started.end()).toBe(0);
        await waitForProcessesToEnd(asRoot.started);
        user.chown(folder);

        const { started, port } = await clickIcon([...refusing.command, ...user.command]);
        expect((await readWindow(started, `http://127.0.0.1:${port}/`)).text).toContain('Workcell');
        const processes = started.processes();
        const renderer = processes.find(({ commandLine }) => commandLine.join(' ').includes('--type=renderer'));
        expect(readFileSync(`/proc/${renderer?.pid}/status`, 'utf8')).toMatch(/^Seccomp:\s*2$/m);
        expect(processes.flatMap(({ commandLine }) => commandLine)).not.toContain('--no-sandbox');
        expect(await started.end()).toBe(0);
        await waitForProcessesToEnd(started);
        expect(calls()).toBe('');
      } finally {
        refusing.stop();
      }
    },
  );

  test('offers a repair by pkexec from its icon, then opens the window in the sandbox of the helper', async () => {
    tool('zenity', '');
    // The test, which is root, acts in place of Polkit: pkexec waits for it.
    tool('pkexec', `while [ ! -e '${folder}/permitted' ]; do sleep 0.05; done`);
    const { started, port } = await clickIcon();
    const request = await waitFor(
      started,
      'a request of pkexec',
      async () => /^pkexec: (.*)$/m.exec(calls())?.[1] ?? null,
    );
    expect(request).toBe(`chmod 4755 ${helper()}`);
    expect(calls()).toContain('zenity: --question');
    execFileSync('sh', ['-c', request]);
    writeFileSync(join(folder, 'permitted'), '');
    await waitFor(started, '/context', () => fetchText(port, '/context'));
    expect((await readWindow(started, `http://127.0.0.1:${port}/`)).text).toContain('Workcell');
    const processes = started.processes();
    expect(processes.some(({ commandLine: [first] }) => first === helper())).toBe(true);
    expect(processes.flatMap(({ commandLine }) => commandLine)).not.toContain('--no-sandbox');
    expect(await started.end()).toBe(0);
  });

  test('shows the command in a dialog when the repair is declined and starts nothing', async () => {
    tool('zenity', 'case $* in *--question*) exit 1 ;; esac');
    tool('pkexec', '');
    const { started } = await clickIcon();
    expect(await started.exit).toEqual({ code: 1, signal: null });
    expect(calls()).not.toContain('pkexec: ');
    expect(calls()).toMatch(/zenity: --error[\s\S]*sudo chown root:root \S+ && sudo chmod 4755 /);
    const command = `sudo chown root:root '${helper()}' && sudo chmod 4755 '${helper()}'`;
    expect(
      started
        .output()
        .split('\n')
        .filter((line) => line.includes('sudo')),
    ).toEqual([command]);
    expect(started.output()).not.toContain('FATAL');
    expect(statSync(helper()).mode & 0o7777).toBe(0o755);
  });

  test('serves without a display', async () => {
    const port = await pickFreePort();
    const env = plainEnvironment({
      HOME: join(folder, 'home'),
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
      LAB_WATCH_INTERVAL: '5',
      LAB_LISTEN_PORT: String(port),
      LAB_LISTEN_HOST: '127.0.0.1',
    });
    program = startProgram([...kernel.command, ...user.command, paths.launcher], env);
    expect((await waitFor(program, 'the dashboard', () => fetchText(port, '/'))).type).toContain('text/html');
    // It runs without a sandbox, because it has no process that draws a page.
    expect(
      program.processes().filter(({ commandLine }) => /--type=(renderer|gpu)/.test(commandLine.join(' '))),
    ).toEqual([]);
    expect(await program.end()).toBe(0);
  });

  test.runIf(existsSync('/usr/bin/xmessage'))(
    'shows its message in a window on a desktop that only has xmessage',
    async () => {
      for (const name of ['zenity', 'kdialog']) tool(name, 'exit 127');
      tool('pkexec', 'exit 127');
      const { started } = await clickIcon();
      const dialog = await waitFor(started, 'a dialog', async () => {
        const xmessage = started.processes().find(({ commandLine: [first] }) => first === 'xmessage');
        return xmessage ?? null;
      });
      expect(dialog.commandLine.join(' ')).toContain('sudo chown root:root');
      process.kill(dialog.pid, 'SIGTERM');
      expect((await started.exit).code).toBe(1);
    },
  );
});
