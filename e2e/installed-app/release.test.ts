/** The release build from outside: its files, and that it starts, serves, shows the dashboard and ends. */
import { FuseV1Options } from '@electron/fuses';
import { listPackage } from '@electron/asar';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFuseWire } from '../../build/fuses.mjs';
import { TrayHost } from '../support/desktop/trayHost.ts';
import { ordinaryUser } from '../support/desktop/ordinaryUser.ts';
import { getReadableApp } from '../support/desktop/unpackedApp.ts';
import { debuggingSwitch } from '../support/desktop/remoteDebugging.ts';
import { readWindow } from './dashboardWindow.ts';
import { canOpenWindow } from './noUserNamespaces.ts';
import {
  fetchText,
  plainEnvironment,
  startProgram,
  waitFor,
  readCompleteOutput,
  waitForProcessesToEnd,
  type Program,
} from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';

const release = process.env['LAB_MANAGER_RELEASE_APP'] ?? '';
const testBuild = process.env['LAB_MANAGER_APP'] ?? '';
const rootSwitches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
/** The release build, if needed as a copy whose sandbox is usable for its user. */
const executable = rootSwitches.length > 0 || !canOpenWindow ? release : getReadableApp(ordinaryUser());

/** The expected fuses in the order of the fuse wire; a runtime older than the last fuse has no position for it. */
const fuses = Object.values({
  runAsNode: '0',
  enableCookieEncryption: '1',
  enableNodeOptionsEnvironmentVariable: '0',
  enableNodeCliInspectArguments: '0',
  enableEmbeddedAsarIntegrityValidation: '0',
  onlyLoadAppFromAsar: '1',
  loadBrowserProcessSpecificV8Snapshot: '0',
  grantFileProtocolExtraPrivileges: '0',
  wasmTrapHandlers: '1',
});

let profile = '';
let program: Program | null = null;
beforeEach(() => void (profile = mkdtempSync(join(tmpdir(), 'release-'))));
afterEach(() => {
  program?.kill();
  rmSync(profile, { recursive: true, force: true });
});

test('every fuse has its stated value, and the test build differs in one', async () => {
  const wire = await readFuseWire(release);
  expect(wire.length).toBeGreaterThanOrEqual(8);
  expect(wire).toEqual(fuses.slice(0, wire.length));
  expect(await readFuseWire(testBuild)).toEqual(wire.with(FuseV1Options.EnableNodeCliInspectArguments, '1'));
});

test('the archive contains only the program, and the served files are outside of it', () => {
  const resources = join(dirname(release), 'resources');
  const files = listPackage(join(resources, 'app.asar'), { isPack: false });
  const needed = ['/dist/electron/main.js', '/dist/licences.txt', '/dist/shell/index.html', '/LICENSE'];
  expect(files).toEqual(expect.arrayContaining(needed));
  expect(files.filter((file) => /node_modules|\.map$|\.ts$/.test(file))).toEqual([]);
  for (const file of ['dashboard/index.html', 'swagger-ui/swagger-ui.css', 'icons/tray/healthy-light-22.png']) {
    expect(statSync(join(resources, 'app.asar.unpacked', 'dist', file)).size, file).toBeGreaterThan(0);
  }
  expect(existsSync(join(resources, 'default_app.asar'))).toBe(false);
  const licences = ['LICENSE.electron.txt', 'LICENSES.chromium.html'].map((file) => join(dirname(release), file));
  for (const licence of [...licences, join(resources, 'LICENSE.txt'), join(resources, 'LICENSES.packages.txt')]) {
    expect(existsSync(licence), licence).toBe(true);
  }
});

test('the bill of materials has what is bundled and the runtime, all under permissive licences', () => {
  const file = readFileSync(join(dirname(release), 'resources', 'sbom.cdx.json'), 'utf8');
  interface Component {
    purl: string;
    properties: { value: string }[];
    licenses: { license?: { id: string }; expression?: string }[];
  }
  const { components } = JSON.parse(file) as { components: Component[] };
  const parts = new Map(components.map(({ purl, properties }) => [purl.replace(/@[^@]*$/, ''), properties]));
  expect(parts.get('pkg:npm/express')).toEqual([expect.objectContaining({ value: 'program' })]);
  expect(parts.get('pkg:npm/vue-router')).toEqual([expect.objectContaining({ value: 'dashboard' })]);
  const runtime = process.env['LAB_MANAGER_RUNTIME'] ?? '';
  const version = readFileSync(join(runtime, 'version'), 'utf8').trim().replace(/^v/, '');
  expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/electron@${version}`);
  // Terms under which a package may be part of one under the MIT licence.
  const permissive = new Set([
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'ISC',
    'MIT',
    'MIT-0',
    'OFL-1.1',
  ]);
  /** @param terms an identifier, or alternatives such as `(MIT OR Apache-2.0)` */
  const isPermissive = (terms: string) =>
    terms
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some((id) => permissive.has(id));
  const others = components.filter(
    ({ licenses }) => !licenses?.every(({ license, expression }) => isPermissive(license?.id ?? expression ?? '')),
  );
  expect(others).toEqual([]);
});

test.runIf(canOpenWindow)(
  'the program starts, serves, shows the dashboard and leaves no process after its end',
  async () => {
    const port = await pickFreePort();
    const env = plainEnvironment({
      LAB_WATCH_INTERVAL: '5',
      LAB_LISTEN_PORT: String(port),
      LAB_LISTEN_HOST: '127.0.0.1',
      LAB_SERVER_URL: `http://localhost:${port}`,
    });
    program = startProgram(
      [executable, ...rootSwitches, `--user-data-dir=${profile}`, debuggingSwitch, '--inspect=0'],
      env,
    );
    const started = program;
    const health = await waitFor(started, '/health', () => fetchText(port, '/health'));
    expect(JSON.parse(health.body)).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    const window = await readWindow(started, `http://127.0.0.1:${port}/`);
    expect(window.title).not.toBe('');
    expect(window.text).toContain('Workcell');
    // The fuse is off, so the main process cannot be debugged.
    expect(started.output()).not.toContain('Debugger listening');
    expect(started.processes().length).toBeGreaterThan(2);
    expect(await started.end()).toBe(0);
    await waitForProcessesToEnd(started);
  },
);

test.runIf(canOpenWindow)('the tray reports the lab over the session bus, and Quit ends the program', async () => {
  const tray = await TrayHost.start();
  try {
    const port = await pickFreePort();
    const env = plainEnvironment({ LAB_SERVER_URL: `http://localhost:${port}`, LAB_MANAGER_NAME: 'Bench Lab' });
    program = startProgram([executable, ...rootSwitches, `--user-data-dir=${profile}`], env);
    await waitFor(program, '/health', () => fetchText(port, '/health'));
    await expect.poll(() => tray.tooltip()).toContain('Bench Lab: Down, 0/6 managers are healthy');
    expect((await tray.picture()).pixels.some((byte) => byte !== 0)).toBe(true);
    await tray.choose('Quit');
    await waitForProcessesToEnd(program);
  } finally {
    tray.stop();
  }
});

test.runIf(canOpenWindow)('the program cannot be run as plain Node', async () => {
  const env = plainEnvironment({ ELECTRON_RUN_AS_NODE: '1' });
  program = startProgram(
    [executable, ...rootSwitches, '--ozone-platform=headless', '--disable-gpu', '--log-level=3', '--version'],
    env,
  );
  const message = await readCompleteOutput(program);
  expect(message).toMatch(/^\d+\.\d+\.\d+\S*\n/);
  expect(message).not.toContain(process.version);
});
