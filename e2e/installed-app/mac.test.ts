/**
 * The macOS app as electron-builder packages it on this machine: its property lists, fuses, archive and entitlements. The
 * programs of its runtime are replaced (macRuntime.ts), so nothing of it is started.
 */
import { getRawHeader } from '@electron/asar';
import { FuseV1Options } from '@electron/fuses';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { appId } from '../../electron/folders/appId.ts';
import { readFuseWire } from '../../build/fuses.mjs';
import { writeUpdateList } from '../../build/package/updateList.mjs';
import { findProgram } from '../../build/setup/systemPackages.mjs';
import { writeMacRuntime } from './macRuntime.ts';

type PropertyList = Readonly<Record<string, unknown>>;
const { parsePlistFile } = createRequire(import.meta.url)('app-builder-lib/out/util/plist.js') as {
  parsePlistFile(file: string): Promise<PropertyList>;
};

const root = resolve(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const edition = `${version}-own-runtime`;

let folder = '';
let archive = '';
let app = '';
let info: PropertyList = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mac-'));
  await writeMacRuntime(join(folder, 'runtime'), '45.4.1');
  const env = {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'runtime'),
    E2E_BUILD: '1',
    ELECTRON_BUILDER_COMPRESSION_LEVEL: '1',
  };
  const args = [join(root, 'build', 'setup', 'package.mjs'), '--mac', '--arch', 'arm64'];
  execFileSync(process.execPath, args, { cwd: root, env, stdio: 'pipe' });
  archive = join(root, 'out', 'e2e', `lab-manager-mac-${edition}-arm64.zip`);
  execFileSync(findProgram('7za') ?? '7za', ['x', '-snl', '-y', `-o${folder}/unpacked`, archive], { stdio: 'pipe' });
  app = join(folder, 'unpacked', 'Lab Manager.app', 'Contents');
  info = await parsePlistFile(join(app, 'Info.plist'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Info.plist has the names, the ID, the version and the category of the app', () => {
  expect(info).toMatchObject({
    CFBundleDisplayName: 'Lab Manager',
    CFBundleExecutable: 'Lab Manager',
    CFBundleIconFile: 'icon.icns',
    CFBundleIdentifier: appId,
    CFBundleName: 'Lab Manager',
    CFBundleShortVersionString: edition,
    LSApplicationCategoryType: 'public.app-category.utilities',
  });
  expect(existsSync(join(app, 'MacOS', 'Lab Manager'))).toBe(true);
  const icon = readFileSync(join(app, 'Resources', 'icon.icns'));
  expect(icon).toEqual(readFileSync(join(root, 'dist', 'icons', 'icon.icns')));
});

test('Info.plist gives the reason for the access to the local network, and permits connections without TLS', () => {
  expect(info['NSLocalNetworkUsageDescription']).toMatch(/^Lab Manager connects to the managers and nodes of your lab/);
  expect(info['NSAppTransportSecurity']).toMatchObject({ NSAllowsArbitraryLoads: true, NSAllowsLocalNetworking: true });
});

test('Info.plist is that of an app with a window, so that its login item starts the app itself', () => {
  // An agent (LSUIElement) has neither a Dock icon nor a menu bar.
  expect(Object.keys(info).filter((key) => /^LS(UIElement|BackgroundOnly)$/.test(key))).toEqual([]);
  expect(info['CFBundlePackageType']).toBe('APPL');
});

test('each helper has the ID and the name that the app looks for', async () => {
  const helpers = readdirSync(join(app, 'Frameworks')).filter((name) => name.endsWith('.app'));
  expect(helpers.toSorted()).toEqual(
    [' (GPU)', ' (Plugin)', ' (Renderer)', ''].map((kind) => `Lab Manager Helper${kind}.app`),
  );
  for (const helper of helpers) {
    const contents = join(app, 'Frameworks', helper, 'Contents');
    const plist = await parsePlistFile(join(contents, 'Info.plist'));
    expect(plist['CFBundleIdentifier']).toMatch(`${appId}.helper`);
    expect(existsSync(join(contents, 'MacOS', basename(helper, '.app'))), helper).toBe(true);
  }
});

test('Info.plist has the hash of the archive, and the fuse that checks it is on', async () => {
  const { headerString } = getRawHeader(join(app, 'Resources', 'app.asar'));
  const hash = createHash('sha256').update(headerString).digest('hex');
  expect(info['ElectronAsarIntegrity']).toMatchObject({ 'Resources/app.asar': { algorithm: 'SHA256', hash } });
  const wire = await readFuseWire(join(folder, 'unpacked', 'Lab Manager.app'));
  expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe('1');
  expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe('1');
});

test('the app contains its files and none of the runtime’s own app, and the framework keeps its links', () => {
  const resources = readdirSync(join(app, 'Resources'));
  expect(resources).toEqual(expect.arrayContaining(['app.asar', 'app.asar.unpacked', 'LICENSE.txt', 'sbom.cdx.json']));
  expect(resources).not.toContain('default_app.asar');
  const framework = join(app, 'Frameworks', 'Electron Framework.framework');
  expect(readlinkSync(join(framework, 'Versions', 'Current'))).toBe('A');
  expect(readlinkSync(join(framework, 'Electron Framework'))).toBe('Versions/Current/Electron Framework');
});

test('the entitlements permit only what V8 needs', async () => {
  const entitlements = await parsePlistFile(join(root, 'build', 'mac', 'entitlements.plist'));
  expect(entitlements).toEqual({ 'com.apple.security.cs.allow-jit': true });
});

test('the update list of macOS contains the archive', async () => {
  const list = await writeUpdateList(join(root, 'out', 'e2e'), edition, 'darwin', 'arm64');
  expect(basename(list ?? '')).toBe('latest-mac.yml');
  expect(parse(readFileSync(list ?? '', 'utf8'))).toMatchObject({ files: [{ url: basename(archive) }] });
});
