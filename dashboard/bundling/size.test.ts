import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repository } from './licences.ts';
import {
  collectFiles,
  firstPageFiles,
  getLimit,
  measureParts,
  listPanelChunks,
  listParts,
  readManifest,
  sizeTable,
  withEntryNames,
  type Manifest,
  type PartSize,
} from './size.ts';

const panelsFolder = join(repository, 'dashboard', 'panels');
/** Named like their rows in `app/panels.ts`, which needs a browser's globals. */
const panelFolders = readdirSync(panelsFolder).filter((name) => existsSync(join(panelsFolder, name, 'panel.ts')));
/** Overview is part of the first page. */
const laterPanels = panelFolders.filter((name) => name !== 'overview');

const buildFolder = join(repository, 'dist', 'dashboard');

const manifest = withEntryNames({
  '_start-1.js': {
    file: 'assets/start.js',
    name: 'start',
    isEntry: true,
    imports: ['_a.js'],
    dynamicImports: ['_page-1.js'],
  },
  '_page-1.js': {
    file: 'assets/main.js',
    name: 'page',
    imports: ['_start-1.js', '_b.js'],
    dynamicImports: ['app/Palette.vue', '_lab-1.js', '_page-1.js'],
    css: ['assets/main.css'],
    assets: ['assets/font.woff2'],
  },
  'app/Palette.vue': { file: 'assets/palette.js', imports: ['_a.js'] },
  '_lab-1.js': { file: 'assets/lab.js', name: 'lab', imports: ['_page-1.js', '_c.js'], assets: ['assets/worker.js'] },
  'panels/lab/Page.vue': { file: 'assets/page.js', imports: ['_c.js'], dynamicImports: ['editor.ts'] },
  'editor.ts': { file: 'assets/editor.js', imports: ['_b.js', '_c.js'] },
  '_a.js': { file: 'assets/a.js' },
  '_b.js': { file: 'assets/b.js', css: ['assets/b.css'] },
  '_c.js': { file: 'assets/c.js' },
});

describe('the first page', () => {
  it('consists of the entry, the app and Overview with all their imports', () => {
    expect(firstPageFiles(manifest).toSorted()).toEqual(
      [
        'assets/a.js',
        'assets/b.css',
        'assets/b.js',
        'assets/main.css',
        'assets/main.js',
        'assets/start.js',
        'index.html',
      ].toSorted(),
    );
  });

  it('can’t be listed when the build has no index.html', () => {
    expect(() => firstPageFiles({})).toThrow(/index\.html is not in the manifest/);
  });
});

describe('the panels of a build', () => {
  it('are found by their folders, the panel before its pages', () => {
    const chunk = { file: 'a.js', isDynamicEntry: true };
    const twoPages = {
      'panels/lab/about/AboutPage.vue': chunk,
      'panels/lab/LabPanel.vue': chunk,
      'panels/lab/Editor.vue': chunk,
      'panels/lab/parts/PartPage.vue': { file: 'a.js' },
    };
    expect(listPanelChunks(twoPages)).toEqual([
      {
        name: 'lab',
        pages: [
          { name: 'lab', chunk: 'panels/lab/LabPanel.vue' },
          { name: 'about', chunk: 'panels/lab/about/AboutPage.vue' },
        ],
      },
    ]);
  });
});

describe('the parts of a build', () => {
  const panel = { name: 'lab', chunk: 'panels/lab/LabPanel.vue' };
  const page = { name: 'page', chunk: 'panels/lab/Page.vue' };
  const parts = listParts(manifest, [{ name: 'lab', pages: [panel, page] }]);
  const filesOfPart = (kind: string, name: string) =>
    parts.find((part) => part.kind === kind && part.name === name)?.files;

  it.each([
    ['whole panel', 'lab', ['assets/lab.js', 'assets/c.js', 'assets/worker.js', 'assets/page.js']],
    ['page', 'lab', ['assets/lab.js', 'assets/c.js', 'assets/worker.js']],
    ['page', 'page', ['assets/page.js', 'assets/c.js']],
    ['on demand', 'page: editor', ['assets/editor.js']],
    ['on demand', 'first page: Palette', ['assets/palette.js']],
  ])('contain only the files that were not loaded before: %s %s', (kind, name, files) => {
    expect(filesOfPart(kind, name)?.toSorted()).toEqual(files.toSorted());
  });
});

/** `npm test` builds the dashboard first; a missing build fails the test. */
describe('the built dashboard', () => {
  let parts: PartSize[] = [];
  let builtManifest: Manifest = {};
  beforeAll(async () => {
    expect(
      existsSync(join(buildFolder, '.vite', 'manifest.json')),
      'build it: vite build -c dashboard/vite.config.ts',
    ).toBe(true);
    builtManifest = await readManifest(buildFolder);
    parts = await measureParts(buildFolder);
    console.log(sizeTable(parts));
  });

  it('keeps the first page and every page of the panels within their limits', () => {
    const limited = parts.filter((part) => getLimit(part) !== null);
    expect(limited.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['first page', ...laterPanels, 'node', 'workflow', 'submit']),
    );
    const partsOverLimit = limited.filter((part) => part.wire > (getLimit(part) ?? 0));
    expect(partsOverLimit.map(({ name, wire }) => `${name}: ${wire} bytes`)).toEqual([]);
  });

  it('has small boot files and loads the page separately, so that it can report a page that can’t be loaded', () => {
    const bootFiles = new Set(collectFiles(builtManifest, ['index.html']));
    const pageFiles = [...collectFiles(builtManifest, ['main.ts'])].filter((file) => !bootFiles.has(file));
    const largest = Math.max(...[...bootFiles].map((file) => statSync(join(buildFolder, file)).size));
    expect(largest).toBeLessThan(24 * 1024);
    expect(pageFiles.length).toBeGreaterThan(0);
  });

  it('loads the editor of definitions on demand', () => {
    const editor = parts.find(({ kind, name }) => kind === 'on demand' && name === 'submit: codeEditor');
    expect(editor?.wire).toBeGreaterThan(0);
  });
});
