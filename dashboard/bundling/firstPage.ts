/**
 * Which modules come in one file with the first page. Left alone, the bundler makes a file of every set of modules that
 * other pages share: fifty of them for Overview, each with a request's headers and a dictionary of its own.
 */

/** What is loaded one after the other until Overview is drawn, without the boot script: it must be there when the rest isn't. */
const parts = ['/dashboard/main.ts', '/dashboard/panels/overview/OverviewPanel.vue'] as const;
const boot = '/dashboard/boot.ts';

/** What the bundler knows of a module. */
export interface ModuleFacts {
  readonly importedIds: readonly string[];
}
export type FactsOf = (id: string) => ModuleFacts | null;

/** All that `entries` import, and what that imports; what is loaded on demand isn't. */
export function reachedFrom(entries: readonly string[], factsOf: FactsOf): Set<string> {
  const reached = new Set<string>();
  const left = [...entries];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    left.push(...(factsOf(id)?.importedIds ?? []));
  }
  return reached;
}

/**
 * The file of each module that comes with the first page: `start`, what the boot script needs, and `page`, all the rest.
 * `root`: the folder that holds `dashboard/`, with slashes.
 */
export function firstPageFilesOf(root: string, factsOf: FactsOf): ReadonlyMap<string, 'start' | 'page'> {
  const page = reachedFrom(
    parts.map((part) => root + part),
    factsOf,
  );
  const before = reachedFrom([root + boot], factsOf);
  before.delete(root + boot);
  return new Map([
    ...[...page].map((id) => [id, isOfBundler(id) ? 'start' : 'page'] as const),
    ...[...before].map((id) => [id, 'start'] as const),
  ]);
}

/** What the bundler adds itself, the boot script needs as well: its ids begin with a zero. */
export function isOfBundler(id: string): boolean {
  return id.startsWith('\0');
}
