// @ts-check
/**
 * Builds the container image of the headless service: Node from the npm registry, libraries of the Debian system
 * that it is built on, and the program. buildah writes it, without a base image, as an archive that podman and Docker
 * load.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';
import { announce, SetupError } from '../setup/output.mjs';
import { normalizeModes } from './debian.mjs';
import { readLinkerNeeds } from './elf.mjs';
import { copyInto, ensureNode, readVersion, writeService } from './service.mjs';
import { sourceDateEpoch } from './sourceDate.mjs';

/** Debian packages that files of the image come from; the image contains the licence terms of each. */
const debianPackages = ['ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6', 'util-linux'];

/** Locks the lab's ID registry, because Node has no API for file locks. */
const flock = '/usr/bin/flock';

/** The account of the program, the only one in the image. Volumes must belong to its user ID. */
const account = 'lab-manager:x:10001:10001:Lab Manager:/var/lib/lab-manager:/nonexistent\n';

/**
 * Builds the image of this commit into `out/`.
 * @param {string} root the project's directory, with the program built
 * @param {string} [out] the target folder, for a second build
 * @returns {Promise<string>} the OCI archive
 * @throws SetupError when buildah fails, or for a processor without a Node build
 */
export async function packageContainer(root, out = join(root, 'out')) {
  const version = readVersion(root);
  const archive = join(out, `lab-manager-${version}-${process.arch}.oci.tar`);
  mkdirSync(out, { recursive: true });
  // Next to the image, so that copying stays on one disk.
  const work = mkdtempSync(join(out, '.container-'));
  try {
    await fillRoot(root, join(work, 'context', 'root'));
    mkdirSync(join(work, 'context', 'state'), { mode: 0o755 });
    rmSync(archive, { force: true });
    await announce('Building the container image', () => runBuildah(root, work, archive, version));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return archive;
}

/** @param {string} root @param {string} to the image's file system */
async function fillRoot(root, to) {
  const { node, licence, linker } = await ensureNode(process.arch);
  /** @param {string} source @param {string} target */
  const copy = (source, target) => copyInto(to, source, target);
  copy(node, '/usr/bin/node');
  copy(licence, '/usr/share/doc/node/copyright');
  copy(linker, linker);
  copy(flock, flock);
  for (const library of listLibraries([node, flock])) copy(library, library);
  for (const name of debianPackages) copy(`/usr/share/doc/${name}/copyright`, `/usr/share/doc/${name}/copyright`);
  copy('/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-certificates.crt');
  const documents = '/usr/share/doc/lab-manager';
  writeService(root, to, { node: '/usr/bin/node', arch: process.arch, documents, system: systemComponents() });
  for (const directory of ['etc/lab-manager', 'tmp']) mkdirSync(join(to, directory), { recursive: true });
  writeFileSync(join(to, 'etc/passwd'), account);
  writeFileSync(join(to, 'etc/group'), 'lab-manager:x:10001:\n');
  writeFileSync(join(to, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  normalizeModes(to);
  chmodSync(join(to, 'tmp'), 0o1777);
}

/**
 * Returns the Debian packages whose files the image contains, with their versions on this machine. Source of the URLs'
 * format: github.com/package-url/purl-spec, type deb
 * @returns {import('./sbom.mjs').OtherComponent[]}
 */
function systemComponents() {
  const [, distribution = 'debian'] = /^ID=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const format = '${Package} ${Version} ${Architecture}\n';
  const lines = execFileSync('dpkg-query', ['--show', '--showformat', format, ...debianPackages], { encoding: 'utf8' });
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', arch] = line.split(' ');
      const purl = `pkg:deb/${distribution}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${arch}`;
      return { name, version, licence: '', purl };
    });
}

/**
 * Returns the paths on this machine of the libraries that programs load, directly or through another library.
 * @param {readonly string[]} files
 * @returns {Set<string>}
 */
function listLibraries(files) {
  const cacheListing = execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  /** @type {Set<string>} */
  const libraries = new Set();
  const pending = [...files];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of readLinkerNeeds(next)?.libraries ?? []) {
      // The first one has the machine's own architecture.
      const line = cacheListing.split('\n').find((candidate) => candidate.startsWith(`\t${name} `));
      const path = line?.split(' => ')[1];
      if (path === undefined)
        throw new SetupError(`${name}, a library of a program in the image, is not on this machine`);
      if (libraries.has(path)) continue;
      libraries.add(path);
      pending.push(path);
    }
  }
  return libraries;
}

/** @param {string} root @param {string} work @param {string} archive @param {string} version */
async function runBuildah(root, work, archive, version) {
  // Separate storage, so that this machine's own images are neither read nor changed.
  const storage = ['--storage-driver=vfs', `--root=${join(work, 'storage')}`, `--runroot=${join(work, 'run')}`];
  const epoch = sourceDateEpoch(root);
  const labels = {
    'org.opencontainers.image.title': 'Lab Manager',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'MIT',
  };
  const tag = `localhost/lab-manager:${version}`;
  const build = [
    'bud',
    '--isolation=chroot',
    '--quiet',
    ...(epoch === null ? [] : [`--timestamp=${epoch}`]),
    ...Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`),
    `--file=${join(root, 'resources', 'container', 'Containerfile')}`,
    `--tag=${tag}`,
    join(work, 'context'),
  ];
  for (const args of [build, ['push', '--quiet', tag, `oci-archive:${archive}:${tag}`]]) {
    const code = await run('buildah', [...storage, ...args], { quiet: true });
    if (code !== 0) throw new SetupError(`buildah ${args[0]} ended with exit code ${code} (see above)`);
  }
}
