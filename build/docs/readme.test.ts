import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedReadme, readmePath } from './readme.ts';

it('has the settings table as the code has it; npm run docs writes it', async () => {
  expect(await readFile(readmePath, 'utf8')).toBe(await generatedReadme());
});
