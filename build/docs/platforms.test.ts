/**
 * Checks the tables of platforms and of capabilities: every cell about a platform names an existing test or states that there
 * is none, and every quoted title is that of a test.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => /\.(test|spec)\.ts$/.test(file));

// Titles in the code can have escaped characters.
const readTitles = (file: string): string => readFileSync(join(root, file), 'utf8').replaceAll('\\\\', '\\');

/** The end of the path of a test file, and a part of a title in it. */
const proof = /`([\w./-]+\.ts)` “([^”]+)”/g;
/** The beginning of a cell for a feature that no test proves completely. */
const withoutProof = /^not (?:proven|applicable)(?:$|; )/;

const rows = readFileSync(join(root, 'docs/platforms.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()))
  .filter(([first]) => first !== 'feature' && first !== 'package');

/** The reason why a reference is invalid; `null` if the file has the title. */
function invalidReason(path: string, title: string): string | null {
  const matchingFiles = files.filter((file) => `/${file}`.endsWith(`/${path}`));
  if (matchingFiles.length !== 1) return `${path}: ${matchingFiles.length} files`;
  return readTitles(matchingFiles[0] ?? '').includes(title) ? null : `${path} has no “${title}”`;
}

it('every row of the tables has all its cells', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((cells) => cells.length !== 6 && cells.length !== 2)).toEqual([]);
});

it.each(rows.map(([feature = '', ...cells]) => [feature, cells] as const))(
  'each cell of “%s” names an existing test or states that there is none',
  (_feature, cells) => {
    const problems = cells.flatMap((cell) => {
      const proofs = [...cell.matchAll(proof)];
      if (proofs.length === 0 && !withoutProof.test(cell)) return [`neither a proof nor “not proven”: ${cell}`];
      return proofs.flatMap(([, path = '', title = '']) => invalidReason(path, title) ?? []);
    });
    expect(problems).toEqual([]);
  },
);

/** A title, with `…` in place of omitted words. */
const quotedTitle = /“([^”]+)”/g;

it('each title in the table of capabilities is that of an existing test', () => {
  const texts = files.map(readTitles);
  const quotes = readFileSync(join(root, 'docs/capabilities.md'), 'utf8')
    .split('\n')
    .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(quotedTitle)].map(([, title = '']) => title));
  expect(quotes.length).toBeGreaterThan(50);
  const hasTitle = (title: string) => {
    const parts = title.split('…').map((part) => part.trim());
    return texts.some((text) => parts.every((part) => text.includes(part)));
  };
  expect(quotes.filter((title) => !hasTitle(title))).toEqual([]);
});
