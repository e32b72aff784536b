// @ts-check
/** Writes an RPM package: the files in a staging directory, a spec file, and rpmbuild over both. Source: rpm-spec(5) */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimes, stageFiles } from './debian.mjs';

/** @typedef {import('./fpmArguments.mjs').PackageInput} PackageInput */

/** fpm's names of compressions, as rpmbuild calls them. */
const compressions = new Map([
  ['xzmt', 'w6T.xzdio'],
  ['none', 'w.ufdio'],
]);

/** electron-builder's names of processors, as RPM calls them. */
const architectures = new Map([
  ['amd64', 'x86_64'],
  ['arm64', 'aarch64'],
]);

/** Folders that the package owns; others, such as /usr/bin, belong to the system. */
const ownFolders = /^\/(opt\/[^/]+|etc\/[^/]+|usr\/share\/doc\/[^/]+)(\/|$)/;

/** @param {PackageInput} input */
export function writeRpmPackage(input) {
  mkdirSync(dirname(input.file), { recursive: true });
  // The staging directory is on the same file system as the package.
  const work = mkdtempSync(join(dirname(input.file), '.rpm-'));
  try {
    const stage = join(work, 'root');
    mkdirSync(stage);
    stageFiles(input, stage);
    setTimes(stage, process.env['SOURCE_DATE_EPOCH']);
    const spec = join(work, 'package.spec');
    writeFileSync(spec, specText(input, stage));
    execFileSync('rpmbuild', rpmbuildArguments(input, work, stage, spec), { stdio: ['ignore', 'ignore', 'inherit'] });
    const packageName = readdirSync(join(work, 'rpms')).find((name) => name.endsWith('.rpm'));
    if (packageName === undefined) throw new Error('rpmbuild wrote no package');
    copyFileSync(join(work, 'rpms', packageName), input.file);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {PackageInput} input @param {string} stage */
function specText({ options, depends, configFiles }, stage) {
  /** @param {string} name */
  const option = (name) => escapeMacros(options.get(name) ?? '');
  const fields = {
    Name: option('--name'),
    Version: option('--version'),
    Release: option('--iteration') || '1',
    Summary: option('--rpm-summary') || option('--name'),
    License: option('--license'),
    Group: option('--category'),
    Vendor: option('--vendor'),
    Packager: option('--maintainer'),
    URL: option('--url'),
  };
  const lines = Object.entries(fields).flatMap(([field, value]) => (value === '' ? [] : [`${field}: ${value}`]));
  return [
    ...lines,
    ...depends.map((name) => `Requires: ${name}`),
    '%description',
    option('--description'),
    ...script('%post', options.get('--after-install'), (text) => text),
    ...script('%preun', options.get('--before-remove'), (text) => text),
    // An update runs this script of the earlier version last, which would undo the set-up of the new version.
    ...script('%postun', options.get('--after-remove'), (text) => `if [ "$1" = 0 ]; then\n(\n${text}\n)\nfi`),
    '%files',
    '%defattr(-,root,root,-)',
    ...fileLines(stage, configFiles),
    '',
  ].join('\n');
}

/**
 * @param {string} section
 * @param {string | undefined} file
 * @param {(text: string) => string} wrap
 * @returns {string[]}
 */
function script(section, file, wrap) {
  return file === undefined ? [] : [`${section} -p /bin/bash`, escapeMacros(wrap(readFileSync(file, 'utf8')))];
}

/** @param {string} stage @param {readonly string[]} configFiles @returns {string[]} */
function fileLines(stage, configFiles) {
  return readdirSync(stage, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .flatMap((file) => {
      const path = `/${relative(stage, file)}`;
      const quoted = `"${escapeMacros(path)}"`;
      if (!lstatSync(file).isDirectory()) return [configFiles.includes(path) ? `%config(noreplace) ${quoted}` : quoted];
      return ownFolders.test(path) ? [`%dir ${quoted}`] : [];
    });
}

/** rpmbuild expands macros everywhere. @param {string} text */
function escapeMacros(text) {
  return text.replaceAll('%', '%%');
}

/** @param {PackageInput} input @param {string} work @param {string} stage @param {string} spec @returns {string[]} */
function rpmbuildArguments({ options }, work, stage, spec) {
  const requested = options.get('--rpm-compression') ?? 'xzmt';
  const compression = compressions.get(requested);
  if (compression === undefined) throw new Error(`rpmbuild has no compression ${requested} here`);
  const macros = {
    _topdir: work,
    _rpmdir: join(work, 'rpms'),
    _build_name_fmt: '%%{NAME}.rpm',
    _binary_payload: compression,
    // The programs are not stripped, and their bundled libraries are not offered to other packages.
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    _build_id_links: 'none',
    __provides_exclude: '\\.so',
    __requires_exclude: '^lib(ffmpeg|EGL|GLESv2|vk_swiftshader|vulkan)\\.so',
    // Two builds of the same commit give identical files.
    _buildhost: 'reproducible',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
  };
  const defines = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  const architecture = options.get('--architecture') ?? '';
  return [
    '-bb',
    '--quiet',
    '--target',
    architectures.get(architecture) ?? architecture,
    '--buildroot',
    stage,
    ...defines,
    spec,
  ];
}
