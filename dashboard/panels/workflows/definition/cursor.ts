/**
 * Finds the cursor's position in a definition by indentation, because incomplete text is not parseable as YAML. Supports
 * block style; inside brackets, only the key of the line.
 */
import type { Path } from './source.ts';

export interface Cursor {
  /** Keys and indexes above the cursor. */
  readonly path: Path;
  /** What is typed: a key, the value of `key`, or an item of a list. */
  readonly typing: 'key' | 'value' | 'item';
  /** The key of the value. */
  readonly key: string | null;
  /** Text before the cursor, and its start. */
  readonly prefix: string;
  readonly from: number;
}

interface Line {
  /** Columns of the dashes, and of the text after them. */
  readonly dashes: readonly number[];
  readonly indent: number;
  readonly key: string | null;
  readonly rest: string;
}

const keyPattern = /^(?:"([^"]*)"|'([^']*)'|([^\s#'"[\]{},&*!|>%@`][^:#]*?))\s*:(?:\s+|$)(.*)$/;

function readLine(text: string): Line | null {
  let column = text.length - text.trimStart().length;
  let body = text.trimStart();
  if (body === '' || body.startsWith('#')) return null;
  const dashes: number[] = [];
  while (/^-(?:\s|$)/.test(body)) {
    dashes.push(column);
    const after = body.slice(1);
    const gap = after.length - after.trimStart().length;
    column += 1 + gap;
    body = after.trimStart();
  }
  const match = keyPattern.exec(body);
  return {
    dashes,
    indent: column,
    key: match?.[1] ?? match?.[2] ?? match?.[3]?.trim() ?? null,
    rest: match?.[4] ?? body,
  };
}

/** Returns the path of keys and indexes above a line of the given indentation, from the lines before it. */
function pathAbove(lines: readonly (Line | null)[], endLine: number, indentation: number, isItem: boolean): Path {
  const path: (string | number)[] = [];
  let indent = indentation;
  // An item may have the same indentation as the key of its list.
  let sameIsParent = isItem;
  let index = 0;
  for (let lineIndex = endLine - 1; lineIndex >= 0; lineIndex--) {
    const line = lines[lineIndex];
    if (line === null || line === undefined) continue;
    for (const column of line.dashes.toReversed()) {
      const belongs = line.indent <= indent || column < indent;
      if (sameIsParent && column === indent && line.dashes.length > 0) {
        index += 1;
        continue;
      }
      if (!sameIsParent && belongs && column < indent) {
        // The line is the first one of the current item.
        if (line.indent < indent && line.key !== null) path.unshift(line.key);
        path.unshift(0);
        indent = column;
        sameIsParent = true;
        index = 0;
      }
    }
    if (line.dashes.length > 0) continue;
    if (line.key === null) continue;
    if (sameIsParent ? line.indent <= indent : line.indent < indent) {
      if (sameIsParent) {
        const first = path[0];
        if (typeof first === 'number') path[0] = index;
        else path.unshift(index);
      }
      path.unshift(line.key);
      indent = line.indent;
      sameIsParent = false;
      index = 0;
    }
  }
  return path;
}

/** Returns the cursor in a text; null inside a comment. */
export function findCursor(text: string, offset: number): Cursor | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const prefix = text.slice(start, offset);
  if (/(?:^|\s)#/.test(prefix)) return null;
  const lines = text.slice(0, start).split('\n').slice(0, -1).map(readLine);
  const isBlank = prefix.trim() === '';
  const line = readLine(prefix);
  const indent = line?.indent ?? prefix.length;
  const dashes = line?.dashes ?? [];
  const [dash] = dashes;
  const parentPath = pathAbove(lines, lines.length, dash ?? indent, dash !== undefined);
  const path = dashes.length === 0 ? parentPath : itemPath(parentPath, lines, dash ?? indent, dashes.length);
  if (line === null || isBlank || line.key === null) {
    const body = line?.rest ?? '';
    const quote = /^["']/.test(body) ? 1 : 0;
    const typing = dashes.length > 0 ? 'item' : 'key';
    return { path, typing, key: null, prefix: body.slice(quote), from: offset - body.length + quote };
  }
  const value = /[^[\]{},\s"']*$/.exec(line.rest)?.[0] ?? '';
  return { path, typing: 'value', key: line.key, prefix: value, from: offset - value.length };
}

/** Returns the path of an item that starts on the cursor's line. */
function itemPath(parentPath: Path, lines: readonly (Line | null)[], column: number, count: number): Path {
  const last = parentPath.at(-1);
  const base = typeof last === 'number' ? parentPath.slice(0, -1) : parentPath;
  let index = 0;
  for (const line of lines.toReversed()) {
    if (line === null) continue;
    if (line.dashes.includes(column)) index += 1;
    else if (line.dashes.length === 0 ? line.indent <= column && line.key !== null : (line.dashes[0] ?? 0) < column)
      break;
  }
  return [...base, index, ...Array.from({ length: count - 1 }, () => 0)];
}

/**
 * Returns the indentation of the next line: one level deeper after a key without a value, else the same. `null` within
 * brackets, and if the line is empty.
 */
export function nextIndent(line: string): number | null {
  const start = /^\s*(?:- +)*/.exec(line)?.[0].length ?? 0;
  const remainingText = line
    .slice(start)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  if (remainingText === '' || /[[{,]$/.test(remainingText)) return null;
  return /:(?: *[|>][+-]?)?$/.test(remainingText) ? start + 2 : start;
}
