// @ts-check
/**
 * Writes the software bill of materials of a package: the packages bundled into the program and its pages, and the
 * runtime. It uses the bundlers' own lists, because a list of dependencies has packages that are not shipped and lacks
 * those of the pages. Format: CycloneDX 1.6, cyclonedx.org/docs/1.6/json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} licence an SPDX expression; empty where the package names none
 *
 * @typedef {object} OtherComponent a part that is shipped but not bundled: the runtime, or files of the system
 * @property {string} name
 * @property {string} version
 * @property {string} licence an SPDX expression; empty if it is unknown
 * @property {string} [purl] required unless it is an npm package
 * @property {string} [cpe] its name in vulnerability databases without purls
 */

/** The lists of bundled packages, by the part of the product. */
const lists = /** @type {const} */ ({ program: 'dist/licences.json', dashboard: 'dist/dashboard/licences.json' });

/**
 * @param {string} root the project's directory, with the program built
 * @param {OtherComponent} runtime that the package contains
 * @param {string} file to write
 * @param {readonly OtherComponent[]} system packages of the system whose files it contains
 */
export function writeSbom(root, runtime, file, system = []) {
  /** @param {string} name @returns {any} */
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { version } = read('package.json');
  /** @type {Map<string, { entry: BundledPackage, parts: string[] }>} */
  const packages = new Map();
  for (const [part, list] of Object.entries(lists)) {
    for (const entry of /** @type {readonly BundledPackage[]} */ (read(list))) {
      const key = purl(entry);
      packages.set(key, { entry, parts: [...(packages.get(key)?.parts ?? []), part] });
    }
  }
  /** @type {Map<string, string>} */
  const cpeNames = new Map();
  for (const [part, others] of Object.entries({ runtime: [runtime], system })) {
    for (const entry of others) {
      const key = entry.purl ?? purl(entry);
      packages.set(key, { entry, parts: [part] });
      if (entry.cpe !== undefined) cpeNames.set(key, entry.cpe);
    }
  }
  const hashes = readIntegrityHashes(read('package-lock.json'));
  const components = [...packages]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { entry, parts }]) => ({
      ...component(key, entry, parts, hashes.get(`${entry.name}@${entry.version}`)),
      ...(cpeNames.has(key) ? { cpe: cpeNames.get(key) } : {}),
    }));
  const product = purl({ name: 'lab-manager', version });
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': product, name: 'lab-manager', version, ...licences('MIT') },
    },
    components,
    dependencies: [{ ref: product, dependsOn: [...packages.keys()].toSorted() }],
  };
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** Source: github.com/package-url/purl-spec, type npm. @param {{ name: string, version: string }} npmPackage */
function purl({ name, version }) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

/**
 * @param {string} key
 * @param {BundledPackage} entry
 * @param {readonly string[]} parts
 * @param {string | undefined} sha512
 */
function component(key, { name, version, licence }, parts, sha512) {
  const [, group, localName = name] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return {
    type: 'library',
    'bom-ref': key,
    ...(group === undefined ? {} : { group }),
    name: localName,
    version,
    ...(sha512 === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    ...licences(licence),
    purl: key,
    properties: parts.map((value) => ({ name: 'lab-manager:part', value })),
  };
}

/** @param {string} expression */
function licences(expression) {
  if (expression === '') return {};
  const isOne = !/[\s()]/.test(expression);
  return { licenses: [isOne ? { license: { id: expression } } : { expression }] };
}

/**
 * Returns the hash of each package's archive, in hexadecimal.
 * @param {{ packages: Record<string, { version?: string, integrity?: string }> }} lock
 * @returns {Map<string, string>} by name and version
 */
function readIntegrityHashes({ packages }) {
  return new Map(
    Object.entries(packages).flatMap(([path, { version, integrity }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      const sha512 = /^sha512-(.*)$/.exec(integrity ?? '')?.[1];
      return sha512 === undefined ? [] : [[`${name}@${version}`, Buffer.from(sha512, 'base64').toString('hex')]];
    }),
  );
}
