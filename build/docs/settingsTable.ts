/**
 * docs/settings.md with its generated part: the table of all settings. As a program (`npm run docs`), it writes the
 * document.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { settingsTableMarkdown } from '../../server/settings/load/report.ts';

export const settingsPath = join(import.meta.dirname, '../../docs/settings.md');

const begin = '<!-- settings: written by `npm run docs` -->';
const end = '<!-- /settings -->';

/**
 * Returns the document with the table generated from the code. @throws Error if the document has no placeholder for the
 * table
 */
export async function generatedSettings(): Promise<string> {
  const text = await readFile(settingsPath, 'utf8');
  const [beforeTable, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (beforeTable === undefined || after === undefined) throw new Error(`docs/settings.md has no ${begin} … ${end}`);
  const document = `${beforeTable}${begin}\n\n${settingsTableMarkdown()}\n\n${end}${after}`;
  return format(document, { ...(await resolveConfig(settingsPath)), parser: 'markdown' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(settingsPath, await generatedSettings());
