// @ts-check
/**
 * System requirements: the runtime's libraries and the tools of the tests. They are installed if
 * permitted, otherwise listed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';
import { announce, SetupError } from './output.mjs';

/**
 * @typedef {{ readonly library: string, readonly package: string }} Library a shared library and its Debian package
 *
 * @typedef {{ readonly program: string, readonly package: string }} Program
 *
 * @typedef {{ readonly pythonModule: string, readonly package: string }} PythonModule a module of Python itself that
 * Debian packages separately
 */

/**
 * Requirements of the window. libnotify is loaded for the first notification; without it, notifications don't appear.
 */
const forWindow = /** @type {const} */ ([
  { library: 'libgtk-3.so.0', package: 'libgtk-3-0' },
  { library: 'libnotify.so.4', package: 'libnotify4' },
  { library: 'libnss3.so', package: 'libnss3' },
  { library: 'libasound.so.2', package: 'libasound2' },
  { library: 'libgbm.so.1', package: 'libgbm1' },
  { library: 'libcups.so.2', package: 'libcups2' },
  { library: 'libatspi.so.0', package: 'libatspi2.0-0' },
]);

/** Requirements of pages in a browser. */
const forBrowser = /** @type {const} */ ([{ program: 'chromium-headless-shell', package: 'chromium-headless-shell' }]);

/** Requirements of the real managers: a virtual environment of Python. */
const forInterop = /** @type {const} */ ([
  { program: 'python3', package: 'python3' },
  { pythonModule: 'ensurepip', package: 'python3-venv' },
]);

/** Requirements of packages of the service without a window: the tool that strips its Node, by processor. */
const forHeadless = /** @type {const} */ ({
  x64: [{ program: 'x86_64-linux-gnu-strip', package: 'binutils-x86-64-linux-gnu' }],
  arm64: [{ program: 'aarch64-linux-gnu-strip', package: 'binutils-aarch64-linux-gnu' }],
});

/** Requirements of the apt repository, with the packages of the service for each processor. */
const forApt = /** @type {const} */ ([
  { program: 'reprepro', package: 'reprepro' },
  { program: 'gpg', package: 'gnupg' },
  ...forHeadless.x64,
  ...forHeadless.arm64,
]);

/** Requirements of building the macOS app on Linux. */
const forMac = /** @type {const} */ ([{ program: '7za', package: 'p7zip-full' }]);

/** Requirements of windows on a machine without a desktop: a virtual screen and a session bus. */
const forScreen = /** @type {const} */ ([
  { program: 'Xvfb', package: 'xvfb' },
  { program: 'xauth', package: 'xauth' },
  { program: 'dbus-daemon', package: 'dbus' },
]);

/** Requirements of the tests with several machines: network namespaces. */
const forNetwork = /** @type {const} */ ([{ program: 'ip', package: 'iproute2' }]);

/** Requirements of the tests of the tray on real desktops. */
const forPanels = /** @type {const} */ ([
  { program: 'dbus-run-session', package: 'dbus' },
  { program: 'xfwm4', package: 'xfwm4' },
  { program: 'xfce4-panel', package: 'xfce4-panel' },
  { program: 'lxqt-panel', package: 'lxqt-panel' },
  { program: 'xdotool', package: 'xdotool' },
]);

/** Requirements of building and testing the packages for all systems. */
const forPackages = /** @type {const} */ ([
  { program: 'dpkg-deb', package: 'dpkg' },
  { program: 'systemctl', package: 'systemd' },
  { program: 'desktop-file-validate', package: 'desktop-file-utils' },
  { program: 'apparmor_parser', package: 'apparmor' },
  ...forApt,
  ...forMac,
  { program: 'qemu-aarch64-static', package: 'qemu-user-static' },
  { program: 'rpmbuild', package: 'rpm' },
  { program: 'cpio', package: 'cpio' },
]);

/** Requirements of the container image. */
const forContainer = /** @type {const} */ ([
  { program: 'buildah', package: 'buildah' },
  { program: 'strip', package: 'binutils' },
  { program: 'update-ca-certificates', package: 'ca-certificates' },
  { program: 'flock', package: 'util-linux' },
]);

/** Requirements of the installer for Windows. */
const forInstaller = /** @type {const} */ ([{ program: 'makensis', package: 'nsis' }]);

/** Requirements of Windows programs without a window, and of their installer. */
const forWindows = /** @type {const} */ ([
  ...forInstaller,
  { program: 'wine', package: 'wine' },
  { program: 'wineserver', package: 'wine64' },
]);

