// @ts-check
/** Builds pages with Vite. */
import { join } from 'node:path';

/** @param {string} root @param {string} config path of the Vite configuration, relative to the project */
export async function buildPages(root, config) {
  const { build } = await import('vite');
  // Vite makes a development build unless NODE_ENV is `production`; a test runner sets it to `test`.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: join(root, config),
      logLevel: 'warn',
      // Plugin timings are of no use to people who start the product.
      build: { rolldownOptions: { checks: { pluginTimings: false } } },
    });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
