// @ts-check
/** Draws every icon from its SVG, into resources/icons. */
import { Resvg } from '@resvg/resvg-js';
import { build as esbuild } from 'esbuild';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Sizes in the icon files of Windows and macOS. */
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
const icnsSizes = [16, 32, 64, 128, 256, 512];

/** @param {string} root */
export async function build(root) {
  const { appIconPath, icns, ico, iconFiles } = await drawings(root);
  const target = join(root, 'resources', 'icons');
  await rm(target, { recursive: true, force: true });
  /** @type {Map<string, Buffer>} */
  const pictures = new Map();
  for (const { path, svg, size } of iconFiles()) {
    const png = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
    pictures.set(path, png);
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), png);
  }
  /** @param {number} size */
  const app = (size) => {
    const png = pictures.get(size === 1024 ? 'icon.png' : appIconPath(size));
    if (!png) throw new Error(`There is no app icon of ${size} pixels`);
    return { size, png };
  };
  await writeFile(join(target, 'icon.ico'), ico(icoSizes.map(app)));
  await writeFile(join(target, 'icon.icns'), icns([...icnsSizes, 1024].map(app)));
}

/**
 * The drawings are TypeScript, like the tables of states and shapes they are made from: bundled to one module, and
 * loaded from memory. They import nothing that isn't of this project, so they need no place on disk.
 * @param {string} root
 * @returns {Promise<typeof import('../icons/index.ts')>}
 */
async function drawings(root) {
  const { outputFiles } = await esbuild({
    entryPoints: [join(root, 'build', 'icons', 'index.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const code = outputFiles[0]?.text;
  if (code === undefined) throw new Error('esbuild gave no module of the drawings');
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
