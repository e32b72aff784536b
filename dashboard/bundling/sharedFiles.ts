/**
 * Assigns modules to shared files. By default, the bundler writes a file for every set of pages that share modules: a hundred
 * files for a panel, each of which costs a request and is compressed separately.
 *
 * Modules are grouped by the panels whose pages load them. If one module imports another, every page that loads the first loads
 * the second too, so the imports between the files point one way: the files are listed from the ground up.
 */

/** Loaded one after the other until Overview is drawn. The boot script is excluded, because it must work without the other files. */
const firstPage = ['/dashboard/main.ts', '/dashboard/panels/overview/OverviewPanel.vue'];
const bootScript = '/dashboard/boot.ts';
const panelTable = '/dashboard/app/panels.ts';

/** Opened on demand on every page. */
const overlays = ['/dashboard/app/palette/CommandPalette.vue', '/dashboard/app/theme/ThemeList.vue'];

/**
 * The files from the ground up; the imports of each are in itself and in those before it. `start`: what the boot script imports;
 * `page`: the rest of the first page; `common`: what the panels without tables and others load; `overlays`: what those and the
 * frame's own overlays load; `shared`: the rest of what pages of several panels load, without what needs the parsers of JSON and
 * YAML, which are as large; `panel`: one panel, a file for each.
 */
export const fileKinds = ['start', 'page', 'common', 'overlays', 'shared', 'json', 'yaml', 'panel'] as const;
type FileKind = (typeof fileKinds)[number];
export interface SharedFile {
  readonly kind: FileKind;
  readonly name: string;
}

/** Panels without tables and forms, which are most of what the others share. */
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

/** The file of each module that is in one of these. `root`: the folder that contains `dashboard/`, with slashes. */
export function assignSharedFiles(root: string, getFacts: GetModuleFacts): ReadonlyMap<string, SharedFile> {
  const files = new Map<string, SharedFile>();
  const add = (id: string, kind: FileKind, name: string = kind): unknown => files.set(id, { kind, name });
  const panels = listPanels(root, getFacts);
  const pages = panels.flatMap((panel) => panel.pages);
  const loadedBy = (id: string, which: (panel: PanelModules) => ReadonlySet<string>): string[] =>
    panels.filter((panel) => which(panel).has(id)).map(({ name }) => name);
  const inOverlays = collectImports(
    overlays.map((path) => root + path),
    getFacts,
  );
  for (const id of collectImports(pages, getFacts)) {
    const loaders = loadedBy(id, ({ atFirst }) => atFirst);
    const [first = ''] = loaders;
    if (first === '') continue;
    if (loadedBy(id, ({ everywhere }) => everywhere).length === 1) add(id, 'panel', first);
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
  readonly atFirst: ReadonlySet<string>;
  /** Loaded by that page or one below it. */
  readonly everywhere: ReadonlySet<string>;
}

function listPanels(root: string, getFacts: GetModuleFacts): PanelModules[] {
  return (getFacts(root + panelTable)?.importedIds ?? []).flatMap((table) => {
    const name = /\/panels\/(\w+)\/panel\.ts$/.exec(table)?.[1];
    if (name === undefined) return [];
    const pages = (getFacts(table)?.dynamicallyImportedIds ?? []).filter((id) => /(?:Panel|Page)\.vue$/.test(id));
    const panelPages = pages.filter((id) => id.endsWith('Panel.vue'));
    return [
      { name, pages, atFirst: collectImports(panelPages, getFacts), everywhere: collectImports(pages, getFacts) },
    ];
  });
}

/** The parser that a module is or needs; YAML's if it needs both. */
function findParser(id: string, getFacts: GetModuleFacts): 'yaml' | 'json' | undefined {
  const reached = [...collectImports([id], getFacts)];
  return parsers.find(([, folder]) => reached.some((modulePath) => modulePath.includes(folder)))?.[0];
}

/** Modules that the bundler adds have ids that begin with a zero character. The boot script needs them too. */
export function isBundlerModule(id: string): boolean {
  return id.startsWith('\0');
}
