/** dpkg replaces the files of the running app: its window, further windows, the tray, and its service. Needs root. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { appTexts } from '../../dashboard/app/texts.ts';
import { commonTexts } from '../../dashboard/base/texts.ts';
import { shareSandbox } from '../../build/setup/sandbox.mjs';
import { startOutside, type OutsideApp } from '../support/desktop/outsideApp.ts';
import { changeVersion, type Versions } from '../support/desktop/otherVersion.ts';
import { fetchText } from '../support/desktop/program.ts';
import { collectLabels } from '../support/desktop/trayItem.ts';
import * as debian from './debianPackage.ts';
import { canOpenWindow } from './noUserNamespaces.ts';

const deb = process.env['LAB_MANAGER_DEB'] ?? '';
const updateText = 'Lab Manager was updated on this machine. Restart the app to finish the update.';

describe.runIf(process.getuid?.() === 0 && canOpenWindow)('the app during an upgrade by dpkg', () => {
  let root = '';
  let older = '';
  let newer = '';
  let versions: Versions;
  let app: OutsideApp | null = null;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'upgrade-'));
    chmodSync(root, 0o755);
    mkdirSync(join(root, 'dpkg', 'updates'), { recursive: true });
    for (const name of ['status', 'available']) writeFileSync(join(root, 'dpkg', name), '');
    older = debian.repack(deb, (stage, control) => {
      removeScripts(control);
      versions = changeVersion(join(stage, 'opt', 'lab-manager'));
      renameScripts(join(stage, 'opt', 'lab-manager', 'resources', 'app.asar.unpacked', 'dist', 'dashboard'));
    });
    newer = debian.repack(deb, (_stage, control) => removeScripts(control));
    unpack(older);
    shareSandbox(join(root, 'opt', 'lab-manager'), process.env['LAB_MANAGER_RUNTIME'] ?? '');
  });
  afterEach(() => app?.close());
  afterAll(() => {
    for (const path of [root, older, newer]) rmSync(path, { recursive: true, force: true });
  });

  /** Removes the maintainer scripts, which would change this machine. */
  function removeScripts(control: string): void {
    for (const name of ['postinst', 'prerm', 'postrm']) rmSync(join(control, name), { force: true });
  }

  /** Unpacks a package as an installation or upgrade does. Source: dpkg(1). */
  function unpack(file: string): void {
    const folders = [`--instdir=${root}`, `--admindir=${join(root, 'dpkg')}`, '--log=/dev/null'];
    execFileSync('dpkg', [...folders, '--force-depends,downgrade', '--unpack', file], { stdio: 'pipe' });
  }

  const readVersion = async (port: number) =>
    (JSON.parse((await fetchText(port, '/health'))?.body ?? '{}') as { version?: string }).version;

  test('reports the update, opens its pages or offers to reload them, and restarts its service', async () => {
    const running = await startOutside({ program: join(root, 'opt', 'lab-manager', 'launcher.sh') });
    app = running;
    const { tray, port } = running;
    const page = await running.page();
    await expect.poll(() => page.url()).toBe(`http://127.0.0.1:${port}/`);
    await page.getByRole('link', { name: 'Overview' }).first().waitFor();
    expect(await readVersion(port)).toBe(versions.changed);

    unpack(newer);
    await expect.poll(async () => collectLabels(await tray.menu())).toContain(updateText);
    await page.getByText(updateText).waitFor();

    // The upgrade renames the scripts, so a page that was not loaded before it cannot be opened.
    await page.getByRole('link', { name: 'Locations' }).first().click();
    await page.getByText(appTexts.app.cannotOpen).waitFor();
    await page.getByRole('button', { name: commonTexts.reload }).first().click();
    await page.getByText(appTexts.app.cannotOpen).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Locations' }).first().click();
    // The address changes only after the page's script is loaded.
    await expect.poll(() => page.url()).toContain('/locations');

    await tray.choose('Settings…');
    const shellPage = async () =>
      (await running.pages()).find((openPage) => openPage.url().startsWith('lab-manager://shell/')) ?? null;
    await expect.poll(shellPage).not.toBeNull();
    const settings = await shellPage();
    await settings?.getByRole('heading', { name: 'Settings', exact: true }).waitFor();

    running.signal('SIGKILL', 'node service');
    await expect.poll(() => readVersion(port)).toBe(versions.original);
    await page.getByRole('link', { name: 'Overview' }).first().waitFor();
  });
});

/** Gives the scripts of the dashboard other names, as a build from other sources does. */
function renameScripts(dashboard: string): void {
  const assets = join(dashboard, 'assets');
  const names = new Set(readdirSync(assets).filter((file) => /-[\w-]{8}\.js$/.test(file)));
  const otherName = (name: string) =>
    names.has(name) ? name.replace(/.\.js$/, (end) => (end.startsWith('_') ? '0.js' : '_.js')) : name;
  for (const folder of [dashboard, assets]) {
    for (const file of readdirSync(folder)) {
      const path = join(folder, file);
      if (/\.(br|gz)$/.test(file)) rmSync(path);
      if (!/\.(js|html)$/.test(file)) continue;
      writeFileSync(path, readFileSync(path, 'utf8').replace(/[\w-]+-[\w-]{8}\.js/g, otherName));
      renameSync(path, join(folder, otherName(file)));
    }
  }
}
