/** Parses typed JSON: reports the problem, its line, and the correction. */
import { parse } from '@humanwhocodes/momoa';
import { schemaFormTexts } from './texts.ts';
import { failure, success, type ParseResult } from './numberText.ts';
import { DuplicateKeyError, hasNonFiniteNumber, parseExactJson } from '../../../api/exactJson.ts';

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
  if (character === "'" || character === '‘' || character === '“') return texts.quotes;
  const word = /^[A-Za-z_]\w*/.exec(textAfter)?.[0];
  const correction = word === undefined ? undefined : pythonToJson[word];
  if (word !== undefined) return correction === undefined ? texts.unquoted(word) : texts.python(word, correction);
  if ((character === '}' || character === ']') && textBefore.trimEnd().endsWith(',')) return texts.trailing(character);
  return texts.unexpected(character);
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
    if (!hasNonFiniteNumber(value)) return success(value);
    return failure(/NaN|Infinity/.test(text) ? describeJsonError(text) : texts.notFinite);
  } catch (error) {
    return failure(error instanceof DuplicateKeyError ? texts.duplicateKey(error.key) : describeJsonError(text));
  }
}

/**
 * Uses momoa's parser, because the messages of `JSON.parse` differ between browsers and don't always contain a position.
 */
function describeJsonError(text: string): string {
  try {
    parse(text);
  } catch (error) {
    const position = getErrorPosition(error);
    if (position !== null) {
      const lines = text.split('\n');
      const start =
        lines.slice(0, position.line - 1).join('\n').length + (position.line > 1 ? 1 : 0) + position.column - 1;
      if (hasUnclosedBrackets(text)) {
        const [line, column] = [lines.length, (lines.at(-1) ?? '').length + 1];
        return schemaFormTexts.problems.json(line, column, texts.ends);
      }
      return schemaFormTexts.problems.json(
        position.line,
        position.column,
        explainError(text.slice(0, start), text.slice(start)),
      );
    }
  }
  return schemaFormTexts.problems.json(1, 1, texts.ends);
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
