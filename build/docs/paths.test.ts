import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const topLevelFolders = 'api|bench|build|dashboard|demo|docs|e2e|electron|resources|server';
/** A path in a top-level folder, or the end of the path of a source file. */
const namedPath = new RegExp(String.raw`^(?:(?:${topLevelFolders})/[\w./-]+|[\w./-]+\.(?:ts|vue|mjs))$`);
const link = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

const files = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !/^(?:\.git|node_modules|dist|out)$/.test(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true }).map((file) => `${entry.name}/${String(file)}`)
      : [entry.name],
  )
  .map((file) => file.replaceAll('\\', '/'));
const documents = files.filter((file) => file.endsWith('.md'));
const fileExists = (path: string): boolean =>
  existsSync(join(root, path)) || files.some((file) => `/${file}`.endsWith(`/${path}`));

it.each(documents)('%s refers and links only to existing files', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => (namedPath.test(code) ? [code] : []));
  const linked = [...text.matchAll(link)].map(([, target = '']) => join(dirname(document), target));
  expect([...named, ...linked].filter((path) => !fileExists(path))).toEqual([]);
});

it('every decision is in the index and has a status with its date', () => {
  const index = readFileSync(join(root, 'docs/adr/README.md'), 'utf8');
  const decisions = files.flatMap((file) => /^docs\/adr\/(\d.*\.md)$/.exec(file)?.[1] ?? []);
  expect(decisions.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  const dated = /^Status: [a-z]+, \d{4}-\d\d-\d\d$/m;
  expect(decisions.filter((file) => !dated.test(readFileSync(join(root, 'docs/adr', file), 'utf8')))).toEqual([]);
});
