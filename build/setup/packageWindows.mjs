// @ts-check
/**
 * `npm run package:windows`: builds the installer for Windows on another system, into out/. `-- --app DIR` packages a
 * directory that already contains the app's files. `UPDATE_SIGNING_KEY=FILE` signs the update list; `RELEASE` marks
 * a release (`edition.mjs`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { print, SetupError } from './output.mjs';
import { downloadRuntime } from './runtime.mjs';
import { isOnPath } from './systemPackages.mjs';

await command(async () => {
  const [option, directory, ...rest] = process.argv.slice(2);
  if ((option !== undefined && option !== '--app') || (option === '--app' && !directory) || rest.length > 0)
    throw new SetupError('npm run package:windows accepts only --app DIR, a directory with the app for Windows');
  if (process.platform === 'win32') throw new SetupError('On Windows, npm run package builds the installer');
  await prepare({ system: ['installer'], runtime: false, build: true });
  if (!isOnPath('makensis')) throw new SetupError('makensis is missing: install NSIS (https://nsis.sourceforge.io)');
  const { editionVersion } = await import('../package/edition.mjs');
  const { buildWindowsApp } = await import('../package/packages.mjs');
  const { signUpdateList, writeUpdateList } = await import('../package/updateList.mjs');
  const { buildWindowsInstaller } = await import('../package/windowsInstaller.mjs');
  const { installerName } = await import('../windows/names.mjs');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = directory
    ? manifest.version
    : editionVersion(manifest.version, await downloadRuntime(root, 'win32', 'x64'), process.env['RELEASE']);
  const app = directory ?? (await buildWindowsApp(root));
  const file = await buildWindowsInstaller(root, { app, version, file: join(root, 'out', installerName(version)) });
  const list = await writeUpdateList(join(root, 'out'), version, 'win32');
  const { UPDATE_SIGNING_KEY: key } = process.env;
  if (list !== null && key) print(`The signature of the update list is ${signUpdateList(list, key)}`);
  print(`The installer is ${file}${list === null ? '' : `; as an update feed, serve it with ${list}`}`);
  return 0;
});
