// @ts-check
/**
 * `APT_SIGNING_KEY=FILE npm run package:apt`: builds an apt repository into out/apt, with the Debian package of the app
 * and those of the service without a window for each processor. The file is a private OpenPGP key without a passphrase.
 * `node build/setup/packageApt.mjs FILE…` uses packages that were built before, so that no code of npm's packages runs
 * where the key is.
 */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { print, SetupError } from './output.mjs';
import { ensureSystemPackages } from './systemPackages.mjs';

/** Any machine can build the packages of both architectures, because they differ only in the Node binary. */
const serviceArchitectures = ['x64', 'arm64'];

await command(async () => {
  const { APT_SIGNING_KEY: key } = process.env;
  if (!key) {
    throw new SetupError(
      'APT_SIGNING_KEY must name a file with the private key that signs the repository. To create one:\n\n' +
        '  gpg --batch --passphrase "" --quick-generate-key "My lab <it@lab.example>" ed25519 sign never\n' +
        '  gpg --armor --export-secret-keys "My lab" > apt-key.asc\n',
    );
  }
  const builtPackages = process.argv.slice(2);
  if (builtPackages.length > 0) await ensureSystemPackages(['apt']);
  const packages = builtPackages.length > 0 ? builtPackages : await buildPackages();
  const { aptKeyFile, writeAptRepository } = await import('../package/aptRepository.mjs');
  const directory = join(root, 'out', 'apt');
  const fingerprint = writeAptRepository(directory, packages, key);
  print(`The repository is ${directory}; install ${aptKeyFile} from it on each machine first`);
  print(`The fingerprint of its key, to compare on each machine: ${fingerprint}`);
  return 0;
});

/** @returns {Promise<readonly string[]>} their paths */
async function buildPackages() {
  const { runtime } = await prepare({ system: ['apt'], runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const { packageDeb } = await import('../package/packages.mjs');
  const { packageHeadless } = await import('../package/headless.mjs');
  const packages = [await packageDeb(root, runtime)];
  for (const arch of serviceArchitectures) packages.push(await packageHeadless(root, arch));
  return packages;
}
