// @ts-check
import { build } from 'esbuild';

/**
 * Imports a TypeScript module of this project with its dependencies. It is bundled in memory, because Node 20 can't run
 * TypeScript.
 * @template Module
 * @param {string} file
 * @returns {Promise<Module>} the caller supplies the type
 */
export async function importTypeScript(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild returned no module for ${file}`);
  return import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`);
}
