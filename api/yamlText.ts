/**
 * YAML that a user or another program wrote, parsed within limits. The parser takes time in proportion to the square of the
 * keys of a mapping, and up to 30 µs for each token, all of which would freeze a page or the service.
 */
import {
  isAlias,
  isCollection,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  YAMLParseError,
  type Document,
  type ErrorCode,
  type ParsedNode,
} from 'yaml';

export const yamlLimits = {
  /** Maximum length in UTF-16 units, also with each alias replaced by its value. */
  length: 1_000_000,
  /** Maximum number of words, symbols, spaces and line ends. */
  tokens: 200_000,
  /** Maximum levels of bracketed lists and mappings. */
  levels: 100,
  /** Maximum start column of a block list or a nested line: each level needs at least one column. */
  column: 500,
  aliases: 1000,
  /** Further errors and warnings are dropped. */
  problems: 100,
} as const;

interface ParseOptions {
  /** Whether a key that occurs twice in a mapping is an error; otherwise the last one counts. */
  readonly uniqueKeys: boolean;
  readonly merge?: boolean;
}

export interface YamlText {
  /** A text that exceeds a limit has no contents and one error, which states the limit and the correction. */
  readonly document: Document<ParsedNode>;
  /** Line and column from 1. */
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
  /** @throws Error for a wrong merge, or if the document has errors */
  readonly toData: () => unknown;
}

/** Parses one YAML 1.2 document; its errors and warnings have offsets. Takes linear time. */
export function parseYaml(text: string, { uniqueKeys, merge = false }: ParseOptions): YamlText {
  const excess = findExcess(text);
  const options = { version: '1.2', prettyErrors: false, uniqueKeys: false, merge } as const;
  const document = parseDocument<ParsedNode>(excess === null ? text : '', options);
  const inspection = new Inspection();
  if (excess === null) inspection.visit(document.contents);
  const limitExcess = excess ?? inspection.excess;
  if (limitExcess !== null) {
    document.contents = null;
    document.errors = [limitExcess];
  } else {
    const found = [...inspection.unknownAnchors, ...(uniqueKeys ? inspection.duplicateKeys : [])];
    document.errors = [...document.errors, ...found].toSorted((a, b) => a.pos[0] - b.pos[0]);
  }
  document.errors = document.errors.slice(0, yamlLimits.problems);
  document.warnings = document.warnings.slice(0, yamlLimits.problems);
  const lines = countLines(text);
  return {
    document,
    placeOf: (offset) => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(1, line), column: Math.max(1, col) };
    },
    // The inspection has checked the aliases, in less time than the library does.
    toData: () => document.toJS({ maxAliasCount: -1 }) as unknown,
  };
}

function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines.addNewLine(end + 1);
  return lines;
}

const errorAt = (offset: number, code: ErrorCode, message: string) =>
  new YAMLParseError([offset, offset + 1], code, message);
const limitError = (offset: number, message: string) => errorAt(offset, 'RESOURCE_EXHAUSTION', message);

/** Byte order mark, start of a document, error in brackets, start of a scalar. */
const lexerMarks: ReadonlySet<string> = new Set(['\uFEFF', '\u0002', '\u0018', '\u001F']);

/**
 * Finds where a text exceeds a limit, before a parser recurses into it: if a regular expression is compiled when no stack is
 * left, V8 ends the whole process instead of throwing.
 */
function findExcess(text: string): YAMLParseError | null {
  const { length, tokens: maxTokens, levels, column: maxColumn } = yamlLimits;
  if (text.length > length) return limitError(length, `the text is longer than ${length} characters: split it`);
  let [depth, offset, lineStart, tokens] = [0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    // The lexer's own marks (start of a document, of a scalar …) are single control characters that the text lacks.
    if (lexerMarks.has(token)) {
      offset += token === '\uFEFF' ? 1 : 0;
      continue;
    }
    tokens += 1;
    if (tokens > maxTokens)
      return limitError(offset, `the text has more than ${maxTokens} words and symbols: split it`);
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    const isIndentation = offset === lineStart && /^ +$/.test(token);
    const isIndicator = token === '-' || token === '?';
    const column = offset - lineStart + (isIndentation ? token.length : 0);
    if (depth > levels || ((isIndentation || isIndicator) && column > maxColumn))
      return limitError(offset, `lists or mappings are nested too deeply: use at most ${levels} levels`);
    offset += token.length;
    const end = token.lastIndexOf('\n');
    lineStart = end === -1 ? lineStart : offset - (token.length - end - 1);
  }
  return null;
}

/** One walk through a document: its duplicate keys, its aliases without anchors, and whether its aliases exceed a limit. */
class Inspection {
  readonly duplicateKeys: YAMLParseError[] = [];
  readonly unknownAnchors: YAMLParseError[] = [];
  excess: YAMLParseError | null = null;
  /** The length of each anchor's value with its aliases replaced; `null` while its value is being read. */
  readonly #anchors = new Map<string, number | null>();
  #aliasCount = 0;
  #length = 0;

  /** @returns the length of the node with its aliases replaced */
  visit(node: unknown): number {
    if (isPair(node)) return this.visit(node.key) + this.visit(node.value);
    if (isAlias(node)) return this.#visitAlias(node.source, node.range?.[0] ?? 0);
    if (!isScalar(node) && !isCollection(node)) return 0;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, null);
    let length = 1;
    if (isScalar(node)) length += node.range ? node.range[1] - node.range[0] : 0;
    else {
      this.#findDuplicateKeys(node.items);
      for (const item of node.items) length += this.visit(item);
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, length);
    return length;
  }

  #visitAlias(anchor: string, offset: number): number {
    const length = this.#anchors.get(anchor);
    this.#aliasCount += 1;
    this.#length += length ?? 0;
    if (length === undefined)
      this.unknownAnchors.push(
        errorAt(offset, 'BAD_ALIAS', `no anchor &${anchor} precedes the alias *${anchor}: write its value instead`),
      );
    if (length === null) this.excess ??= limitError(offset, `the alias *${anchor} is part of its own value: remove it`);
    else if (this.#aliasCount > yamlLimits.aliases)
      this.excess ??= limitError(
        offset,
        `the text has more than ${yamlLimits.aliases} aliases: write their values instead`,
      );
    else if (this.#length > yamlLimits.length)
      this.excess ??= limitError(
        offset,
        `the text is longer than ${yamlLimits.length} characters with the values of its aliases: use fewer aliases`,
      );
    return length ?? 0;
  }

  /** Keys that differ only in their type, as `1` and `"1"`, are one key in JSON. */
  #findDuplicateKeys(items: readonly unknown[]): void {
    const keys = new Set<string>();
    for (const item of items) {
      if (!isPair(item) || !isScalar(item.key)) continue;
      const key = String(item.key.value);
      const offset = item.key.range?.[0] ?? 0;
      if (keys.has(key))
        this.duplicateKeys.push(errorAt(offset, 'DUPLICATE_KEY', `the key "${key}" occurs twice in one mapping`));
      keys.add(key);
    }
  }
}
