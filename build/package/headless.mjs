// @ts-check
/**
 * Builds the Debian package of the headless service: Node and the program, without Electron. For servers, and for
 * processors without an Electron build.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce } from '../setup/output.mjs';
import { writeDebianPackage } from './debian.mjs';
import { writePackageDocuments, writeSettingsTemplate } from './documents.mjs';
import { libraryPackages } from './libraries.mjs';
import { copyInto, ensureNode, readVersion, writeService } from './service.mjs';
import { sourceDateEpoch } from './sourceDate.mjs';

const name = 'lab-manager-headless';
const documents = `/usr/share/doc/${name}`;
/** Not in /usr/bin, because Debian's own package of Node uses that path. */
const nodePath = '/usr/lib/lab-manager/bin/node';
const settingsPath = '/etc/lab-manager/lab.settings.yaml';

/** Names of processors in Debian. */
const debianArchitectures = new Map([
  ['x64', 'amd64'],
  ['arm64', 'arm64'],
]);

/**
 * Builds the package into `out/headless`.
 * @param {string} root the project's directory, with the program built
 * @param {string} arch `x64` or `arm64`
 * @param {boolean} isQuick for tests: uncompressed, in `out/quick-headless`
 * @returns {Promise<string>} its path
 * @throws SetupError for a processor without a Node build
 */
export async function packageHeadless(root, arch, isQuick = false) {
  const { node, licence } = await ensureNode(arch);
  const architecture = debianArchitectures.get(arch) ?? arch;
  const directory = join(root, 'out', isQuick ? 'quick-headless' : 'headless');
  const file = join(directory, `${name}_${readVersion(root)}_${architecture}.deb`);
  mkdirSync(directory, { recursive: true });
  // On the same disk as the package, which is written from these files.
  const work = mkdtempSync(join(directory, '.work-'));
  const epoch = sourceDateEpoch(root);
  if (epoch !== null) process.env['SOURCE_DATE_EPOCH'] = String(epoch);
  try {
    const to = join(work, 'root');
    copyInto(to, node, nodePath);
    copyInto(to, licence, `${documents}/copyright.node`);
    writeService(root, to, { node: nodePath, arch, documents });
    const { copyright, changelog } = writePackageDocuments(root, work, {
      'Node.js': `${documents}/copyright.node`,
      'JavaScript packages': '/usr/lib/lab-manager/dist/licences.txt',
    });
    copyInto(to, copyright, `${documents}/copyright`);
    copyInto(to, changelog, `${documents}/changelog.gz`);
    copyInto(to, linuxFile(root, 'lab.settings.yaml'), settingsPath);
    copyInto(to, await writeSettingsTemplate(root, work), `${documents}/lab.settings.yaml`);
    copyInto(to, linuxFile(root, 'lab-manager.service'), '/usr/lib/systemd/system/lab-manager.service');
    const scripts = writeScripts(root, work);
    const depends = [...libraryPackages(join(to, 'usr/lib/lab-manager/bin'), []), 'passwd'];
    await announce(`Packaging: service for ${arch}`, async () =>
      writeDebianPackage({
        file,
        options: new Map([...controlOptions(root, architecture), ...scripts, ...compressionOptions(isQuick)]),
        depends,
        recommends: [],
        configFiles: [settingsPath],
        mappings: [{ source: `${to}/`, target: '/' }],
      }),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return file;
}

/** @param {string} root @param {string} architecture @returns {readonly (readonly [string, string])[]} */
function controlOptions(root, architecture) {
  return [
    ['--name', name],
    ['--version', readVersion(root)],
    ['--architecture', architecture],
    ['--maintainer', 'The Lab Manager authors <authors@lab-manager.invalid>'],
    // The packages exclude each other, because both install the same program and the same service.
    ['--conflicts', 'lab-manager'],
    ['--replaces', 'lab-manager'],
    ['--category', 'science'],
    ['--url', 'https://lab-manager.invalid/'],
    ['--license', 'MIT'],
    [
      '--description',
      'Lab manager of a MADSci lab, without a window\n' +
        'Context and health service and dashboard of a self-driving lab that runs MADSci,\nfor machines without a desktop.',
    ],
  ];
}

/**
 * Writes the desktop package's scripts without the parts that only a package with a window needs.
 * @param {string} root @param {string} directory
 * @returns {readonly (readonly [string, string])[]}
 */
function writeScripts(root, directory) {
  const scripts = { '--after-install': 'postinst.sh', '--before-remove': 'prerm.sh', '--after-remove': 'postrm.sh' };
  return Object.entries(scripts).map(([option, script]) => {
    const text = readFileSync(linuxFile(root, script), 'utf8');
    const file = join(directory, script);
    writeFileSync(file, text.startsWith('#!') ? text : `#!/bin/sh\nset -e\n${text}`);
    chmodSync(file, 0o755);
    return [option, file];
  });
}

/** @param {boolean} isQuick @returns {readonly (readonly [string, string])[]} */
function compressionOptions(isQuick) {
  return [['--deb-compression', isQuick ? 'none' : 'xz']];
}

/** @param {string} root @param {string} file */
function linuxFile(root, file) {
  return join(root, 'resources', 'linux', file);
}
