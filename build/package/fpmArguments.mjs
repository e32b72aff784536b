// @ts-check
/** The part of fpm's command line that electron-builder uses for Debian and RPM packages. */

/**
 * @typedef {object} Mapping
 * @property {string} source a file, or a directory with a trailing slash, whose content is copied
 * @property {string} target an absolute path on the machine that installs the package
 *
 * @typedef {object} PackageInput
 * @property {string} file the package to write
 * @property {ReadonlyMap<string, string>} options the last value of each given option that is not a list
 * @property {readonly string[]} depends
 * @property {readonly string[]} recommends
 * @property {readonly string[]} configFiles
 * @property {readonly Mapping[]} mappings
 */

/** Options without a value, which have no effect here. */
const flags = new Set(['--force', '-f', '--debug', '--verbose']);

/** Repeatable options. */
const lists = /** @type {const} */ ({
  '-d': 'depends',
  '--deb-recommends': 'recommends',
  '--config-files': 'configFiles',
});

const singleOptions = new Set([
  '-s',
  '-t',
  '--architecture',
  '--after-install',
  '--after-remove',
  '--before-remove',
  '--category',
  '--deb-compression',
  '--deb-compression-level',
  '--deb-priority',
  '--description',
  '--iteration',
  '--license',
  '--log',
  '--maintainer',
  '--name',
  '--package',
  '--rpm-compression',
  '--rpm-os',
  '--rpm-summary',
  '--url',
  '--vendor',
  '--version',
]);

const packageTypes = ['deb', 'rpm'];

const requiredOptions = ['--package', '--name', '--version', '--architecture', '--maintainer'];

/**
 * @param {readonly string[]} argv
 * @returns {PackageInput}
 * @throws Error for an invalid or a missing argument; an ignored one would result in a different package
 */
export function parseFpmArguments(argv) {
  /** @type {Map<string, string>} */
  const options = new Map();
  /** @type {Record<'depends' | 'recommends' | 'configFiles', string[]>} */
  const values = { depends: [], recommends: [], configFiles: [] };
  /** @type {Mapping[]} */
  const mappings = [];
  const remaining = [...argv];
  for (let argument = remaining.shift(); argument !== undefined; argument = remaining.shift()) {
    if (flags.has(argument)) continue;
    if (!argument.startsWith('-')) {
      mappings.push(parseMapping(argument));
      continue;
    }
    const [name = argument, ...inline] = argument.startsWith('--') ? argument.split('=') : [argument];
    const value = inline.length > 0 ? inline.join('=') : remaining.shift();
    if (value === undefined) throw new Error(`${name} needs a value`);
    if (isList(name)) values[lists[name]].push(value);
    else if (singleOptions.has(name)) options.set(name, value);
    else throw new Error(`${name} is an option of fpm that this stand-in does not support`);
  }
  if (options.get('-s') !== 'dir' || !packageTypes.includes(options.get('-t') ?? '')) {
    throw new Error(
      `only -s dir -t ${packageTypes.join(' or ')} is supported, not -s ${options.get('-s')} -t ${options.get('-t')}`,
    );
  }
  for (const name of requiredOptions) if (!options.get(name)) throw new Error(`${name} is missing`);
  return { file: options.get('--package') ?? '', options, ...values, mappings };
}

/** @param {string} name @returns {name is keyof typeof lists} */
function isList(name) {
  return name in lists;
}

/** @param {string} argument @returns {Mapping} */
function parseMapping(argument) {
  const separator = argument.lastIndexOf('=');
  if (separator < 1 || argument[separator + 1] !== '/')
    throw new Error(`${argument} does not have the form source=/target`);
  return { source: argument.slice(0, separator), target: argument.slice(separator + 1) };
}
