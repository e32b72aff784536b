import { describe, expect, it } from 'vitest';
import { collectImports, assignSharedFiles, type ModuleFacts } from './sharedFiles.ts';

const root = '/r/dashboard';
const panelNames = ['data', 'events', 'resources', 'locations', 'lab', 'overview'];
const page = (name: string): string =>
  `${root}/panels/${name}/${name.charAt(0).toUpperCase()}${name.slice(1)}Panel.vue`;
const components = (...names: string[]): string[] => names.map((name) => `${root}/components/${name}.ts`);

const facts: Record<string, ModuleFacts> = Object.fromEntries(
  Object.entries({
    [`${root}/boot.ts`]: [`${root}/base/themeChoice.ts`, '\0runtime'],
    [`${root}/main.ts`]: [`${root}/app/panels.ts`, `${root}/base/themeChoice.ts`, '\0runtime'],
    [`${root}/app/panels.ts`]: panelNames.map((name) => `${root}/panels/${name}/panel.ts`),
    [page('overview')]: components('first'),
    [`${root}/app/theme/ThemeList.vue`]: components('menu'),
    [page('data')]: components('table', 'menu', 'pair', 'header', 'first', 'yamlText'),
    [page('events')]: components('table', 'menu', 'pair', 'header', 'yamlText'),
    [page('resources')]: components('table', 'header', 'own'),
    [page('locations')]: components('table', 'header'),
    [page('lab')]: components('header'),
    [`${root}/components/yamlText.ts`]: ['/r/node_modules/yaml/index.js'],
    // These two modules import each other.
    [`${root}/components/own.ts`]: components('cycle'),
    [`${root}/components/cycle.ts`]: components('own', 'pair'),
    [`${root}/panels/resources/Import.vue`]: components('later'),
  }).map(([id, importedIds]) => [id, { importedIds, dynamicallyImportedIds: [] }]),
);
for (const name of panelNames) {
  const pages = [page(name), `${root}/panels/${name}/Import.vue`];
  facts[`${root}/panels/${name}/panel.ts`] = { importedIds: [], dynamicallyImportedIds: pages };
}
const files = assignSharedFiles('/r', (id) => facts[id] ?? null);

describe('assignSharedFiles', () => {
  it.each([
    ['imports of the boot script', `${root}/base/themeChoice.ts`, 'start'],
    ['the boot script', `${root}/boot.ts`, 'start'],
    ['the bundler’s runtime', '\0runtime', 'start'],
    ['the app', `${root}/main.ts`, 'page'],
    ['imports of Overview, also when others import them', `${root}/components/first.ts`, 'page'],
    ['imports of several panels, one of them without a table', `${root}/components/header.ts`, 'common'],
    ['imports of several panels with tables', `${root}/components/table.ts`, 'shared'],
    ['imports of panels with tables and an overlay', `${root}/components/menu.ts`, 'overlays'],
    ['imports of two panels', `${root}/components/pair.ts`, 'shared'],
    ['a panel', page('resources'), 'resources'],
    ['imports of one panel', `${root}/components/cycle.ts`, 'resources'],
    ['imports that need a parser', `${root}/components/yamlText.ts`, 'yaml'],
    ['imports of only a page below a panel', `${root}/components/later.ts`, undefined],
  ])('assigns %s to the file $2', (_case, id, name) => {
    expect(files.get(id)?.name).toBe(name);
  });
});

describe('collectImports', () => {
  it('follows imports that form a cycle', () => {
    expect([...collectImports([page('resources')], (id) => facts[id] ?? null)]).toEqual(
      expect.arrayContaining(components('own', 'cycle', 'pair')),
    );
  });
});
