/** An edit of a settings file's text, in its format: comments, order, line ends and byte order mark stay. */
import type { FileFormat } from '../parse/discovery.ts';
import { editDotenv } from './dotenvEdit.ts';
import type { FileEdit } from './edits.ts';
import { editJson } from './jsonEdit.ts';
import { editToml } from './tomlEdit.ts';
import { editYaml } from './yamlEdit.ts';

const editors: Readonly<Record<FileFormat, (text: string, edit: FileEdit) => string>> = {
  yaml: editYaml,
  toml: editToml,
  json: editJson,
  dotenv: editDotenv,
};

/**
 * @param text a text that its format's reader takes
 * @throws {EditRefused} with the reason in words
 */
export function editText(format: FileFormat, text: string, edit: FileEdit): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + editors[format](text.slice(mark.length), edit);
}
