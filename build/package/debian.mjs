// @ts-check
/** Writes a Debian package: the files in a staging directory, its DEBIAN folder, and dpkg-deb over both. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** @typedef {import('./fpmArguments.mjs').PackageInput} PackageInput */

/** fpm's names of compressions, as dpkg-deb calls them. */
const compressions = new Map([
  ['gz', 'gzip'],
  ['xz', 'xz'],
  ['zst', 'zstd'],
  ['none', 'none'],
]);

/** @param {PackageInput} options */
export function writeDebianPackage(options) {
  mkdirSync(dirname(options.file), { recursive: true });
  // The staging directory is on the same file system as the package.
  const stage = mkdtempSync(join(dirname(options.file), '.deb-'));
  try {
    const files = stageFiles(options, stage);
    const size = files.reduce((sum, file) => sum + lstatSync(file).size, 0);
    const debian = join(stage, 'DEBIAN');
    mkdirSync(debian);
    writeFileSync(join(debian, 'control'), controlText(options, Math.ceil(size / 1024)));
    writeFileSync(join(debian, 'md5sums'), checksums(files, stage));
    if (options.configFiles.length > 0) {
      writeFileSync(join(debian, 'conffiles'), options.configFiles.map((file) => `${file}\n`).join(''));
    }
    normalizeModes(debian);
    writeScripts(options, debian);
    setTimes(stage, process.env['SOURCE_DATE_EPOCH']);
    execFileSync('dpkg-deb', dpkgArguments(options, stage), { stdio: 'inherit' });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Copies all files to their targets below `stage`.
 * @param {PackageInput} input @param {string} stage
 * @returns {string[]} the plain files
 */
export function stageFiles({ mappings }, stage) {
  for (const { source, target } of mappings) {
    const to = join(stage, target);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(source, to, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
    });
  }
  return normalizeModes(stage);
}

/**
 * Directories and executable files get mode 755, others 644, independent of the build machine's umask.
 * @param {string} directory
 * @returns {string[]} the plain files in it
 */
export function normalizeModes(directory) {
  chmodSync(directory, 0o755);
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return [];
    const isExecutable = entry.isDirectory() || (lstatSync(path).mode & 0o111) !== 0;
    chmodSync(path, isExecutable ? 0o755 : 0o644);
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Gives all files the time of the commit. dpkg-deb only lowers later times: files that are older than the commit would
 * keep the time of this machine's checkout.
 * @param {string} directory @param {string | undefined} epoch seconds since 1970
 */
export function setTimes(directory, epoch) {
  if (epoch === undefined) return;
  for (const { parentPath, name } of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    lutimesSync(join(parentPath, name), Number(epoch), Number(epoch));
  }
  lutimesSync(directory, Number(epoch), Number(epoch));
}

/**
 * Returns the text of the control file.
 * @param {PackageInput} input
 * @param {number} installedSize KiB
 */
export function controlText({ options, depends, recommends }, installedSize) {
  /** @param {string} name */
  const option = (name) => options.get(name) ?? '';
  const [synopsis = '', ...body] = option('--description')
    .split('\n')
    .map((line) => line.trim());
  const iteration = option('--iteration');
  /** @type {readonly (readonly [field: string, value: string])[]} */
  const fields = [
    ['Package', option('--name')],
    ['Version', option('--version') + (iteration && `-${iteration}`)],
    ['Architecture', option('--architecture')],
    ['Maintainer', option('--maintainer')],
    ['Installed-Size', String(installedSize)],
    ['Depends', depends.join(', ')],
    ['Recommends', recommends.join(', ')],
    ['Conflicts', option('--conflicts')],
    ['Replaces', option('--replaces')],
    ['Section', option('--category')],
    ['Priority', option('--deb-priority') || 'optional'],
    ['Homepage', option('--url')],
    ['License', option('--license')],
    ['Vendor', option('--vendor')],
    // Lines of the long description begin with a space; an empty one is a dot.
    ['Description', [synopsis || option('--name'), ...body.map((line) => ` ${line || '.'}`)].join('\n')],
  ];
  return fields.map(([field, value]) => (value === '' ? '' : `${field}: ${value}\n`)).join('');
}

/** @param {readonly string[]} files @param {string} stage */
function checksums(files, stage) {
  const lines = files.map((file) => {
    const sum = createHash('md5').update(readFileSync(file)).digest('hex');
    return `${sum}  ${relative(stage, file)}\n`;
  });
  return lines.toSorted((a, b) => (a.slice(34) < b.slice(34) ? -1 : 1)).join('');
}

/** @param {PackageInput} input @param {string} debian */
function writeScripts({ options }, debian) {
  const scripts = { '--after-install': 'postinst', '--before-remove': 'prerm', '--after-remove': 'postrm' };
  for (const [option, name] of Object.entries(scripts)) {
    const source = options.get(option);
    if (source === undefined) continue;
    copyFileSync(source, join(debian, name));
    chmodSync(join(debian, name), 0o755);
  }
}

/** @param {PackageInput} input @param {string} stage */
function dpkgArguments({ options, file }, stage) {
  const requested = options.get('--deb-compression') ?? 'gz';
  const compression = compressions.get(requested);
  if (compression === undefined) throw new Error(`dpkg-deb has no compression ${requested}`);
  const level = options.get('--deb-compression-level');
  const levels = level === undefined ? [] : [`-z${level}`];
  return ['--root-owner-group', `-Z${compression}`, ...levels, '--build', stage, file];
}
