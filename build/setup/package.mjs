// @ts-check
/**
 * `npm run package`: builds this system's packages into out/. `npm run package -- --e2e`: builds the packages under test.
 * On a release machine: `RELEASE=1 npm run package`. `UPDATE_SIGNING_KEY=FILE` signs the list of packages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { print, SetupError } from './output.mjs';

const known = new Set(['--e2e']);

await command(async () => {
  const args = process.argv.slice(2);
  const unknown = args.find((argument) => !known.has(argument));
  if (unknown !== undefined) throw new SetupError(`${unknown} is not known; there is only --e2e`);
  const { runtime } = await prepare({ system: null, runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const { editionVersion } = await import('../package/edition.mjs');
  const { packageForRelease, packageForTests } = await import('../package/packages.mjs');
  const { signUpdateList, writeUpdateList } = await import('../package/updateList.mjs');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const edition = editionVersion(version, runtime, process.env['RELEASE']);
  print(`Version ${edition}, on Electron ${runtime.version}`);
  if (args.includes('--e2e')) {
    for (const file of Object.values(await packageForTests(root, runtime))) print(file);
  } else {
    await packageForRelease(root, runtime);
    const list = await writeUpdateList(join(root, 'out'), edition);
    const { UPDATE_SIGNING_KEY: key } = process.env;
    if (list !== null && key) print(`Its signature is ${signUpdateList(list, key)}`);
    print(`The packages are in ${root}/out${list === null ? '' : `; as an update feed, serve them with ${list}`}`);
  }
  return 0;
});
