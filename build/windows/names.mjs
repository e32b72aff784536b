// @ts-check
/**
 * The names, IDs and exit codes of the Windows installers: electron-builder's, which is built on Windows, and that of
 * installer.nsi, which is built on Linux. Either one updates and removes an installation of the other.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from '../bundle/importTypeScript.mjs';

export const windowsNames = {
  productName: 'Lab Manager',
  /** The name of the program's file, and part of the uninstaller's, without the extension. */
  program: 'Lab Manager',
  /** The key in the registry, as electron-builder derives it from the app's ID. It must never change. */
  guid: '675e8683-893b-5786-a695-0bcc92357a91',
  /** The name in the list of installed apps. */
  displayName: 'Lab Manager',
  shortcut: 'Lab Manager',
  copyright: 'The Lab Manager authors, MIT licence',
};

/** The names of the app's folders and firewall rule that the installer needs, by their definitions in installer.nsh. */
const shared = {
  FIREWALL_RULE: 'Lab Manager',
  /** Below %APPDATA% and %LOCALAPPDATA%: `userConfigDir` and `stateDir` in server/storage/installation.ts. */
  DATA_FOLDER: 'Lab Manager',
  /** Below %LOCALAPPDATA%: the packages that the app downloads (electron/updates/feedClient.ts). */
  UPDATE_CACHE: 'lab-manager-updates',
  /** Below %LOCALAPPDATA%: the copy of itself that electron-builder's installer makes. */
  INSTALLER_CACHE: 'lab-manager-updater',
};

/** Exit codes of a silent run. NSIS itself ends with 1 if it is cancelled, and with 2 if it fails. */
export const exitCodes = {
  EXIT_CANCELLED: 1,
  /** The app can't be closed, or another program has a file of it open. */
  EXIT_RUNNING: 3,
  /** The folder contains other files. */
  EXIT_OTHER_FILES: 4,
  /** An installation for all users needs an administrator. */
  EXIT_NOT_PERMITTED: 5,
};

/** @param {string} version */
export function installerName(version) {
  return `lab-manager-setup-${version}.exe`;
}

/** The definitions that electron-builder's own script lacks: those of installer.nsh, and the exit codes. */
export function sharedDefinitions() {
  return { ...shared, ...exitCodes };
}

/**
 * The definitions that electron-builder passes to its own script, for installer.nsi.
 * @param {string} root the project's directory
 */
export async function installerDefinitions(root) {
  const { author, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {typeof import('../../electron/folders/appId.ts')} */
  const { appId } = await importTypeScript(join(root, 'electron', 'folders', 'appId.ts'));
  const { productName, program, guid, displayName, shortcut } = windowsNames;
  return {
    APP_ID: appId,
    APP_GUID: guid,
    APP_FILENAME: program,
    APP_DESCRIPTION: description,
    COMPANY_NAME: author,
    PRODUCT_NAME: productName,
    PRODUCT_FILENAME: program,
    SHORTCUT_NAME: shortcut,
    UNINSTALL_DISPLAY_NAME: displayName,
  };
}

/**
 * Returns an NSIS header. @param {Readonly<Record<string, string | number>>} definitions
 * @throws Error for a value that NSIS would not read as it is
 */
export function nsisHeader(definitions) {
  const lines = Object.entries(definitions).map(([name, value]) => {
    if (/["$`\r\n]/.test(String(value))) throw new Error(`${name}: NSIS can’t read ${JSON.stringify(value)} as it is`);
    return `!define ${name} "${value}"\n`;
  });
  return lines.join('');
}
