import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { afterEach, expect, it } from 'vitest';
import { layers, sourceFolders } from './layers.mjs';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Returns the names of the rules that each file breaks. @param files contents by path */
async function rulesBrokenBy(files: Readonly<Record<string, string>>): Promise<Map<string, string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'lab-manager-layers-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { tsConfig: _none, ...options } = layers.options ?? {};
  const { output } = await cruise(
    Object.keys(files),
    { ...options, baseDir: folder, ruleSet: { forbidden: layers.forbidden ?? [] }, validate: true },
    {},
  );
  if (typeof output === 'string') throw new Error(output);
  const broken = new Map<string, string[]>();
  for (const { from, rule } of output.summary.violations)
    broken.set(from, [...new Set([...(broken.get(from) ?? []), rule.name])].toSorted());
  return broken;
}

/** Returns the names of the rules that the files break. */
async function brokenRules(files: Readonly<Record<string, string>>): Promise<string[]> {
  return [...new Set([...(await rulesBrokenBy(files)).values()].flat())].toSorted();
}

const value = 'export interface Shape { readonly side: number }\nexport const one = 1;\n';
const uses = (from: string) => `import { one } from '${from}';\nexport const two = one + 1;\n`;
const usesType = (from: string) => `import type { Shape } from '${from}';\nexport const shape: Shape = { side: 1 };\n`;
const page = (from: string) =>
  `<script setup lang="ts">\nimport { one } from '${from}';\n</script>\n<template>{{ one }}</template>\n`;

it('a layer may import the layers below it', async () => {
  const files = {
    'api/states.ts': value,
    'dashboard/base/time.ts': uses('../../api/states.ts'),
    'dashboard/panels/lab/Panel.vue': page('../../base/time.ts'),
    'dashboard/base/time.test.ts': uses('./time.ts'),
    'server/app.ts': uses('../api/states.ts'),
    'electron/main.ts': uses('../server/app.ts'),
    'electron/pages/Page.vue': page('../../dashboard/base/time.ts'),
  };
  expect(await brokenRules(files)).toEqual([]);
});

const forbiddenImports = [
  ['dashboard/base/a.ts', 'dashboard/components/b.ts', 'dashboard/base imports no layer above it'],
  ['dashboard/components/a.ts', 'dashboard/managers/b.ts', 'dashboard/components imports no layer above it'],
  ['dashboard/managers/a.ts', 'dashboard/panels/x/b.ts', 'dashboard/managers imports no layer above it'],
  ['dashboard/panels/x/a.ts', 'dashboard/app/b.ts', 'dashboard/panels imports no layer above it'],
  ['dashboard/panels/x/a.ts', 'dashboard/panels/y/b.ts', 'a panel imports no other panel'],
  ['server/net/a.ts', 'server/settings/schema/b.ts', 'server/net imports no layer above it'],
  ['server/settings/schema/a.ts', 'server/settings/edit/b.ts', 'server/settings/schema imports no layer above it'],
  ['server/diagnostics/checks/a.ts', 'server/diagnostics/b.ts', 'server/diagnostics/checks imports no layer above it'],
  ['server/routes/a.ts', 'server/b.ts', 'server/routes imports no layer above it'],
  ['server/b.ts', 'server/lifecycle/a.ts', 'server/. imports no layer above it'],
  ['server/unlisted/a.ts', 'server/net/b.ts', 'every folder of server is one of its layers'],
  ['dashboard/base/a.ts', 'server/b.ts', 'dashboard imports only itself, api'],
  ['demo/a.ts', 'server/b.ts', 'demo imports only itself, api'],
  ['api/a.ts', 'server/b.ts', 'api imports only itself'],
  ['server/a.ts', 'electron/b.ts', 'server imports only itself, api'],
  ['electron/a.ts', 'dashboard/base/b.ts', 'electron imports only itself, server, api'],
  [
    'electron/pages/a.ts',
    'dashboard/managers/b.ts',
    'electron/pages imports only base and components of the dashboard',
  ],
] as const;

/** The files of one row: an import, a type import and, in the dashboard, an import by a component. */
function importers([from, to]: (typeof forbiddenImports)[number], row: number): Record<string, string> {
  const target = to.replace('.ts', `${row}.ts`);
  const path = `${'../'.repeat(from.split('/').length - 1)}${target}`;
  return {
    [target]: value,
    [from.replace('.ts', `${row}.ts`)]: uses(path),
    [from.replace('.ts', `Type${row}.ts`)]: usesType(path),
    ...(from.startsWith('dashboard/') ? { [from.replace('.ts', `Page${row}.vue`)]: page(path) } : {}),
  };
}

it('the rules reject an import from a layer above, from another panel and between top-level folders', async () => {
  const broken = await rulesBrokenBy(Object.assign({}, ...forbiddenImports.map(importers)));
  const expected = forbiddenImports.flatMap((row, index) =>
    Object.keys(importers(row, index))
      .slice(1)
      .map((file) => [file, [row[2]]] as const),
  );
  expect(broken).toEqual(new Map(expected));
});

it('the rules reject two folders that import each other', async () => {
  expect(
    await brokenRules({
      'server/health/probe.ts': value,
      'server/attached/follow.ts': uses('../health/probe.ts'),
      'server/attached/foreign.ts': value,
      'server/health/watch.ts': uses('../attached/foreign.ts'),
    }),
  ).toEqual(['server/health imports no layer above it']);
});

it('a test may import a layer above the file that it tests', async () => {
  expect(
    await brokenRules({
      'server/labManager.ts': value,
      'server/diagnostics/check.ts': uses('./checks/all.ts'),
      'server/diagnostics/checks/all.ts': value,
      'server/health/probe.test.ts': uses('../labManager.ts'),
    }),
  ).toEqual([]);
});

it('the rules reject import cycles, including cycles of type imports', async () => {
  expect(
    await brokenRules({
      'api/a.ts': `${usesType('./b.ts')}export const one = 1;\n`,
      'api/b.ts': `${uses('./a.ts')}${value.replace('export const one = 1;\n', '')}`,
    }),
  ).toEqual(['no import cycles']);
});

it('no source file imports by a relative path from more than two folders up', () => {
  const files = sourceFolders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const deep = files
    .filter((file) => /\.(ts|mjs|vue)$/.test(file))
    .filter((file) => /(from|import\() ?'(\.\.\/){3}/.test(readFileSync(file, 'utf8')));
  expect(deep).toEqual([]);
});
