// @ts-check
import { build } from 'esbuild';

/**
 * Loads a TypeScript module of this project: bundled to one module with all it imports, and loaded from memory, since
 * Node 20 reads no TypeScript and a bundle in memory needs no place on disk.
 * @template Module
 * @param {string} file
 * @returns {Promise<Module>} the caller says its type
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
  if (!bundle) throw new Error(`esbuild gave no module for ${file}`);
  return import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`);
}
