// @ts-check
/** Builds the user guide into dist/help, as static pages with a search: for the app's Help window and for `/help/`. */
import { build as esbuild } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { importTypeScript } from './importTypeScript.mjs';

/** @param {string} root */
export async function build(root) {
  /** @type {typeof import('../guide/site.ts')} */
  const { renderGuideSite } = await importTypeScript(join(root, 'build', 'guide', 'site.ts'));
  const source = join(root, 'docs', 'guide');
  const screenshots = join(root, 'docs', 'screenshots');
  const pagesDir = join(root, 'electron', 'pages', 'guide');
  /** @type {Record<string, string>} */
  const pages = {};
  for (const file of (await readdir(source)).filter((name) => name.endsWith('.md')).toSorted()) {
    pages[file] = await readFile(join(source, file), 'utf8');
  }
  const style = await readFile(join(pagesDir, 'guide.css'), 'utf8');
  const { files, pictures } = renderGuideSite(pages, style, (name) => pngSize(join(screenshots, name)));
  const target = join(root, 'dist', 'help');
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, 'pictures'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(target, name), text);
  for (const name of pictures) await copyFile(join(screenshots, name), join(target, 'pictures', name));
  const font = 'inter-latin-wght-normal.woff2';
  await copyFile(join(root, 'node_modules', '@fontsource-variable', 'inter', 'files', font), join(target, font));
  await esbuild({
    entryPoints: [join(pagesDir, 'guide.ts')],
    outfile: join(target, 'guide.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** Reads width and height from the header (IHDR) of a PNG file. @param {string} file */
function pngSize(file) {
  const bytes = readFileSync(file);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
