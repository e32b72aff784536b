/** Parses typed JSON: reports the problem, its line, and the correction. */
import { parse } from '@humanwhocodes/momoa';
import { schemaFormTexts } from './texts.ts';
import { failure, isJsonScalar, success, type ParseResult } from './numberText.ts';
import { DuplicateKeyError, findInexactNumber, parseExactJson, UnsupportedJsonError } from '#api/exactJson.ts';

const texts = schemaFormTexts.json;
const pythonToJson: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  nan: 'null',
  NaN: 'null',
};

/** Returns why the JSON is invalid where `textAfter` begins. */
function explainError(textBefore: string, textAfter: string): string {
  if (textAfter.trim() === '') return texts.ends;
  const [character = ''] = textAfter;
  if (character === "'" || character === '‘' || character === '“')
    return 'enclose text in double quotes ("), not single quotes.';
  const word = /^[A-Za-z_]\w*/.exec(textAfter)?.[0];
  const correction = word === undefined ? undefined : pythonToJson[word];
  if (word !== undefined)
    return correction === undefined
      ? `“${word}” is neither a number, true, false nor null; enclose text in double quotes.`
      : `in JSON, write ${correction}, not ${word}.`;
  if ((character === '}' || character === ']') && textBefore.trimEnd().endsWith(','))
    return `remove the comma before “${character}”, or add a value.`;
  return `“${character}” isn’t allowed here.`;
}

function getErrorPosition(error: unknown): { line: number; column: number } | null {
  if (typeof error !== 'object' || error === null || !('line' in error) || !('column' in error)) return null;
  const { line, column } = error;
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : null;
}

/** Parses a JSON text; `text` must not be empty. */
export function readJson(text: string): ParseResult {
  try {
    const value = parseExactJson(text);
    const inexact = findInexactNumber(value);
    if (inexact === null) return success(value);
    if (Number(inexact) === 0) return failure(schemaFormTexts.problems.storedAsZero(inexact));
    return failure(
      /NaN|Infinity/.test(inexact)
        ? describeJsonError(text)
        : 'A number is too large: a manager that stores it can’t return the object any more.',
    );
  } catch (error) {
    if (error instanceof DuplicateKeyError)
      return failure(`“${error.key}” occurs twice in one object; only one of the two values would be stored.`);
    return failure(error instanceof UnsupportedJsonError ? texts.unsupported(error.message) : describeJsonError(text));
  }
}

/**
 * Parses a text in which quotes are optional: null, a boolean, or a JSON value with all digits of its numbers; other text
 * stays text, such as `0012`. A text that is a JSON value needs quotes: `"1.10"`. What looks like JSON is read by the
 * same rules as JSON: it is not stored as text if it can't be stored as it is.
 */
export function readScalar(text: string): ParseResult {
  if (!isJsonScalar(text)) return success(text);
  const result = readJson(text.trim());
  return result.ok ? result : failure(texts.asText(result.problem));
}

/**
 * Uses momoa's parser, because the messages of `JSON.parse` differ between browsers and don't always contain a position.
 */
function describeJsonError(text: string): string {
  const lines = text.split('\n');
  // A cell of a CSV file or a field of one line has no line numbers of its own.
  const describe = (line: number, column: number, reason: string): string =>
    lines.length === 1 ? `Character ${column}: ${reason}` : schemaFormTexts.problems.json(line, column, reason);
  try {
    parse(text);
  } catch (error) {
    const position = getErrorPosition(error);
    if (position !== null) {
      const start =
        lines.slice(0, position.line - 1).join('\n').length + (position.line > 1 ? 1 : 0) + position.column - 1;
      if (hasUnclosedBrackets(text)) return describe(lines.length, (lines.at(-1) ?? '').length + 1, texts.ends);
      return describe(position.line, position.column, explainError(text.slice(0, start), text.slice(start)));
    }
  }
  return describe(1, 1, texts.ends);
}

/** Returns whether only closing brackets are missing at the end of the text. */
function hasUnclosedBrackets(text: string): boolean {
  const open: string[] = [];
  for (const [part] of text.matchAll(/"(?:\\.|[^"\\])*"|[[\]{}]/g)) {
    if (part === '[' || part === '{') open.push(part === '[' ? ']' : '}');
    else if ((part === ']' || part === '}') && open.pop() !== part) return false;
  }
  if (open.length === 0) return false;
  try {
    JSON.parse(text.trimEnd() + open.toReversed().join(''));
    return true;
  } catch {
    return false;
  }
}
