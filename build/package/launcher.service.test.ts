/** Tests the package's launcher with stubs of the program, of the kernel's refusal and of desktop tools. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ordinaryUser } from '../../e2e/support/desktop/ordinaryUser.ts';
import { isHeadlessRequested, isQuitRequested } from '../../electron/start/startOptions.ts';
import { programOptions } from '../../server/settings/parse/commandLine.ts';

const scripts = resolve(import.meta.dirname, '..', '..', 'resources', 'linux');
const user = ordinaryUser();
/** The real tools that the launcher calls. */
const systemTools = [
  'cat',
  'chmod',
  'chown',
  'date',
  'dirname',
  'fold',
  'grep',
  'id',
  'readlink',
  'sh',
  'stat',
  'touch',
  'true',
];

let folder = '';
let app = '';
let tools = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launcher-'));
  app = join(folder, 'app');
  tools = join(folder, 'tools');
  for (const directory of [app, tools]) mkdirSync(directory);
  for (const name of ['launcher.sh', 'sandbox.sh', 'dialogs.sh']) copyFileSync(join(scripts, name), join(app, name));
  writeProgram(join(app, 'lab-manager'), 'echo "started: $*"');
  writeProgram(join(app, 'chrome-sandbox'), 'echo "The setuid sandbox is not running as root." >&2; exit 1');
  for (const name of systemTools) writeProgram(join(tools, name), `exec ${systemPath(name)} "$@"`);
  writeFileSync(join(folder, 'calls'), '');
  chmodSync(join(folder, 'calls'), 0o666);
  for (const directory of [folder, app, tools]) chmodSync(directory, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function systemPath(name: string): string {
  return ['/usr/bin', '/bin'].map((directory) => join(directory, name)).find((path) => existsSync(path)) ?? name;
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Adds a tool to the path that records its calls. @param script code that it runs after that */
function addTool(name: string, script = ''): void {
  writeProgram(join(tools, name), `printf '%s: %s\\n' ${name} "$*" >>'${folder}/calls'\n${script}`);
}

function permitNamespaces(permitted: boolean): void {
  writeProgram(
    join(tools, 'unshare'),
    permitted ? 'exit 0' : 'echo "unshare failed: Operation not permitted" >&2; exit 1',
  );
}

function launch(args: readonly string[] = [], display: Readonly<Record<string, string>> = { DISPLAY: 'lab-pc:7.0' }) {
  const set = Object.entries({ PATH: tools, HOME: folder, ...display }).map(([name, value]) => `${name}=${value}`);
  const commandLine = [...user.command, '/usr/bin/env', '-i', ...set, '/bin/sh', join(app, 'launcher.sh'), ...args];
  const [file = '', ...rest] = commandLine;
  const { status, stdout, stderr } = spawnSync(file, rest, { encoding: 'utf8' });
  return { status, stdout, stderr, calls: readFileSync(join(folder, 'calls'), 'utf8') };
}

const repairCommand = () => `sudo chown root:root '${app}/chrome-sandbox' && sudo chmod 4755 '${app}/chrome-sandbox'`;

describe.runIf(process.platform === 'linux')('the launcher', () => {
  test.each([
    ['X11 where both exist', { DISPLAY: 'lab-pc:7.0', WAYLAND_DISPLAY: 'wayland-0' }, false],
    ['Wayland if no X server runs', { DISPLAY: ':97.0', WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['Wayland without an X server', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ])('chooses %s', (_what, display, isWayland) => {
    permitNamespaces(true);
    const { status, stdout } = launch([], display);
    expect([status, stdout.includes('--ozone-platform=wayland')]).toEqual([0, isWayland]);
  });

  test('names a display without an X server, and starts no window', () => {
    permitNamespaces(true);
    const { status, stdout, stderr } = launch([], { DISPLAY: ':97' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('There is no X server at DISPLAY=:97');
    expect(launch(['--status'], { DISPLAY: ':97' }).stdout).toContain('started: ');
  });

  test('starts the window without a sandbox switch when the kernel permits namespaces', () => {
    permitNamespaces(true);
    expect(launch(['--hidden'])).toMatchObject({ status: 0, stdout: 'started: --hidden\n', stderr: '', calls: '' });
  });

  test.each(Object.values(programOptions).flatMap(({ names }) => names))(
    'passes --no-sandbox with %s exactly when this option needs no window',
    (option) => {
      permitNamespaces(false);
      for (const argument of [option, `${option}=x`]) {
        const { stdout } = launch([argument]);
        const argv = ['lab-manager', argument];
        expect(stdout.includes('--no-sandbox')).toBe(isHeadlessRequested(argv) || isQuitRequested(argv));
      }
    },
  );

  test('ends the app without a display, and not the service without a window', () => {
    const { stdout, stderr } = launch(['--quit'], {});
    expect(stdout).toMatch(/^started: --no-sandbox .*--ozone-platform=headless .* --quit\n$/);
    expect(stdout + stderr).not.toMatch(/--headless|no display/);
  });

  test.each([
    ['zenity', 'xmessage'],
    ['kdialog', 'xmessage'],
    ['xmessage', 'notify-send'],
    ['notify-send', 'gdbus'],
    ['gdbus', null],
  ])('reports a refused sandbox and the repair command with %s, and starts no program', (name, next) => {
    permitNamespaces(false);
    addTool(name);
    if (next !== null) addTool(next);
    const { status, stdout, stderr, calls } = launch();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(calls.split('\n')[0]).toMatch(new RegExp(`^${name}: .*`));
    expect(calls.replace(/\n/g, ' ')).toContain(name === 'xmessage' ? 'sudo chown root:root' : repairCommand());
    if (next !== null) expect(calls).not.toContain(`${next}: `);
    expect(stderr).toContain(repairCommand());
  });

  test('reports a refused sandbox on standard error when the desktop has no tool for it', () => {
    permitNamespaces(false);
    const { status, stderr } = launch();
    expect(status).toBe(1);
    expect(stderr).toContain('does not permit user namespaces');
    expect(stderr).toContain(repairCommand());
  });

  test.skipIf(user.command.length === 0)('shows the repair command when the user declines the repair', () => {
    permitNamespaces(false);
    addTool('zenity', 'case $* in *--question*) exit 1 ;; esac');
    addTool('pkexec');
    const { status, stdout, calls } = launch();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(calls).not.toContain('pkexec: ');
    expect(calls).toMatch(/zenity: --error[\s\S]*sudo chown root:root/);
  });

  test('offers no repair of a helper that the user could replace', () => {
    permitNamespaces(false);
    addTool('zenity');
    addTool('pkexec');
    user.chown(app);
    if (user.command.length === 0) chmodSync(app, 0o755);
    expect(launch().calls).not.toMatch(/pkexec|--question/);
  });

  test.each([133, 127, 139])('reports a program that exits with %i while it starts', (code) => {
    permitNamespaces(true);
    addTool('zenity');
    writeProgram(join(app, 'lab-manager'), `exit ${code}`);
    const { status, calls } = launch();
    expect(status).toBe(code);
    expect(calls).toContain(`could not start (exit code ${code})`);
  });

  test.each([0, 1, 137, 143])('shows nothing for a program that exits with %i', (code) => {
    permitNamespaces(true);
    addTool('zenity');
    writeProgram(join(app, 'lab-manager'), `exit ${code}`);
    expect(launch()).toMatchObject({ status: code, calls: '' });
  });
});
