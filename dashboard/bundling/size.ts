/** Measures the files that a browser fetches for a page of the built dashboard: entry page, scripts and styles, no fonts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressWithBrotli } from './compressed.ts';

/** The limit for the first page, compressed with brotli, in bytes. */
const firstPageLimit = 133 * 1024;
/**
 * The limit for the files that a page loads beyond the first page, compressed with brotli, in bytes. Shared files
 * (`sharedFiles.ts`) count for each page that loads them.
 */
const panelLimit = 203 * 1024;

/** One chunk in Vite's manifest. */
interface ManifestChunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  /** Whether any module loads the chunk by `import()`. */
  readonly isDynamicEntry?: boolean;
  readonly css?: readonly string[];
  /** Fonts and the scripts of workers. */
  readonly assets?: readonly string[];
}
export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** A page and the name of its chunk in the manifest. */
interface PageChunk {
  readonly name: string;
  readonly chunk: string;
}

/** A panel's pages, the panel itself first. */
export interface PanelChunks {
  readonly name: string;
  readonly pages: readonly PageChunk[];
}

/** The chunks of the first page, in the order of loading: the boot script, and the app with the panel Overview. */
const firstPageChunks = ['index.html', 'main.ts'] as const;

/** Returns the built files of the chunks and of their imports, without dynamic imports. */
export function collectFiles(manifest: Manifest, chunks: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const { file, css = [], assets = [], imports = [] } = getChunk(manifest, name);
    // A panel starts its worker when it is loaded.
    for (const path of [file, ...css, ...assets.filter((asset) => asset.endsWith('.js'))]) files.add(path);
    for (const imported of imports) add(imported);
  };
  for (const chunk of chunks) add(chunk);
  return files;
}

/**
 * Returns the manifest with the files of `sharedFiles.ts` listed by the entry module of their page, as Vite lists all other
 * pages. Vite lists shared files by their file names.
 */
export function withEntryNames(manifest: Manifest): Manifest {
  const findKey = (name: string): string =>
    Object.keys(manifest).find((key) => key.startsWith(`_${name}-`) && key.endsWith('.js')) ?? '';
  const [start, page] = [findKey('start'), findKey('page')];
  const panels = (manifest[page]?.dynamicImports ?? []).filter((key) => key.startsWith('_') && key !== page);
  const entries = new Map([
    [start, 'index.html'],
    [page, 'main.ts'],
    ...panels.map((key) => {
      const { name = '' } = getChunk(manifest, key);
      return [key, `panels/${name}/${name.charAt(0).toUpperCase()}${name.slice(1)}Panel.vue`] as const;
    }),
  ]);
  const renamed = (keys: readonly string[] = []): readonly string[] => keys.map((key) => entries.get(key) ?? key);
  return Object.fromEntries(
    Object.entries(manifest).map(([key, chunk]) => [
      entries.get(key) ?? key,
      {
        ...chunk,
        isDynamicEntry: chunk.isDynamicEntry ?? panels.includes(key),
        imports: renamed(chunk.imports),
        dynamicImports: renamed(chunk.dynamicImports),
      },
    ]),
  );
}

function getChunk(manifest: Manifest, name: string): ManifestChunk {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`${name} is not in the manifest of the built dashboard`);
  return chunk;
}

/** Returns the built files of the first page. @throws if a chunk is not in the manifest */
export function firstPageFiles(manifest: Manifest): string[] {
  return ['index.html', ...collectFiles(manifest, firstPageChunks)];
}

export interface BundlePart {
  readonly name: string;
  /** The first page, a panel or one of its pages, a panel with all its pages, or a dynamic import of a page. */
  readonly kind: 'first page' | 'page' | 'whole panel' | 'on demand';
  readonly files: readonly string[];
}

/** A panel is loaded from `panels/NAME/NamePanel.vue`, a page of it from a `…Page.vue` anywhere in its folder. */
const pageChunkPattern = /^panels\/(\w+)\/(?:\w+\/)*(\w+?)(Panel|Page)\.vue$/;

/** Returns the panels with their pages. */
export function listPanelChunks(manifest: Manifest): PanelChunks[] {
  const panelChunks = Object.entries(manifest).flatMap(([chunk, { isDynamicEntry }]) => {
    const [, panel = '', name = '', kind] = (isDynamicEntry ? pageChunkPattern.exec(chunk) : null) ?? [];
    return panel === '' ? [] : [{ panel, chunk, name: name.toLowerCase(), first: kind === 'Panel' }];
  });
  return [...new Set(panelChunks.map(({ panel }) => panel))].map((name) => ({
    name,
    pages: panelChunks
      .filter(({ panel }) => panel === name)
      .toSorted((a, b) => Number(b.first) - Number(a.first))
      .map((page) => ({ name: page.name, chunk: page.chunk })),
  }));
}

