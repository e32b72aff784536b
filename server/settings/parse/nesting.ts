/**
 * Where a text nests deeper than a settings file does, found before a parser recurses into it: deep in a recursion V8
 * can end the whole process (compiling a pattern without stack left) instead of throwing.
 */
import { Lexer } from 'yaml';

/** Levels of lists and mappings in brackets that a settings file may have. */
export const maxLevels = 100;

/** Furthest column at which a block list or a nested line of YAML may begin: each level needs one column at least. */
const maxColumn = 500;

const jsonTokens = /"(?:\\.|[^"\\])*"?|[[\]{}]/gs;

/** The offset of the bracket that opens one level too many; `null` for a text that can be parsed. */
export function jsonTooDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (token === '[' || token === '{') {
      depth += 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
    }
    if (depth > maxLevels) {
      return index;
    }
  }
  return null;
}

/** Byte order mark, start of a document, error in brackets, start of a scalar. */
const lexerMarks: ReadonlySet<string> = new Set(['\ufeff', '\u0002', '\u0018', '\u001f']);

/** The same for YAML: brackets as in JSON, and block lists, keys and lines by the column they begin at. */
export function yamlTooDeep(text: string): number | null {
  let depth = 0;
  let offset = 0;
  let lineStart = 0;
  for (const token of new Lexer().lex(text)) {
    // The lexer's own marks (start of a document, of a scalar …) are single control characters and not in the text.
    if (lexerMarks.has(token)) {
      offset += token === '\ufeff' ? 1 : 0;
      continue;
    }
    if (token === '[' || token === '{') {
      depth += 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
    }
    const isIndentation = offset === lineStart && /^ +$/.test(token);
    const isIndicator = token === '-' || token === '?';
    const column = offset - lineStart + (isIndentation ? token.length : 0);
    if (depth > maxLevels || ((isIndentation || isIndicator) && column > maxColumn)) {
      return offset;
    }
    offset += token.length;
    const end = token.lastIndexOf('\n');
    lineStart = end < 0 ? lineStart : offset - (token.length - end - 1);
  }
  return null;
}
