// @ts-check
/** Writes the files that Debian requires in /usr/share/doc of every package: changelog and copyright. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const parts = `
The package contains other people's programs, each under its own terms, which are next to it:
 Electron            /opt/lab-manager/LICENSE.electron.txt
 Chromium            /opt/lab-manager/LICENSES.chromium.html
 JavaScript packages /opt/lab-manager/resources/LICENSES.packages.txt
`;

/**
 * @param {string} root the project's directory
 * @param {string} directory target; created if missing
 * @returns {{ changelog: string, copyright: string }} the files written
 */
export function writePackageDocuments(root, directory) {
  mkdirSync(directory, { recursive: true });
  const changelog = join(directory, 'changelog.gz');
  const copyright = join(directory, 'copyright');
  writeFileSync(changelog, gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }));
  writeFileSync(copyright, `${readFileSync(join(root, 'LICENSE'), 'utf8')}${parts}`);
  return { changelog, copyright };
}
