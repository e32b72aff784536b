import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generatedSettings, settingsPath } from './settingsTable.ts';

it('docs/settings.md is up to date (npm run docs writes it)', async () => {
  expect(await readFile(settingsPath, 'utf8')).toBe(await generatedSettings());
});

it('the README has at most 6 KB', async () => {
  expect((await stat(join(import.meta.dirname, '../../README.md'))).size).toBeLessThanOrEqual(6 * 1024);
});
