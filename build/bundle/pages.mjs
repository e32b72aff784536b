// @ts-check
/** Builds pages with Vite. */
import { join } from 'node:path';

/** @param {string} root @param {string} config path of the Vite configuration, relative to the project */
export async function buildPages(root, config) {
  const { build } = await import('vite');
  await build({ configFile: join(root, config), logLevel: 'warn' });
}
