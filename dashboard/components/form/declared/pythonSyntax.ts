/** Parses a Python type annotation into a tree. It supports only names, subscripts, calls and literals. */

export type PythonNode =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string; readonly items: readonly PythonNode[] }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Argument[] }
  | { readonly kind: 'either'; readonly items: readonly PythonNode[] }
  | { readonly kind: 'sequence'; readonly items: readonly PythonNode[] };

export interface Argument {
  /** `null` for a positional argument. */
  readonly name: string | null;
  readonly value: PythonNode;
}

const tokenPattern =
  /\s*(?:([A-Za-z_][\w.]*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(['"])((?:\\.|(?!\3).)*)\3|(\.\.\.|[[\](),|=]))/y;

type Token = { readonly kind: 'name' | 'number' | 'string' | 'symbol'; readonly text: string };

/** Returns the tokens; `null` if the text contains anything else. */
function tokenize(source: string): Token[] | null {
  const result: Token[] = [];
  tokenPattern.lastIndex = 0;
  const end = source.trimEnd().length;
  while (tokenPattern.lastIndex < end) {
    const match = tokenPattern.exec(source);
    if (match === null) return null;
    const [, name, number, quote, string, symbol] = match;
    if (name !== undefined) result.push({ kind: 'name', text: name });
    else if (number !== undefined) result.push({ kind: 'number', text: number });
    else if (quote !== undefined) result.push({ kind: 'string', text: (string ?? '').replaceAll(/\\(.)/g, '$1') });
    else result.push({ kind: 'symbol', text: symbol ?? '' });
  }
  return result;
}

class SyntaxUnsupportedError extends Error {}

class PythonParser {
  private position = 0;
  private readonly tokens: readonly Token[];
  constructor(list: readonly Token[]) {
    this.tokens = list;
  }

  get isAtEnd(): boolean {
    return this.position >= this.tokens.length;
  }

  private acceptSymbol(text: string): boolean {
    const next = this.tokens[this.position];
    if (next?.kind !== 'symbol' || next.text !== text) return false;
    this.position += 1;
    return true;
  }

  parseUnion(): PythonNode {
    const items = [this.parseTerm()];
    while (this.acceptSymbol('|')) items.push(this.parseTerm());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'either', items };
  }

  private parseList(close: string): PythonNode[] {
    const items: PythonNode[] = [];
    while (!this.acceptSymbol(close)) {
      items.push(this.parseUnion());
      if (!this.acceptSymbol(',') && this.tokens[this.position]?.text !== close) throw new SyntaxUnsupportedError();
    }
    return items;
  }

  private parseArguments(): Argument[] {
    const list: Argument[] = [];
    while (!this.acceptSymbol(')')) {
      const [name, equals] = [this.tokens[this.position], this.tokens[this.position + 1]];
      const isNamed = name?.kind === 'name' && equals?.kind === 'symbol' && equals.text === '=';
      if (isNamed) this.position += 2;
      list.push({ name: isNamed ? name.text : null, value: this.parseUnion() });
      if (!this.acceptSymbol(',') && this.tokens[this.position]?.text !== ')') throw new SyntaxUnsupportedError();
    }
    return list;
  }

  private parseTerm(): PythonNode {
    if (this.acceptSymbol('[')) return { kind: 'sequence', items: this.parseList(']') };
    if (this.acceptSymbol('(')) return { kind: 'sequence', items: this.parseList(')') };
    if (this.acceptSymbol('...')) return { kind: 'name', name: '...', items: [] };
    const next = this.tokens[this.position];
    this.position += 1;
    switch (next?.kind) {
      case 'string':
        return { kind: 'value', value: next.text };
      case 'number':
        return { kind: 'value', value: Number(next.text) };
      case 'name':
        return this.parseNamed(next.text.split('.').at(-1) ?? next.text);
      default:
        throw new SyntaxUnsupportedError();
    }
  }

  private parseNamed(name: string): PythonNode {
    if (name === 'None') return { kind: 'value', value: null };
    if (name === 'True' || name === 'False') return { kind: 'value', value: name === 'True' };
    if (this.acceptSymbol('[')) return { kind: 'name', name, items: this.parseList(']') };
    if (this.acceptSymbol('(')) return { kind: 'call', name, arguments: this.parseArguments() };
    return { kind: 'name', name, items: [] };
  }
}

/** Returns the tree of an annotation; `null` if it can't be parsed. */
export function parseAnnotation(annotation: string): PythonNode | null {
  const annotationText = annotation.replaceAll(/<class '([^']*)'>/g, '$1');
  const list = tokenize(annotationText);
  if (list === null || list.length === 0) return null;
  const parser = new PythonParser(list);
  try {
    const tree = parser.parseUnion();
    return parser.isAtEnd ? tree : null;
  } catch (error) {
    if (error instanceof SyntaxUnsupportedError) return null;
    throw error;
  }
}