/**
 * Returns the parts of a build: the first page, each page, each panel with several pages, and each dynamic import. A part
 * contains only files that were not loaded before it, such as those of a page beyond the first page.
 */
export function listParts(manifest: Manifest, panels: readonly PanelChunks[]): BundlePart[] {
  const first = new Set(firstPageFiles(manifest));
  const filesBeyond = (chunks: readonly string[], loaded: ReadonlySet<string>): string[] =>
    [...collectFiles(manifest, chunks)].filter((file) => !loaded.has(file));
  const pages = panels.flatMap((panel) => panel.pages);
  const singlePages = pages.map(({ name, chunk }): BundlePart => ({
    name,
    kind: 'page',
    files: filesBeyond([chunk], first),
  }));
  const wholePanels = panels
    .filter((panel) => panel.pages.length > 1)
    .map((panel): BundlePart => {
      const chunks = panel.pages.map(({ chunk }) => chunk);
      return { name: panel.name, kind: 'whole panel', files: filesBeyond(chunks, first) };
    });
  const callers: readonly PageChunk[] = [{ name: 'first page', chunk: 'main.ts' }, ...pages];
  const targets = new Set(pages.map(({ chunk }) => chunk));
  const later = callers.flatMap(({ name, chunk }) => {
    const loaded = new Set([...first, ...collectFiles(manifest, [chunk])]);
    return listDynamicImports(manifest, chunk)
      .filter((file) => !targets.has(file))
      .map((file): BundlePart => ({
        name: `${name}: ${shortName(file)}`,
        kind: 'on demand',
        files: filesBeyond([file], loaded),
      }));
  });
  return [{ name: 'first page', kind: 'first page', files: [...first] }, ...singlePages, ...wholePanels, ...later];
}

/** Returns the chunks that a chunk and its imports load dynamically. */
function listDynamicImports(manifest: Manifest, name: string): string[] {
  const dynamicChunks = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const { imports = [], dynamicImports = [] } = getChunk(manifest, file);
    for (const later of dynamicImports) dynamicChunks.add(later);
    for (const imported of imports) visit(imported);
  };
  visit(name);
  return [...dynamicChunks];
}

function shortName(chunk: string): string {
  return /(?:node_modules\/((?:@[^/]+\/)?[^/]+)|([^/]+?)(?:\.\w+)?$)/.exec(chunk)?.slice(1).find(Boolean) ?? chunk;
}

export interface PartSize extends BundlePart {
  /** Uncompressed, in bytes. */
  readonly plain: number;
  /** Compressed with brotli, in bytes. */
  readonly wire: number;
}

/** Reads the manifest of the dashboard built into `folder`. @throws if there is no build */
export async function readManifest(folder: string): Promise<Manifest> {
  return withEntryNames(JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')));
}

/** Measures the dashboard built into `folder`. @throws if there is no build or a file is missing */
export async function measureParts(folder: string): Promise<PartSize[]> {
  const manifest = await readManifest(folder);
  const parts = listParts(manifest, listPanelChunks(manifest));
  const names = [...new Set(parts.flatMap(({ files }) => files))];
  const sizes = new Map(
    await Promise.all(
      names.map(async (name) => {
        const content = await readFile(join(folder, name));
        return [name, { plain: content.byteLength, wire: (await compressWithBrotli(content)).byteLength }] as const;
      }),
    ),
  );
  return parts.map((part) => {
    const sum = (kind: 'plain' | 'wire') => part.files.reduce((all, file) => all + (sizes.get(file)?.[kind] ?? 0), 0);
    return { ...part, plain: sum('plain'), wire: sum('wire') };
  });
}

/** The maximum size of a part over the wire, in bytes; `null` for a part without a limit. */
export function getLimit({ kind }: Pick<BundlePart, 'kind'>): number | null {
  return kind === 'first page' ? firstPageLimit : kind === 'page' ? panelLimit : null;
}

/** Formats the parts as a text table. */
export function sizeTable(parts: readonly PartSize[]): string {
  const rows = parts.map((part) => {
    const limit = getLimit(part);
    return [
      part.kind,
      part.name,
      kilobytes(part.wire),
      limit === null ? '' : kilobytes(limit),
      String(part.files.length),
    ];
  });
  const lines = [['part', 'name', 'KB over the wire', 'limit', 'files'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  return lines.map((cells) => line(cells).trimEnd()).join('\n');
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
