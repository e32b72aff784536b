// @ts-check
/**
 * Writes the texts of a Debian package: the description of its settings, and the files that Debian requires in
 * /usr/share/doc of every package, changelog and copyright.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importTypeScript } from '../bundle/importTypeScript.mjs';

/** The licence files of the other programs in the desktop package, by program. */
const desktopLicences = {
  Electron: '/opt/lab-manager/LICENSE.electron.txt',
  Chromium: '/opt/lab-manager/LICENSES.chromium.html',
  'JavaScript packages': '/opt/lab-manager/resources/LICENSES.packages.txt',
};

/**
 * @param {string} root the project's directory
 * @param {string} directory target; created if missing
 * @param {Readonly<Record<string, string>>} terms the licence files of other programs in the package, by program
 * @returns {{ changelog: string, copyright: string }} the files written
 */
export function writePackageDocuments(root, directory, terms = desktopLicences) {
  mkdirSync(directory, { recursive: true });
  const changelog = join(directory, 'changelog.gz');
  const copyright = join(directory, 'copyright');
  writeFileSync(changelog, gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }));
  const licenceLines = Object.entries(terms).map(([name, file]) => ` ${name.padEnd(19)} ${file}\n`);
  const notice = `\nThe package contains programs of third parties, whose licences are in these files:\n${licenceLines.join('')}`;
  writeFileSync(copyright, `${readFileSync(join(root, 'LICENSE'), 'utf8')}${notice}`);
  return { changelog, copyright };
}

/**
 * Writes all settings with their descriptions as a settings file, with every line commented out. It is a document, not
 * the service's settings file: dpkg prompts when a new version changes a file that the administrator has
 * edited.
 * @param {string} root the project's directory
 * @param {string} directory target; created if missing
 * @returns {Promise<string>} its path
 */
export async function writeSettingsTemplate(root, directory) {
  /** @type {typeof import('../../server/settings/load/report.ts')} */
  const { settingsTemplateYaml } = await importTypeScript(join(root, 'server', 'settings', 'load', 'report.ts'));
  const file = join(directory, 'lab.settings.yaml');
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, settingsTemplateYaml());
  return file;
}
