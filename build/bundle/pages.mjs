// @ts-check
/** Builds pages with Vite. */
import { join } from 'node:path';
import { run } from '../setup/run.mjs';

/**
 * Runs in a separate process, because Vue's compiler reads NODE_ENV when it is loaded: in a test runner that has loaded
 * it, the templates would be compiled for development.
 * @param {string} root
 * @param {string} config path of the Vite configuration, relative to the project
 */
export async function buildPages(root, config) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', join(root, config), '--logLevel', 'warn'];
  const code = await run(process.execPath, args, {
    cwd: root,
    quiet: true,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code !== 0) throw new Error(`Vite ended with exit code ${code} for ${config}`);
}
