import { expect, it } from 'vitest';
import { formatBlocks } from './duplicates.mjs';

it('formatBlocks lists the longest duplicates first and names the Vue file instead of its section', () => {
  const place = (name: string, start: number) => ({ name: `/lab/${name}`, start });
  const report = JSON.stringify({
    duplicates: [
      { lines: 6, firstFile: place('server/a.ts', 3), secondFile: place('server/b.ts', 40) },
      { lines: 12, firstFile: place('dashboard/A.vue:css', 90), secondFile: place('dashboard/b.css', 1) },
    ],
  });
  expect(formatBlocks(report, '/lab')).toEqual([
    '12 lines: dashboard/A.vue:90 dashboard/b.css:1',
    '6 lines: server/a.ts:3 server/b.ts:40',
  ]);
});
