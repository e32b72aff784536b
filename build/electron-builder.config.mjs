// @ts-check
/**
 * Configures the app's packages: deb, rpm, AppImage, NSIS and dmg. Used by build/setup/package.mjs, or on a release
 * machine by electron-builder itself: RELEASE=1 npx electron-builder --config build/electron-builder.config.mjs
 *
 * Environment: RELEASE=1 refuses the fallback runtime. E2E_BUILD=1 writes the build that the tests control into out/e2e:
 * it differs in one fuse. QUICK_DEB=1 writes uncompressed packages into out/quick. PACKAGE_PLATFORM and
 * PACKAGE_ARCH name another system to package for, as `process.platform` and `process.arch` do there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { importTypeScript } from './bundle/importTypeScript.mjs';
import { writeFuses, fusesFor } from './fuses.mjs';
import { writePackageDocuments, writeSettingsTemplate } from './package/documents.mjs';
import { editionVersion } from './package/edition.mjs';
import { libraryPackages } from './package/libraries.mjs';
import { writeSbom } from './package/sbom.mjs';
import { startByLauncher } from './package/desktopEntry.mjs';
import { writeMaintainerScripts } from './package/maintainerScripts.mjs';
import { electronBuilderOptions, writeBuilderInclude } from './package/windowsInstaller.mjs';
import { downloadRuntime, ensureRuntime } from './setup/runtime.mjs';
import { windowsNames } from './windows/names.mjs';

const root = resolve(import.meta.dirname, '..');
const isTestBuild = process.env['E2E_BUILD'] === '1';
const isQuickBuild = process.env['QUICK_DEB'] === '1';
const platform = process.env['PACKAGE_PLATFORM'] ?? process.platform;
const arch = process.env['PACKAGE_ARCH'] ?? process.arch;
const isThisSystem = platform === process.platform && arch === process.arch;
const runtime = isThisSystem ? await ensureRuntime(root) : await downloadRuntime(root, platform, arch);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packageVersion = editionVersion(version, runtime, process.env['RELEASE']);

const executableName = 'lab-manager';
const packageDir = join(root, 'out', '.package');
const scripts = writeMaintainerScripts(packageDir);
startByLauncher();
const settings = await writeSettingsTemplate(root, packageDir);
/** @type {typeof import('../electron/folders/appId.ts')} */
const { appId } = await importTypeScript(join(root, 'electron', 'folders', 'appId.ts'));
const packageType = writePackageType();
const documents = writePackageDocuments(root, packageDir);
const libraries = platform === 'linux' ? libraryPackages(runtime.dist) : [];
const linux = join(root, 'resources', 'linux');
// On Linux this is the name of the folder below /opt; the visible name is in the desktop file. It has no space, because
// Chromium splits the path of its set-uid sandbox helper at spaces: it would run `/opt/Lab`, and the app could not
// start.
const productName = platform === 'linux' ? 'lab-manager' : windowsNames.productName;

/** fpm's arguments for the files that electron-builder does not package. */
const commonFiles = [
  `--before-remove=${join(linux, 'prerm.sh')}`,
  '--config-files=/etc/lab-manager/lab.settings.yaml',
  `${join(linux, 'lab.settings.yaml')}=/etc/lab-manager/lab.settings.yaml`,
  `${settings}=/usr/share/doc/lab-manager/lab.settings.yaml`,
  `${documents.copyright}=/usr/share/doc/lab-manager/copyright`,
  `${documents.changelog}=/usr/share/doc/lab-manager/changelog.gz`,
  `${join(linux, 'lab-manager.service')}=/usr/lib/systemd/system/lab-manager.service`,
];

/** @type {import('electron-builder').Configuration} */
export default {
  appId,
  productName,
  executableName,
  copyright: windowsNames.copyright,
  electronDist: runtime.dist,
  electronVersion: runtime.version,
  directories: { output: isTestBuild ? 'out/e2e' : isQuickBuild ? 'out/quick' : 'out', buildResources: 'build' },
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
  afterPack: async ({ appOutDir, packager, electronPlatformName }) => {
    // Part of a runtime that is supplied as a directory.
    const resources = packager.getResourcesDir(appOutDir);
    await rm(join(resources, 'default_app.asar'), { force: true });
    await rm(join(appOutDir, 'version'), { force: true });
    // Copies for people to open. `extraFiles` would remove them from the archive, where About reads them.
    await copyFile(join(root, 'LICENSE'), join(resources, 'LICENSE.txt'));
    await copyFile(join(root, 'dist', 'licences.txt'), join(resources, 'LICENSES.packages.txt'));
    writeSbom(root, { name: 'electron', version: runtime.version, licence: 'MIT' }, join(resources, 'sbom.cdx.json'));
    // electron-builder's own option supports fewer fuses. Signing happens later.
    const program = getProgramPath(appOutDir, packager, electronPlatformName);
    await writeFuses(program, fusesFor({ isTestBuild, platform: electronPlatformName }));
  },
  linux: {
    target: ['deb', 'rpm', 'AppImage'],
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
      ...(isQuickBuild ? ['--deb-compression=none'] : []),
      `${packageType}=/opt/${productName}/resources/package-type`,
      ...commonFiles,
    ],
  },
  rpm: {
    packageCategory: 'Applications/Engineering',
    // Files and libraries, because package names differ between distributions. rpmbuild adds the linked libraries.
    depends: ['/usr/sbin/useradd', 'xdg-utils', 'libnotify.so.4()(64bit)', 'libsecret-1.so.0()(64bit)'],
    ...scripts,
    fpm: [...(isQuickBuild ? ['--rpm-compression=none'] : []), ...commonFiles],
  },
  ...electronBuilderOptions(writeBuilderInclude(root, packageDir)),
  mac: {
    // The updater needs the zip.
    target: ['dmg', 'zip'],
    // The name of the app in Finder is that of its folder.
    executableName: 'Lab Manager',
    artifactName: 'lab-manager-mac-${version}-${arch}.${ext}',
    icon: 'dist/icons/icon.icns',
    category: 'public.app-category.utilities',
    // Without this text, macOS 15 and later can deny connections to the managers without a prompt (Apple TN3179).
    extendInfo: {
      NSLocalNetworkUsageDescription:
        'Lab Manager connects to the managers and nodes of your lab, and shows their state to other machines of the lab.',
    },
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'build/mac/entitlements.plist',
    entitlementsInherit: 'build/mac/entitlements.plist',
  },
};

/** Writes the file by which the app recognizes that it can't update itself. @returns {string} the file's path */
function writePackageType() {
  const file = join(packageDir, 'package-type');
  mkdirSync(packageDir, { recursive: true });
  writeFileSync(file, 'deb\n');
  return file;
}

/**
 * Returns the file that contains the fuses, on macOS the app's directory.
 * @param {string} directory of the unpacked app @param {{ appInfo: { productFilename: string } }} packager
 * @param {string} system
 */
function getProgramPath(directory, packager, system) {
  const { productFilename } = packager.appInfo;
  if (system === 'darwin') return join(directory, `${productFilename}.app`);
  return join(directory, system === 'win32' ? `${productFilename}.exe` : executableName);
}
