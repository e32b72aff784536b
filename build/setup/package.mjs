// @ts-check
/**
 * `npm run package`: builds this system's packages into out/, on a release machine with `RELEASE=1`.
 * `UPDATE_SIGNING_KEY=FILE` signs the update list. Options, after `--`:
 * - `--headless`: builds the Debian package of the service without a window
 * - `--mac`: builds the macOS app as a zip archive, also on Linux
 * - `--arch x64|arm64`: the processor, with `--headless` and `--mac`
 * - `--e2e`: builds the packages under test
 * - `--test-deb`: builds only the Debian package under test
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { command, prepare, root } from './prepare.mjs';
import { print, SetupError } from './output.mjs';

/** The options of the command line. */
const options = /** @type {const} */ ({
  e2e: { type: 'boolean' },
  'test-deb': { type: 'boolean' },
  headless: { type: 'boolean' },
  mac: { type: 'boolean' },
  arch: { type: 'string' },
});

const architectures = ['x64', 'arm64'];

await command(async () => {
  const { e2e, 'test-deb': testDeb, headless, mac, arch = process.arch } = parseOptions();
  if (headless || mac) {
    if (headless) await packageService(arch);
    if (mac) await packageMac(arch);
    return 0;
  }
  const { runtime } = await prepare({ system: [], runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const { editionVersion } = await import('../package/edition.mjs');
  const { packageForRelease, packageForTests, packageTestDeb } = await import('../package/packages.mjs');
  const { signUpdateList, writeUpdateList } = await import('../package/updateList.mjs');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packageVersion = editionVersion(version, runtime, process.env['RELEASE']);
  print(`Version ${packageVersion}, on Electron ${runtime.version}`);
  if (e2e) {
    for (const file of Object.values(await packageForTests(root, runtime))) print(file);
  } else if (testDeb) {
    print(await packageTestDeb(root, runtime));
  } else {
    await packageForRelease(root, runtime);
    const list = await writeUpdateList(join(root, 'out'), packageVersion);
    const { UPDATE_SIGNING_KEY: key } = process.env;
    if (list !== null && key) print(`The signature of the update list is ${signUpdateList(list, key)}`);
    print(`The packages are in ${root}/out${list === null ? '' : `; as an update feed, serve them with ${list}`}`);
  }
  return 0;
});

function parseOptions() {
  try {
    const { values } = parseArgs({ options, allowPositionals: false });
    const { arch } = values;
    if (arch !== undefined && !architectures.includes(arch))
      throw new Error(`--arch must be ${architectures.join(' or ')}, not ${arch}`);
    if (arch !== undefined && arch !== process.arch && !values.mac && !values.headless)
      throw new Error(
        `The desktop package for ${arch} must be built on a machine with that processor; --arch is for --mac and --headless`,
      );
    return values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      `${reason}\n\nnpm run package -- [--e2e | --test-deb | --headless | --mac] [--arch ${architectures.join('|')}]`,
    );
  }
}

/** @param {string} arch */
async function packageService(arch) {
  const system = arch === 'arm64' ? 'headless-arm64' : 'headless-x64';
  await prepare({ system: [system], runtime: false, build: true });
  const { packageHeadless } = await import('../package/headless.mjs');
  print(`The package is ${await packageHeadless(root, arch)}`);
}

/** @param {string} arch */
async function packageMac(arch) {
  await prepare({ system: ['mac'], runtime: false, build: true });
  const { packageForMac } = await import('../package/packages.mjs');
  await packageForMac(root, arch);
  const unsigned = process.platform === 'darwin' ? '' : '; it is not signed, which only macOS can do';
  print(`The archive is in ${root}/out${unsigned}`);
}
