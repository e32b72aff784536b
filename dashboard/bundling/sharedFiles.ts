/**
 * Assigns modules to shared files, by the panels whose pages load them. By default, the bundler writes a file for every set
 * of pages that share modules: a hundred files for a panel, each of which is a request and is compressed separately.
 */

/** Loaded one after the other until Overview is drawn. The boot script is excluded, because it must work without the other files. */
const firstPage = ['/dashboard/main.ts', '/dashboard/panels/overview/OverviewPanel.vue'];
const bootScript = '/dashboard/boot.ts';
const panelTable = '/dashboard/app/panels.ts';

/** Opened on demand on every page. */
const overlays = ['/dashboard/app/palette/CommandPalette.vue', '/dashboard/app/theme/ThemeList.vue'];

/**
 * The kinds of files. A file imports only files of its own kind or of the kinds before it:
 * - `start`: the boot script and its imports
 * - `page`: the rest of the first page
 * - `common`: modules that panels without tables load
 * - `overlays`: other modules that the overlays of the frame load
 * - `shared`: other modules that several panels load
 * - `json`, `yaml`: modules of several panels that need this parser, which is as large as `shared`
 * - `panel`: modules that only one panel loads, one file per panel
 */
export const fileKinds = ['start', 'page', 'common', 'overlays', 'shared', 'json', 'yaml', 'panel'] as const;
type FileKind = (typeof fileKinds)[number];
export interface SharedFile {
  readonly kind: FileKind;
  readonly name: string;
}

/** Panels without tables and forms. Tables and forms are most of the code that the other panels share. */
const panelsWithoutTables = ['lab', 'timeline'];
const parsers = [
  ['yaml', '/node_modules/yaml/'],
  ['json', '/node_modules/@humanwhocodes/momoa/'],
] as const;

/** The bundler's information about a module. */
export interface ModuleFacts {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}
export type GetModuleFacts = (id: string) => ModuleFacts | null;

/** Returns `entries` and all modules that they import, directly or indirectly, without dynamic imports. */
export function collectImports(entries: readonly string[], getFacts: GetModuleFacts): Set<string> {
  const reached = new Set<string>();
  const pending = [...entries];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    pending.push(...(getFacts(id)?.importedIds ?? []));
  }
  return reached;
}

/**
 * @param root the folder that contains `dashboard/`, with forward slashes
 * @returns the shared file of each module; modules that are absent stay with their pages
 */
export function assignSharedFiles(root: string, getFacts: GetModuleFacts): ReadonlyMap<string, SharedFile> {
  const files = new Map<string, SharedFile>();
  const add = (id: string, kind: FileKind, name: string = kind): unknown => files.set(id, { kind, name });
  const panels = listPanels(root, getFacts);
  const pages = panels.flatMap((panel) => panel.pages);
  const findPanelsLoading = (id: string, getModules: (panel: PanelModules) => ReadonlySet<string>): string[] =>
    panels.filter((panel) => getModules(panel).has(id)).map(({ name }) => name);
  const inOverlays = collectImports(
    overlays.map((path) => root + path),
    getFacts,
  );
  for (const id of collectImports(pages, getFacts)) {
    const loaders = findPanelsLoading(id, ({ panelModules }) => panelModules);
    const [first = ''] = loaders;
    if (first === '') continue;
    if (findPanelsLoading(id, ({ allModules }) => allModules).length === 1) add(id, 'panel', first);
    else if (panelsWithoutTables.some((panel) => loaders.includes(panel))) add(id, 'common');
    else if (inOverlays.has(id)) add(id, 'overlays');
    else add(id, findParser(id, getFacts) ?? 'shared');
  }
  const firstModules = firstPage.map((path) => root + path);
  for (const id of collectImports(firstModules, getFacts)) add(id, isBundlerModule(id) ? 'start' : 'page');
  for (const id of collectImports([root + bootScript], getFacts)) add(id, 'start');
  return files;
}

interface PanelModules {
  readonly name: string;
  readonly pages: readonly string[];
  /** Loaded by the panel's own page. */
  readonly panelModules: ReadonlySet<string>;
  /** Loaded by that page or one below it. */
  readonly allModules: ReadonlySet<string>;
}

function listPanels(root: string, getFacts: GetModuleFacts): PanelModules[] {
  return (getFacts(root + panelTable)?.importedIds ?? []).flatMap((table) => {
    const name = /\/panels\/(\w+)\/panel\.ts$/.exec(table)?.[1];
    if (name === undefined) return [];
    const pages = (getFacts(table)?.dynamicallyImportedIds ?? []).filter((id) => /(?:Panel|Page)\.vue$/.test(id));
    const panelPages = pages.filter((id) => id.endsWith('Panel.vue'));
    return [
      { name, pages, panelModules: collectImports(panelPages, getFacts), allModules: collectImports(pages, getFacts) },
    ];
  });
}

/** Returns the parser that a module is or imports; YAML's if it imports both. */
function findParser(id: string, getFacts: GetModuleFacts): 'yaml' | 'json' | undefined {
  const reached = [...collectImports([id], getFacts)];
  return parsers.find(([, folder]) => reached.some((modulePath) => modulePath.includes(folder)))?.[0];
}

/** Returns whether the bundler added the module: its ID begins with a NUL character. */
export function isBundlerModule(id: string): boolean {
  return id.startsWith('\0');
}
