import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './licences.ts';
import { firstPageFiles, firstPageLimit, measureFirstPage } from './size.ts';

const built = join(repository, 'resources', 'dashboard');

describe('the first page', () => {
  it('is the entry, the app and Overview with all they import', () => {
    const files = firstPageFiles({
      'index.html': { file: 'assets/boot.js', isEntry: true, imports: ['_a.js'], dynamicImports: ['main.ts'] },
      'main.ts': { file: 'assets/main.js', imports: ['_a.js', '_b.js'], css: ['assets/main.css'] },
      'panels/overview/OverviewPanel.vue': { file: 'assets/overview.js', imports: ['_b.js'] },
      'panels/lab/LabPanel.vue': { file: 'assets/lab.js' },
      '_a.js': { file: 'assets/a.js' },
      '_b.js': { file: 'assets/b.js', css: ['assets/b.css'] },
    });
    expect(files.toSorted()).toEqual(
      [
        'assets/a.js',
        'assets/b.css',
        'assets/b.js',
        'assets/boot.js',
        'assets/main.css',
        'assets/main.js',
        'assets/overview.js',
        'index.html',
      ].toSorted(),
    );
  });

  it('says which part of a build is missing', () => {
    expect(() => firstPageFiles({})).toThrow(/index\.html is not in the manifest/);
  });

  it.skipIf(!existsSync(join(built, '.vite', 'manifest.json')))('stays below its limit', async () => {
    const { wire } = await measureFirstPage(built);
    expect(wire).toBeLessThanOrEqual(firstPageLimit);
  });
});
