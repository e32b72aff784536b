/** Writes a `.br` and a `.gz` file beside every compressible file, so that the service never compresses files. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|html|svg|json)$/;

const brotli = promisify(brotliCompress);
const compressWithGzip = promisify(gzip);

/** Compresses with the maximum quality, as the service sends it. */
export function compressWithBrotli(content: Uint8Array): Promise<Uint8Array> {
  return brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
}

export function compressAssets(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((candidate) => candidate.isFile() && compressible.test(candidate.name))) {
        const file = join(entry.parentPath, entry.name);
        const content = await readFile(file);
        await writeFile(`${file}.br`, await compressWithBrotli(content));
        await writeFile(`${file}.gz`, await compressWithGzip(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
