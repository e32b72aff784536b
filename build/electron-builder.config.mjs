// @ts-check
/**
 * * Packages the app: deb and AppImage, NSIS, dmg. Called by build/setup/package.mjs, or on a release machine by
 * electron-builder itself:  RELEASE=1 npx electron-builder --config build/electron-builder.config.mjs  * Environment:
 * RELEASE=1 refuses the fallback runtime. E2E_BUILD=1 makes the build that the tests drive, into out/e2e: it differs in
 * one fuse. QUICK_DEB=1 writes an uncompressed Debian package, into out/quick.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { importTypeScript } from './bundle/importTypeScript.mjs';
import { burnFuses, fusesOf } from './fuses.mjs';
import { writePackageDocuments } from './package/documents.mjs';
import { editionVersion } from './package/edition.mjs';
import { libraryPackages } from './package/libraries.mjs';
import { writeSbom } from './package/sbom.mjs';
import { startByLauncher } from './package/desktopEntry.mjs';
import { writeMaintainerScripts } from './package/maintainerScripts.mjs';
import { ensureRuntime } from './setup/runtime.mjs';

const root = resolve(import.meta.dirname, '..');
const forTests = process.env['E2E_BUILD'] === '1';
const quickDeb = process.env['QUICK_DEB'] === '1';
const runtime = await ensureRuntime(root);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packageVersion = editionVersion(version, runtime, process.env['RELEASE']);

const executableName = 'lab-manager';
const packageDir = join(root, 'out', '.package');
const scripts = writeMaintainerScripts(packageDir);
startByLauncher();
const settings = await writeSettingsTemplate();
/** @type {typeof import('../electron/folders/appId.ts')} */
const { appId } = await importTypeScript(join(root, 'electron', 'folders', 'appId.ts'));
const packageType = writePackageType();
const documents = writePackageDocuments(root, packageDir);
const libraries = process.platform === 'linux' ? libraryPackages(runtime.dist) : [];
const linux = join(root, 'resources', 'linux');
// On Linux this is the name of the folder below /opt; the visible name is in the desktop file. It has no space, because
// Chromium splits the path of its set-uid sandbox helper at spaces: it would run `/opt/Lab`, and the app could not start.
const productName = process.platform === 'linux' ? 'lab-manager' : 'Lab Manager';

