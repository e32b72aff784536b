// @ts-check
/**
 * `APT_SIGNING_KEY=FILE npm run package:apt`: the Debian package as an apt repository, into out/apt. The file is a private
 * OpenPGP key without a passphrase.
 */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { print, SetupError } from './output.mjs';

await command(async () => {
  const { APT_SIGNING_KEY: key } = process.env;
  if (!key) {
    throw new SetupError(
      'APT_SIGNING_KEY names no file with the private key that signs the repository. To make one:\n\n' +
        '  gpg --batch --passphrase "" --quick-generate-key "My lab <it@lab.example>" ed25519 sign never\n' +
        '  gpg --armor --export-secret-keys "My lab" > apt-key.asc\n',
    );
  }
  const { runtime } = await prepare({ system: 'apt', runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const { packageDeb } = await import('../package/packages.mjs');
  const { aptKeyFile, writeAptRepository } = await import('../package/aptRepository.mjs');
  const directory = join(root, 'out', 'apt');
  writeAptRepository(directory, [await packageDeb(root, runtime)], key);
  print(`The repository is ${directory}; machines that use it need ${aptKeyFile} from there first`);
  return 0;
});
