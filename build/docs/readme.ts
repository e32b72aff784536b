/** The README with its generated part: the settings table. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { settingsTableMarkdown } from '../../server/settings/load/documents.ts';

export const readmePath = join(import.meta.dirname, '../../README.md');

const begin = '<!-- settings: written by `npm run docs` -->';
const end = '<!-- /settings -->';

/** What the README should be, from what it is and the table of settings. */
export async function generatedReadme(): Promise<string> {
  const text = await readFile(readmePath, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${begin} … ${end}`);
  const whole = `${before}${begin}\n\n${settingsTableMarkdown()}\n\n${end}${after}`;
  return format(whole, { ...(await resolveConfig(readmePath)), parser: 'markdown' });
}
