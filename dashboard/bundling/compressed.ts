/** Writes a `.br` and a `.gz` beside everything that compresses, so that the service never has to. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|html|svg|json)$/;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Brotli at its best, as it goes over the wire. */
export function brotliBest(content: Uint8Array): Promise<Uint8Array> {
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
        await writeFile(`${file}.br`, await brotliBest(content));
        await writeFile(`${file}.gz`, await deflate(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