/** @type {import('electron-builder').Configuration} */
export default {
  appId,
  productName,
  executableName,
  copyright: 'The Lab Manager authors, MIT licence',
  electronDist: runtime.dist,
  electronVersion: runtime.version,
  directories: { output: forTests ? 'out/e2e' : quickDeb ? 'out/quick' : 'out', buildResources: 'build' },
  extraMetadata: { version: packageVersion, homepage: 'https://lab-manager.invalid/' },
  // Everything is bundled: no node_modules, nothing to install or to rebuild.
  beforeBuild: async () => false,
  npmRebuild: false,
  publish: null,
  files: [
    'dist/**',
    '!dist/.built',
    '!dist/licences.json',
    'package.json',
    'LICENSE',
    '!**/*.map',
    '!**/node_modules/**',
  ],
  asar: true,
  // Files that are streamed or opened by path. Electron 33 leaves a temporary copy of each file streamed from the
  // archive.
  asarUnpack: ['dist/dashboard/**', 'dist/swagger-ui/**', 'dist/help/**', 'dist/icons/**'],
  afterPack: async ({ appOutDir, packager }) => {
    // Part of a runtime that is supplied as a directory.
    const resources = packager.getResourcesDir(appOutDir);
    await rm(join(resources, 'default_app.asar'), { force: true });
    await rm(join(appOutDir, 'version'), { force: true });
    // Copies for people to open. `extraFiles` would remove them from the archive, where About reads them.
    await copyFile(join(root, 'LICENSE'), join(resources, 'LICENSE.txt'));
    await copyFile(join(root, 'dist', 'licences.txt'), join(resources, 'LICENSES.packages.txt'));
    writeSbom(root, { name: 'electron', version: runtime.version, licence: 'MIT' }, join(resources, 'sbom.cdx.json'));
    // electron-builder's own option supports fewer fuses. Signing happens later.
    await burnFuses(programIn(appOutDir, packager), fusesOf({ forTests, platform: process.platform }));
  },
  linux: {
    target: ['deb', 'AppImage'],
    icon: 'dist/icons/app',
    category: 'Science',
    synopsis: 'Lab manager of a MADSci lab',
    description: 'Context and health service, dashboard and tray icon of a self-driving lab that runs MADSci.',
    maintainer: 'The Lab Manager authors <authors@lab-manager.invalid>',
    syncDesktopName: true,
    desktop: { entry: { Name: 'Lab Manager', Keywords: 'laboratory;automation;MADSci;' } },
    extraFiles: ['launcher.sh', 'sandbox.sh', 'dialogs.sh'].map((name) => ({
      from: `resources/linux/${name}`,
      to: name,
    })),
  },
  deb: {
    packageCategory: 'science',
    priority: 'optional',
    // passwd: the service's user; xdg-utils: links that open in a browser.
    depends: [...libraries, 'passwd', 'xdg-utils'],
    // dbus-send detects whether a tray can show the icon. One of the dialog programs reports a failed start.
    recommends: ['dbus-bin', 'zenity | kdialog | x11-utils', 'pkexec | policykit-1'],
    ...scripts,
    fpm: [
      `--before-remove=${join(linux, 'prerm.sh')}`,
      ...(quickDeb ? ['--deb-compression=none'] : []),
      '--config-files=/etc/lab-manager/lab.settings.yaml',
      `${settings}=/etc/lab-manager/lab.settings.yaml`,
      `${packageType}=/opt/${productName}/resources/package-type`,
      `${documents.copyright}=/usr/share/doc/lab-manager/copyright`,
      `${documents.changelog}=/usr/share/doc/lab-manager/changelog.gz`,
      `${join(linux, 'lab-manager.service')}=/usr/lib/systemd/system/lab-manager.service`,
    ],
  },
  win: { target: ['nsis'], icon: 'dist/icons/icon.ico' },
  // The installer offers a choice: for all users of the machine, or for the current user without administrator rights.
  nsis: { oneClick: false, perMachine: false, allowElevation: true, allowToChangeInstallationDirectory: true },
  mac: {
    // The updater needs the zip.
    target: ['dmg', 'zip'],
    icon: 'dist/icons/icon.icns',
    category: 'public.app-category.utilities',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'build/mac/entitlements.plist',
    entitlementsInherit: 'build/mac/entitlements.plist',
  },
};

/** The settings file of the service, every line commented out. @returns {Promise<string>} its path */
async function writeSettingsTemplate() {
  /** @type {typeof import('../server/settings/load/report.ts')} */
  const { settingsTemplateYaml } = await importTypeScript(join(root, 'server', 'settings', 'load', 'report.ts'));
  const file = join(packageDir, 'lab.settings.yaml');
  mkdirSync(packageDir, { recursive: true });
  writeFileSync(file, settingsTemplateYaml());
  return file;
}

/** Marks a package that the app can't replace itself, so that an administrator must. @returns {string} its path */
function writePackageType() {
  const file = join(packageDir, 'package-type');
  mkdirSync(packageDir, { recursive: true });
  writeFileSync(file, 'deb\n');
  return file;
}

/**
 * Returns the file that contains the fuses.
 * @param {string} directory of the unpacked app @param {{ appInfo: { productFilename: string } }} packager
 */
function programIn(directory, packager) {
  const { productFilename } = packager.appInfo;
  if (process.platform === 'darwin') return join(directory, `${productFilename}.app`);
  return join(directory, process.platform === 'win32' ? `${productFilename}.exe` : executableName);
}
