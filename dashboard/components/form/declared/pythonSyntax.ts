/** Parses a Python type annotation into a tree. It supports only names, subscripts, calls and literals. */

export type PythonNode =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string; readonly items: readonly PythonNode[] }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Argument[] }
  | { readonly kind: 'either'; readonly items: readonly PythonNode[] }
  | { readonly kind: 'sequence'; readonly items: readonly PythonNode[] };

/** `name` is null for a positional argument. */
export interface Argument {
  readonly name: string | null;
  readonly value: PythonNode;
}

const token =
  /\s*(?:([A-Za-z_][\w.]*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(['"])((?:\\.|(?!\3).)*)\3|(\.\.\.|[[\](),|=]))/y;

type Token = { readonly kind: 'name' | 'number' | 'string' | 'sign'; readonly text: string };

/** Returns the tokens; `null` if the text contains anything else. */
function tokens(source: string): Token[] | null {
  const found: Token[] = [];
  token.lastIndex = 0;
  const end = source.trimEnd().length;
  while (token.lastIndex < end) {
    const match = token.exec(source);
    if (match === null) return null;
    const [, name, number, quote, string, sign] = match;
    if (name !== undefined) found.push({ kind: 'name', text: name });
    else if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (quote !== undefined) found.push({ kind: 'string', text: (string ?? '').replaceAll(/\\(.)/g, '$1') });
    else found.push({ kind: 'sign', text: sign ?? '' });
  }
  return found;
}

class Unreadable extends Error {}

class Reader {
  private at = 0;
  private readonly tokens: readonly Token[];
  constructor(list: readonly Token[]) {
    this.tokens = list;
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  private acceptSign(text: string): boolean {
    const next = this.tokens[this.at];
    if (next?.kind !== 'sign' || next.text !== text) return false;
    this.at += 1;
    return true;
  }

  parseUnion(): PythonNode {
    const items = [this.parseOne()];
    while (this.acceptSign('|')) items.push(this.parseOne());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'either', items };
  }

  private parseList(close: string): PythonNode[] {
    const items: PythonNode[] = [];
    while (!this.acceptSign(close)) {
      items.push(this.parseUnion());
      if (!this.acceptSign(',') && this.tokens[this.at]?.text !== close) throw new Unreadable();
    }
    return items;
  }

  private arguments(): Argument[] {
    const input: Argument[] = [];
    while (!this.acceptSign(')')) {
      const [name, equals] = [this.tokens[this.at], this.tokens[this.at + 1]];
      const named = name?.kind === 'name' && equals?.kind === 'sign' && equals.text === '=';
      if (named) this.at += 2;
      input.push({ name: named ? name.text : null, value: this.parseUnion() });
      if (!this.acceptSign(',') && this.tokens[this.at]?.text !== ')') throw new Unreadable();
    }
    return input;
  }

  private parseOne(): PythonNode {
    if (this.acceptSign('[')) return { kind: 'sequence', items: this.parseList(']') };
    if (this.acceptSign('(')) return { kind: 'sequence', items: this.parseList(')') };
    if (this.acceptSign('...')) return { kind: 'name', name: '...', items: [] };
    const next = this.tokens[this.at];
    this.at += 1;
    switch (next?.kind) {
      case 'string':
        return { kind: 'value', value: next.text };
      case 'number':
        return { kind: 'value', value: Number(next.text) };
      case 'name':
        return this.parseNamed(next.text.split('.').at(-1) ?? next.text);
      default:
        throw new Unreadable();
    }
  }

  private parseNamed(name: string): PythonNode {
    if (name === 'None') return { kind: 'value', value: null };
    if (name === 'True' || name === 'False') return { kind: 'value', value: name === 'True' };
    if (this.acceptSign('[')) return { kind: 'name', name, items: this.parseList(']') };
    if (this.acceptSign('(')) return { kind: 'call', name, arguments: this.arguments() };
    return { kind: 'name', name, items: [] };
  }
}

/** Returns the tree of an annotation; `null` if it can't be parsed. */
export function readPython(annotation: string): PythonNode | null {
  const plain = annotation.replaceAll(/<class '([^']*)'>/g, '$1');
  const list = tokens(plain);
  if (list === null || list.length === 0) return null;
  const reader = new Reader(list);
  try {
    const tree = reader.parseUnion();
    return reader.isAtEnd ? tree : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
