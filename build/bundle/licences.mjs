// @ts-check
/** Writes the packages in the program with their licences and licence texts, for About and for the package. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages in the shell's pages, and the runtime. The dashboard's build lists its own packages. */
const additionalPackages = [
  'vue',
  '@vue/runtime-dom',
  '@vue/runtime-core',
  '@vue/reactivity',
  '@vue/shared',
  'electron',
  'swagger-ui-dist',
  '@fontsource-variable/inter',
];

/**
 * Writes `licences.txt`, for people, and `licences.json` with names, versions and licences, for the software bill of
 * materials.
 * @param {string} root
 * @param {readonly string[]} inputs files that were bundled, relative to `root`
 * @param {string} directory
 */
export function writeLicences(root, inputs, directory) {
  const names = inputs.flatMap(
    (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1] ?? [],
  );
  const all = [...new Set([...names, ...additionalPackages])]
    .toSorted()
    .filter((name) => existsSync(join(root, 'node_modules', name, 'package.json')))
    .map((name) => readLicence(root, name));
  const texts = all.map(({ name, version, licence, text }) => {
    return `${name} ${version} (${licence || 'no licence named'})\n\n${text}\n`;
  });
  writeFileSync(join(directory, 'licences.txt'), texts.join(`\n${'-'.repeat(72)}\n\n`));
  // The runtime is added when a package is built, because its version can differ from the one in the lock file.
  const listed = all.filter(({ name }) => name !== 'electron').map(({ text: _text, ...entry }) => entry);
  writeFileSync(join(directory, 'licences.json'), JSON.stringify(listed));
}

/** @param {string} root @param {string} name */
function readLicence(root, name) {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { name, version, licence: license ?? '', text };
}
