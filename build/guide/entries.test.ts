import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderGuideSite } from './site.ts';
import { checksFor } from '../../server/diagnostics/checks/all.ts';
import { clocksEntry, guideEntries, findNoticeEntry } from '../../api/guide.ts';

const guideDir = join(import.meta.dirname, '../../docs/guide');
const pages = Object.fromEntries(
  readdirSync(guideDir)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, readFileSync(join(guideDir, file), 'utf8')]),
);
const { files } = renderGuideSite(pages, '', () => ({ width: 1, height: 1 }));

const checks = checksFor(true);
const entries = [
  ...Object.entries(guideEntries),
  ...checks.map(({ id, guide }) => [`the check ${id}`, guide] as const),
];

it.each(entries)('the guide explains %s', (_name, entry) => {
  const [page = '', anchor] = entry.split('#');
  expect(Object.keys(files)).toContain(page);
  const anchors = [...(files[page] ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  if (anchor !== undefined) expect(anchors).toContain(anchor);
});

it('the check of clocks links to the same entry as the dashboard', () => {
  expect(checks.find(({ id }) => id === 'clocks')?.guide).toBe(clocksEntry);
});

it.each([
  ['folder:/etc', 'folders'],
  ['settings-errors', 'settings'],
  ['disk-space', 'diskSpace'],
  ['replaced', 'updates'],
  ['unheard-of', null],
])('the guide entry of the notice %s is %s', (id, entry) => {
  expect(findNoticeEntry(id)).toBe(entry);
});
