// @ts-check
/** Bundles the service and the shell: one file per entry point, for Node 20.18, the version in the fallback runtime. */
import { build as esbuild } from 'esbuild';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeLicences } from './licences.mjs';

/** CommonJS packages inside an ES module expect these globals. */
const banner =
  "import { createRequire as __createRequire } from 'node:module'; " +
  'const require = __createRequire(import.meta.url), __dirname = import.meta.dirname;';

/**
 * Leaves out the tables of iconv-lite for Asian encodings, a fifth of the service's code: Express loads it for bodies, and
 * the service accepts only JSON, which is always Unicode.
 * @type {import('esbuild').Plugin}
 */
const withoutEncodingTables = {
  name: 'without-encoding-tables',
  setup: ({ onLoad }) =>
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/]tables[\\/]/ }, () => ({ contents: '[]', loader: 'json' })),
};

/** @param {string} root */
export async function build(root) {
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    external: ['electron'],
    plugins: [withoutEncodingTables],
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
  };
  for (const folder of ['server', 'electron', 'demo', 'chunks']) {
    await rm(join(root, 'dist', folder), { recursive: true, force: true });
  }
  const program = await esbuild({
    ...common,
    metafile: true,
    entryPoints: {
      'server/main': 'server/commandLine/main.ts',
      'server/process': 'server/lifecycle/process.ts',
      'electron/main': 'electron/main.ts',
      'demo/main': 'demo/main.ts',
      'demo/process': 'demo/process.ts',
    },
    outdir: 'dist',
    // Code of one entry point isn't loaded by the others.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    banner: { js: banner },
    minifySyntax: true,
    // Without comments, the source text takes two thirds of the memory; short lines keep stacks legible.
    minifyWhitespace: true,
    lineLimit: 120,
  });
  await esbuild({
    ...common,
    entryPoints: { shell: 'electron/preload/shell.ts' },
    outdir: 'dist/electron/preload',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  writeLicences(root, Object.keys(program.metafile?.inputs ?? {}), join(root, 'dist'));
}
