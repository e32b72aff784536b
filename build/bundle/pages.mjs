// @ts-check
/** Builds pages with Vite. */
import { join } from 'node:path';

/** @param {string} root @param {string} config path of the Vite configuration, relative to the project */
export async function buildPages(root, config) {
  const { build } = await import('vite');
  // Whatever the caller's is (a test runner's is "test"): Vite builds a development page with any other value.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: join(root, config),
      logLevel: 'warn',
      // How long the bundler's plugins took is nothing for whoever starts the product.
      build: { rolldownOptions: { checks: { pluginTimings: false } } },
    });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
