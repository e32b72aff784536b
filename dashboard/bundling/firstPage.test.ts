import { describe, expect, it } from 'vitest';
import { firstPageFilesOf, reachedFrom } from './firstPage.ts';

const root = '/r';
const imports: Readonly<Record<string, readonly string[]>> = {
  '/r/dashboard/boot.ts': ['/r/dashboard/base/themeChoice.ts', '\0runtime'],
  '/r/dashboard/main.ts': ['/r/dashboard/app/App.vue', '/r/dashboard/base/themeChoice.ts', '\0runtime'],
  '/r/dashboard/app/App.vue': ['/r/node_modules/vue/index.js'],
  '/r/dashboard/panels/overview/OverviewPanel.vue': ['/r/dashboard/components/a.ts', '/r/node_modules/vue/index.js'],
  // Two that import each other.
  '/r/dashboard/components/a.ts': ['/r/dashboard/components/b.ts'],
  '/r/dashboard/components/b.ts': ['/r/dashboard/components/a.ts'],
  '/r/dashboard/panels/lab/LabPanel.vue': ['/r/dashboard/components/c.ts'],
};
const factsOf = (id: string) => (imports[id] === undefined ? null : { importedIds: imports[id] });

describe('the modules of the first page', () => {
  it('are those of the app and Overview, without those of other panels', () => {
    expect(Object.fromEntries(firstPageFilesOf(root, factsOf))).toEqual({
      '/r/dashboard/app/App.vue': 'page',
      '/r/dashboard/components/a.ts': 'page',
      '/r/dashboard/components/b.ts': 'page',
      '/r/dashboard/main.ts': 'page',
      '/r/dashboard/panels/overview/OverviewPanel.vue': 'page',
      '/r/node_modules/vue/index.js': 'page',
      // The boot script works when the page can't be loaded.
      '/r/dashboard/base/themeChoice.ts': 'start',
      '\0runtime': 'start',
    });
  });

  it('are followed to the last, round circles too', () => {
    expect(reachedFrom(['/r/dashboard/components/b.ts'], factsOf)).toEqual(
      new Set(['/r/dashboard/components/b.ts', '/r/dashboard/components/a.ts']),
    );
  });
});
