import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { guideSite } from './site.ts';
import { checksFor } from '../../server/diagnostics/checks/all.ts';
import { noticeEntry } from '../../api/guide.ts';
import { checkEntries, checkEntry, guideEntries, guideEntryNames } from '../../api/guideEntries.ts';

const guideDir = join(import.meta.dirname, '../../docs/guide');
const pages = Object.fromEntries(
  readdirSync(guideDir)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, readFileSync(join(guideDir, file), 'utf8')]),
);
const { files } = guideSite(pages, '', () => ({ width: 1, height: 1 }));

it.each(guideEntryNames)('the guide explains %s', (name) => {
  const [page = '', anchor] = guideEntries[name].split('#');
  expect(Object.keys(files)).toContain(page);
  const anchors = [...(files[page] ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  if (anchor !== undefined) expect(anchors).toContain(anchor);
});

it('every diagnostics check has a guide entry, and every entry belongs to a check', () => {
  expect(Object.keys(checkEntries).toSorted()).toEqual(
    checksFor(true)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect([checkEntry('clocks'), checkEntry('toString')]).toEqual(['clocks', 'checks']);
});

it.each([
  ['folder:/etc', 'folders'],
  ['settings-errors', 'settings'],
  ['disk-space', 'diskSpace'],
  ['replaced', 'updates'],
  ['unheard-of', null],
])('the notice %s links to the guide entry %s', (id, entry) => {
  expect(noticeEntry(id)).toBe(entry);
});