/** Requirements of the unit tests on Windows' Node; the compiler builds a library that Wine lacks. */
const forWindowsUnit = /** @type {const} */ ([
  ...forWindows,
  { program: 'x86_64-w64-mingw32-gcc-win32', package: 'gcc-mingw-w64-x86-64-win32' },
]);

/** Requirements of the tests of the image: the container runtime, and the tools that fetch the schemas of Kubernetes. */
const forContainerTests = /** @type {const} */ ([
  ...forContainer,
  { program: 'podman', package: 'podman' },
  { program: 'crun', package: 'crun' },
  { program: 'docker-compose', package: 'docker-compose' },
  { pythonModule: 'pip', package: 'python3-pip' },
]);

/** Requirements of the tests of the service with other programs. */
const forEngines = /** @type {const} */ ([
  { program: 'prometheus', package: 'prometheus' },
  { program: 'prometheus-alertmanager', package: 'prometheus-alertmanager' },
  { program: 'caddy', package: 'caddy' },
  { program: 'nginx', package: 'nginx' },
  { program: 'ip', package: 'iproute2' },
  { program: 'keepalived', package: 'keepalived' },
  { program: 'curl', package: 'curl' },
  { program: 'pg_ctlcluster', package: 'postgresql' },
  { program: 'avahi-daemon', package: 'avahi-daemon' },
  { program: 'avahi-browse', package: 'avahi-utils' },
  { program: 'dbus-daemon', package: 'dbus' },
]);

const needs = {
  window: forWindow,
  browser: forBrowser,
  screen: forScreen,
  network: forNetwork,
  panels: forPanels,
  packages: forPackages,
  interop: forInterop,
  windows: forWindows,
  'windows-unit': forWindowsUnit,
  installer: forInstaller,
  engines: forEngines,
  apt: forApt,
  mac: forMac,
  'headless-x64': forHeadless.x64,
  'headless-arm64': forHeadless.arm64,
  container: forContainer,
  containerTests: forContainerTests,
};

/** @typedef {keyof typeof needs} Use */

/**
 * Ensures the requirements of `uses`: installs them with apt-get as root on Debian and its derivatives, otherwise reports the
 * missing packages. Systems other than Linux need nothing.
 * @param {readonly Use[]} uses
 */
export async function ensureSystemPackages(uses) {
  if (process.platform !== 'linux') return;
  const requirements = uses.flatMap((use) => [...needs[use]]);
  const missing = missingPackages(requirements);
  if (missing.length === 0) return;
  const line = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (!hasApt()) {
    throw new SetupError(
      `Your system lacks the Debian packages ${missing.join(', ')}: install the equivalent packages of your system`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new SetupError(`Missing system packages. Install them, then start again:\n\n  sudo ${line}\n`);
  }
  await announce(`Installing system packages (${missing.join(' ')})`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const update = await run('apt-get', ['update', '-qq'], { env, quiet: true });
    const install = await run('apt-get', line.split(' ').slice(1).toSpliced(1, 0, '-qq'), { env, quiet: true });
    if (update !== 0 && install !== 0) throw new SetupError(`apt-get failed (see above). Try by hand:\n\n  ${line}\n`);
  });
  const stillMissing = missingPackages(requirements);
  if (stillMissing.length > 0)
    throw new SetupError(`apt-get installed the packages, but these are still missing: ${stillMissing.join(', ')}`);
}

/** @param {readonly (Library | Program | PythonModule)[]} requirements */
function missingPackages(requirements) {
  const isLibrary = requirements.some((need) => 'library' in need) ? loadLibraryCheck() : () => true;
  /** @param {Library | Program | PythonModule} need */
  const isInstalled = (need) => {
    if ('library' in need) return isLibrary(need.library);
    return 'program' in need ? isOnPath(need.program) : isPythonModule(need.pythonModule);
  };
  return [...new Set(requirements.filter((need) => !isInstalled(need)).map((need) => need.package))];
}

/** @param {string} name */
function isPythonModule(name) {
  return spawnSync('python3', ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0;
}

function loadLibraryCheck() {
  const ldconfig = ['/sbin/ldconfig', '/usr/sbin/ldconfig'].find((path) => existsSync(path)) ?? 'ldconfig';
  const knownLibraries = execFileSync(ldconfig, ['-p']).toString();
  return /** @param {string} name */ (name) => knownLibraries.includes(`\t${name} `);
}

/** @param {string} program */
export function isOnPath(program) {
  return findProgram(program) !== null;
}

/** @param {string} program @returns {string | null} its path; `null` if it is missing */
export function findProgram(program) {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const isExecutable = (/** @type {string} */ file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // Missing or not accessible; try the next directory.
    }
  };
  return directories.map((directory) => join(directory, program)).find(isExecutable) ?? null;
}

function hasApt() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release) && isOnPath('apt-get');
}
