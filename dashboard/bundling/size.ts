/** Measures what a browser fetches for a page of the built dashboard: entry page, scripts, styles; without the font. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliBest } from './compressed.ts';

/** Over the wire, brotli, in bytes (KB = 1024 bytes). */
const firstPageLimit = 134 * 1024;
/**
 * What a panel, or a page of it, loads beyond the first page, over the wire, in bytes. What several share, such as tables and
 * forms, is in a few files that a page loads whole (`sharedFiles.ts`), and counts for each page.
 */
const panelLimit = 195 * 1024;

/** One chunk in Vite's manifest. */
interface ManifestChunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  /** Loaded by an `import()` somewhere. */
  readonly isDynamicEntry?: boolean;
  readonly css?: readonly string[];
  /** Fonts, and the scripts of workers. */
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

/** Loaded one after the other until Overview is drawn: the boot script, and the app with the panel. */
const loadedFirst = ['index.html', 'main.ts'] as const;

/** The built files that chunks need by themselves, without what they load on demand. */
export function collectFiles(manifest: Manifest, chunks: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const { file, css = [], assets = [], imports = [] } = column(manifest, name);
    // A worker begins with its panel.
    for (const partPath of [file, ...css, ...assets.filter((asset) => asset.endsWith('.js'))]) files.add(partPath);
    for (const imported of imports) add(imported);
  };
  for (const chunk of chunks) add(chunk);
  return files;
}

/**
 * A built manifest in which the files of `sharedFiles.ts` have the name of the module that a page begins with, as all others do:
 * Vite lists them by the names of their files.
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
      const { name = '' } = column(manifest, key);
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

function column(manifest: Manifest, name: string): ManifestChunk {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`${name} is not in the manifest of the built dashboard`);
  return chunk;
}

/** The built files that the first page needs, by the manifest: `loadedFirst` and what they import. */
export function firstPageFiles(manifest: Manifest): string[] {
  return ['index.html', ...collectFiles(manifest, loadedFirst)];
}

export interface BundlePart {
  readonly name: string;
  /** All that is needed to begin with, a panel or one of its pages, all pages of a panel, what a page loads when needed. */
  readonly kind: 'first page' | 'page' | 'whole panel' | 'on demand';
  readonly files: readonly string[];
}

/** A panel is loaded from `panels/NAME/NamePanel.vue`, a page of it from a `…Page.vue` anywhere in its folder. */
const pageChunk = /^panels\/(\w+)\/(?:\w+\/)*(\w+?)(Panel|Page)\.vue$/;

/** The panels with their pages, by the manifest. */
export function getChunk(manifest: Manifest): PanelChunks[] {
  const panelChunks = Object.entries(manifest).flatMap(([chunk, { isDynamicEntry }]) => {
    const [, panel = '', name = '', kind] = (isDynamicEntry ? pageChunk.exec(chunk) : null) ?? [];
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
 * The parts of a build: the first page, each page by itself, each panel that has several with all of them, and what is
 * loaded on demand. Each has the files that were not there before it: a page's beyond the first page, what is loaded on
 * demand beyond that and its page.
 */
export function listParts(manifest: Manifest, panels: readonly PanelChunks[]): BundlePart[] {
  const first = new Set(firstPageFiles(manifest));
  const beyond = (chunks: readonly string[], loaded: ReadonlySet<string>): string[] =>
    [...collectFiles(manifest, chunks)].filter((file) => !loaded.has(file));
  const pages = panels.flatMap((panel) => panel.pages);
  const single = pages.map(({ name, chunk }): BundlePart => ({ name, kind: 'page', files: beyond([chunk], first) }));
  const wholePanels = panels
    .filter((panel) => panel.pages.length > 1)
    .map((panel): BundlePart => {
      const chunks = panel.pages.map(({ chunk }) => chunk);
      return { name: panel.name, kind: 'whole panel', files: beyond(chunks, first) };
    });
  const callers: readonly PageChunk[] = [{ name: 'first page', chunk: 'main.ts' }, ...pages];
  const targets = new Set(pages.map(({ chunk }) => chunk));
  const later = callers.flatMap(({ name, chunk }) => {
    const loaded = new Set([...first, ...collectFiles(manifest, [chunk])]);
    return loadedLater(manifest, chunk)
      .filter((file) => !targets.has(file))
      .map((file): BundlePart => ({
        name: `${name}: ${shortName(file)}`,
        kind: 'on demand',
        files: beyond([file], loaded),
      }));
  });
  return [{ name: 'first page', kind: 'first page', files: [...first] }, ...single, ...wholePanels, ...later];
}

/** What a chunk and all it imports load by dynamic imports of their own. */
function loadedLater(manifest: Manifest, name: string): string[] {
  const dynamicChunks = new Set<string>();
  const seen = new Set<string>();
  const look = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const { imports = [], dynamicImports = [] } = column(manifest, file);
    for (const later of dynamicImports) dynamicChunks.add(later);
    for (const imported of imports) look(imported);
  };
  look(name);
  return [...dynamicChunks];
}

function shortName(chunk: string): string {
  return /(?:node_modules\/((?:@[^/]+\/)?[^/]+)|([^/]+?)(?:\.\w+)?$)/.exec(chunk)?.slice(1).find(Boolean) ?? chunk;
}

export interface PartSize extends BundlePart {
  /** As it lies on the disk, in bytes. */
  readonly plain: number;
  /** Brotli, in bytes. */
  readonly wire: number;
}

/** The manifest of the dashboard built into `folder`. @throws when it is not built */
export async function readManifest(folder: string): Promise<Manifest> {
  return withEntryNames(JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')));
}

/** Sizes of the dashboard built into `folder`. @throws when it isn't built, or a part isn't in it. */
export async function measureParts(folder: string): Promise<PartSize[]> {
  const manifest = await readManifest(folder);
  const parts = listParts(manifest, getChunk(manifest));
  const names = [...new Set(parts.flatMap(({ files }) => files))];
  const sizes = new Map(
    await Promise.all(
      names.map(async (name) => {
        const content = await readFile(join(folder, name));
        return [name, { plain: content.byteLength, wire: (await brotliBest(content)).byteLength }] as const;
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

/** The parts as a table of text. */
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
  const lines = [['part', 'of', 'KB over the wire', 'limit', 'files'], ...rows];
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
