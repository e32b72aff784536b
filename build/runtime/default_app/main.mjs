// @ts-check
/**
 * Starts the app in the directory given as first argument, as Electron's default app does; for a runtime without one.
 * Supports `-r module`, which Playwright uses.
 */
import * as electron from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Functions that Electron provides to its default app without declaring them. */
const app =
  /** @type {import('electron').App & { setVersion(version: string): void, setAppPath(path: string): void }} */ (
    electron.app
  );

/** @type {string[]} */
const preloads = [];
/** @type {string | null} */
let target = null;
const args = process.argv.slice(1);
while (target === null && args.length > 0) {
  const argument = args.shift() ?? '';
  if (argument === '-r' || argument === '--require') preloads.push(args.shift() ?? '');
  else if (argument === '--version' || argument === '-v') {
    console.log(`v${process.versions.electron}`);
    process.exit(0);
  } else if (!argument.startsWith('-')) target = argument;
}
if (target === null) {
  console.error('usage: electron [-r module] <directory of the app>');
  process.exit(2);
}

const require = createRequire(resolve('launcher.js'));
for (const preload of preloads) require(preload);

Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
const directory = resolve(target);
const manifest = join(directory, 'package.json');
if (existsSync(manifest)) {
  const { name, productName, version, desktopName } = JSON.parse(readFileSync(manifest, 'utf8'));
  app.setVersion(version);
  app.name = productName ?? name;
  if (desktopName) app.setDesktopName(desktopName);
}
const entry = require.resolve(directory);
app.setAppPath(existsSync(manifest) ? directory : dirname(entry));
// Awaited: Electron becomes ready when its main module is done, and the app must be loaded by then.
try {
  await import(pathToFileURL(entry).href);
} catch (error) {
  console.error(`The app could not be started: ${error instanceof Error ? error.stack : error}`);
  process.exit(1);
}
