import { expect, it } from 'vitest';
import { functionMembers, isProduction, lineCount, longByReason, reportText, mutualImports } from './report.mjs';

it.each([
  ['server/app.ts', true],
  ['dashboard/app/App.vue', true],
  ['build/bundle/icons.mjs', true],
  ['electron/pages/page.css', true],
  ['server/app.test.ts', false],
  ['server/fixtures/lab.ts', false],
  ['api/specs/node.json', false],
])('isProduction(%s) is %s', (path, expected) => {
  expect(isProduction(path)).toBe(expected);
});

it.each([
  ['', 0],
  ['one\n', 1],
  ['one\n\n// three\n', 3],
  ['one\nwithout an end of line', 2],
])('lineCount of %j is %i', (text, lines) => {
  expect(lineCount(text)).toBe(lines);
});

it('mutualImports finds folders that import each other through different files', () => {
  const pairs = mutualImports([
    { from: 'server/a/one.ts', to: 'server/b/two.ts' },
    { from: 'server/b/three.ts', to: 'server/a/four.ts' },
    { from: 'server/c/five.ts', to: 'server/a/one.ts' },
  ]);
  expect(pairs).toEqual(['server/a ⇄ server/b']);
});

it('mutualImports counts a folder and its subfolder as a pair', () => {
  const pairs = mutualImports([
    { from: 'demo/lab/one.ts', to: 'demo/lab/parts/two.ts' },
    { from: 'demo/lab/parts/two.ts', to: 'demo/lab/three.ts' },
  ]);
  expect(pairs).toEqual(['demo/lab ⇄ demo/lab/parts']);
});

it('mutualImports ignores imports within a folder and between top-level folders', () => {
  const pairs = mutualImports([
    { from: 'server/a/one.ts', to: 'server/a/two.ts' },
    { from: 'server/a/two.ts', to: 'server/a/one.ts' },
    { from: 'electron/a/one.ts', to: 'server/a/two.ts' },
    { from: 'server/a/two.ts', to: 'electron/a/one.ts' },
  ]);
  expect(pairs).toEqual([]);
});

it('longByReason counts the long functions that are allowed with a reason', () => {
  const allowed = '// oxlint-disable-next-line max-lines-per-function -- a table\nexport function columns() {}\n';
  expect(longByReason([allowed, `const a = 1;\n\n${allowed}`, 'function short() {}\n'])).toBe(2);
});

it('reportText aligns the values', () => {
  const text = reportText([
    { name: 'lines', value: '12' },
    { name: 'long functions', value: '3' },
  ]);
  expect(text).toBe('lines           12\nlong functions  3\n');
});

it('functionMembers counts methods and function-typed properties of interfaces only', () => {
  const text = `
    export interface Options { readonly log: Log; readonly read: () => string; onChange?(): void; late?: (() => void) | null }
    type Alias = { readonly run: () => void };
    export class Reader { read(): void {} }`;
  expect(functionMembers(text)).toBe(3);
});
