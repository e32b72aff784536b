// @ts-check
/** Compiles the Windows installer with NSIS, or configures electron-builder, whose script includes the same macros. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { announce, SetupError } from '../setup/output.mjs';
import { run } from '../setup/run.mjs';
import { installerDefinitions, installerName, nsisHeader, sharedDefinitions, windowsNames } from '../windows/names.mjs';
import { sourceDateEpoch } from './sourceDate.mjs';

const scripts = resolve(import.meta.dirname, '..', 'windows');

/**
 * Returns the options with which electron-builder's installer behaves like the compiled one.
 * @param {string} include the file that `writeBuilderInclude` wrote
 * @returns {Pick<import('electron-builder').Configuration, 'win' | 'nsis'>}
 */
export function electronBuilderOptions(include) {
  return {
    win: { target: ['nsis'], icon: 'dist/icons/icon.ico', executableName: windowsNames.program },
    nsis: {
      // A choice: for all users of the machine, or for the current user without administrator rights.
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      createDesktopShortcut: false,
      guid: windowsNames.guid,
      shortcutName: windowsNames.shortcut,
      uninstallDisplayName: windowsNames.displayName,
      include,
      artifactName: installerName('${version}'),
    },
  };
}

/**
 * Writes the script that electron-builder includes in its own.
 * @param {string} root the project's directory @param {string} directory created if missing
 * @returns {string} its path
 */
export function writeBuilderInclude(root, directory) {
  const file = join(directory, 'builderInclude.nsh');
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    file,
    `${nsisHeader(sharedDefinitions())}!include "${join(root, 'build', 'windows', 'installer.nsh')}"\n`,
  );
  return file;
}

/**
 * Compiles the installer of an app.
 * @param {string} root the project's directory, with the icons built
 * @param {object} installer
 * @param {string} installer.app directory with the app's files
 * @param {string} installer.version
 * @param {string} installer.file the installer to write
 * @param {boolean} [installer.isQuick] without compression, for tests
 * @returns {Promise<string>} `file`
 * @throws SetupError for a directory without the app's program, and when NSIS fails
 */
export async function buildWindowsInstaller(root, { app, version, file, isQuick = false }) {
  const program = `${windowsNames.program}.exe`;
  if (!existsSync(join(app, program))) throw new SetupError(`${app} has no ${program}: it is not an app for Windows`);
  const target = resolve(file);
  mkdirSync(dirname(target), { recursive: true });
  const header = `${target}.nsh`;
  const names = {
    ...(await installerDefinitions(root)),
    ...sharedDefinitions(),
    COPYRIGHT: windowsNames.copyright,
    ICON: join(root, 'dist', 'icons', 'icon.ico'),
    APP_DIRECTORY: resolve(app),
    OUT_FILE: target,
    VERSION: version,
    FILE_VERSION: fileVersion(version),
    ...(isQuick ? { IS_QUICK: 1 } : {}),
  };
  writeFileSync(header, nsisHeader(names));
  const args = ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', `-DHEADER=${header}`, join(scripts, 'installer.nsi')];
  const epoch = sourceDateEpoch(root);
  const env = { ...process.env, ...(epoch === null ? {} : { SOURCE_DATE_EPOCH: String(epoch) }) };
  try {
    const code = await announce('Compiling the Windows installer', () => run('makensis', args, { env, quiet: true }));
    if (code !== 0) throw new SetupError(`makensis ended with exit code ${code} (see above)`);
  } finally {
    rmSync(header);
  }
  return target;
}

/** Converts a version to the four-part format of Windows. @param {string} version `1.2.3` or `1.2.3-suffix` */
function fileVersion(version) {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (numbers === null)
    throw new SetupError(`The version ${version} is not a version number for Windows, such as 1.2.3`);
  return `${numbers.slice(1).join('.')}.0`;
}
