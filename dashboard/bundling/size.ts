/** Measures what a browser fetches before the first page stands: entry page, scripts, styles; without the font. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliBest } from './compressed.ts';

/** Over the wire, brotli, in bytes (KB = 1024 bytes). */
export const firstPageLimit = 250 * 1024;

export interface FileSize {
  readonly file: string;
  /** As it lies on the disk, in bytes. */
  readonly plain: number;
  /** Brotli, in bytes. */
  readonly wire: number;
}

export interface PageSize {
  readonly files: readonly FileSize[];
  /** The sum over the wire, in bytes. */
  readonly wire: number;
}

/** One chunk in Vite's manifest. */
export interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}
export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** What is loaded one after the other until Overview is drawn: the entry, the app, the panel. */
const loadedFirst = ['index.html', 'main.ts', 'panels/overview/OverviewPanel.vue'] as const;

/** The built files that the first page needs, by the manifest: `loadedFirst` and what they import. */
export function firstPageFiles(manifest: Manifest): string[] {
  const files = new Set(['index.html']);
  const seen = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`${name} is not in the manifest of the built dashboard`);
    if (seen.has(name)) return;
    seen.add(name);
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of loadedFirst) add(name);
  return [...files];
}

/** Sizes of the first page of the dashboard built into `folder`. Throws when it isn't built. */
export async function measureFirstPage(folder: string): Promise<PageSize> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8'));
  const files = await Promise.all(
    firstPageFiles(manifest).map(async (file) => {
      const content = await readFile(join(folder, file));
      return { file, plain: content.byteLength, wire: (await brotliBest(content)).byteLength };
    }),
  );
  return { files, wire: files.reduce((sum, { wire }) => sum + wire, 0) };
}
