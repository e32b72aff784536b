import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSbom } from './sbom.mjs';

let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'sbom-'))));
afterEach(() => rmSync(root, { recursive: true }));

const runtime = { name: 'electron', version: '45.4.1', licence: 'MIT' };
const vue = { name: 'vue', version: '3.5.45', licence: 'MIT' };

/** Returns the bill of materials of a product with these packages. */
function createSbom(
  program: readonly object[],
  dashboard: readonly object[],
  packages: object = {},
  system: Parameters<typeof writeSbom>[3] = [],
) {
  mkdirSync(join(root, 'dist', 'dashboard'), { recursive: true });
  const write = (name: string, content: unknown) => writeFileSync(join(root, name), JSON.stringify(content));
  write('package.json', { version: '1.2.3' });
  write('package-lock.json', { packages });
  write('dist/licences.json', program);
  write('dist/dashboard/licences.json', dashboard);
  writeSbom(root, runtime, join(root, 'sbom.json'), system);
  return JSON.parse(readFileSync(join(root, 'sbom.json'), 'utf8')) as {
    components: { purl: string; properties: { value: string }[] }[];
    dependencies: object[];
  };
}

test('the bill of materials has the packages of the program, of the dashboard and the runtime', () => {
  const express = { name: 'express', version: '5.3.0', licence: 'MIT' };
  const { components, dependencies } = createSbom([express, vue], [vue]);
  const parts = components.map(({ purl, properties }) => [purl, properties.map(({ value }) => value)]);
  expect(parts).toEqual([
    ['pkg:npm/electron@45.4.1', ['runtime']],
    ['pkg:npm/express@5.3.0', ['program']],
    ['pkg:npm/vue@3.5.45', ['program', 'dashboard']],
  ]);
  expect(dependencies).toEqual([{ ref: 'pkg:npm/lab-manager@1.2.3', dependsOn: components.map(({ purl }) => purl) }]);
});

test('a package has its group, its licence and its hash from the lock file', () => {
  const entry = { name: '@codemirror/view', version: '6.43.15', licence: '(MIT OR Apache-2.0)' };
  const locked = { version: '6.43.15', integrity: `sha512-${Buffer.from('archive').toString('base64')}` };
  const otherVersion = { version: '6.0.0', integrity: 'sha512-AAAA' };
  const { components } = createSbom([], [entry], {
    'node_modules/@codemirror/view': otherVersion,
    'node_modules/x/node_modules/@codemirror/view': locked,
  });
  expect(components[0]).toEqual({
    type: 'library',
    'bom-ref': 'pkg:npm/%40codemirror/view@6.43.15',
    group: '@codemirror',
    name: 'view',
    version: '6.43.15',
    hashes: [{ alg: 'SHA-512', content: Buffer.from('archive').toString('hex') }],
    licenses: [{ expression: '(MIT OR Apache-2.0)' }],
    purl: 'pkg:npm/%40codemirror/view@6.43.15',
    properties: [{ name: 'lab-manager:part', value: 'dashboard' }],
  });
});

test('packages of the system have the identifiers of their own registries', () => {
  const purl = 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64';
  const cpe = 'cpe:2.3:a:gnu:glibc:2.36:*:*:*:*:*:*:*';
  const { components, dependencies } = createSbom([], [], {}, [
    { name: 'libc6', version: '2.36-9+deb12u13', licence: '', purl, cpe },
  ]);
  expect(components[0]).toEqual({
    type: 'library',
    'bom-ref': purl,
    name: 'libc6',
    version: '2.36-9+deb12u13',
    purl,
    cpe,
    properties: [{ name: 'lab-manager:part', value: 'system' }],
  });
  expect(dependencies).toEqual([
    { ref: 'pkg:npm/lab-manager@1.2.3', dependsOn: components.map((component) => component.purl) },
  ]);
});
