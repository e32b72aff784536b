// @ts-check
/** Draws every icon from its SVG, into dist/icons. */
import { Resvg } from '@resvg/resvg-js';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { importTypeScript } from './importTypeScript.mjs';

/** Sizes in the icon files of Windows and macOS. */
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
const icnsSizes = [16, 32, 64, 128, 256, 512, 1024];

/** @param {string} root */
export async function build(root) {
  /** @type {typeof import('../icons/containers.ts')} */
  const { encodeIcns, encodeIco } = await importTypeScript(join(root, 'build', 'icons', 'containers.ts'));
  /** @type {typeof import('../icons/files.ts')} */
  const { appIconPath, iconFiles } = await importTypeScript(join(root, 'build', 'icons', 'files.ts'));
  const target = join(root, 'dist', 'icons');
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
  const appPicture = (size) => {
    const png = pictures.get(size === 1024 ? 'icon.png' : appIconPath(size));
    if (!png) throw new Error(`There is no app icon of ${size} pixels`);
    return { size, png };
  };
  await writeFile(join(target, 'icon.ico'), encodeIco(icoSizes.map(appPicture)));
  await writeFile(join(target, 'icon.icns'), encodeIcns(icnsSizes.map(appPicture)));
}
