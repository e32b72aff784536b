/** Parses a Python type annotation into a tree. It supports only names, subscripts, calls and literals. */

export type PythonNode =
  | { readonly is: 'value'; readonly value: string | number | boolean | null }
  | { readonly is: 'name'; readonly name: string; readonly of: readonly PythonNode[] }
  | { readonly is: 'call'; readonly name: string; readonly arguments: readonly Argument[] }
  | { readonly is: 'either'; readonly of: readonly PythonNode[] }
  | { readonly is: 'sequence'; readonly of: readonly PythonNode[] };

/** `name` is null for a positional argument. */
export interface Argument {
  readonly name: string | null;
  readonly value: PythonNode;
}

const token =
  /\s*(?:([A-Za-z_][\w.]*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(['"])((?:\\.|(?!\3).)*)\3|(\.\.\.|[[\](),|=]))/y;

type Token = { readonly is: 'name' | 'number' | 'string' | 'sign'; readonly text: string };

/** Returns the tokens; `null` if the text contains anything else. */
function tokens(source: string): Token[] | null {
  const found: Token[] = [];
  token.lastIndex = 0;
  const end = source.trimEnd().length;
  while (token.lastIndex < end) {
    const match = token.exec(source);
    if (match === null) return null;
    const [, name, number, quote, string, sign] = match;
    if (name !== undefined) found.push({ is: 'name', text: name });
    else if (number !== undefined) found.push({ is: 'number', text: number });
    else if (quote !== undefined) found.push({ is: 'string', text: (string ?? '').replaceAll(/\\(.)/g, '$1') });
    else found.push({ is: 'sign', text: sign ?? '' });
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
    if (next?.is !== 'sign' || next.text !== text) return false;
    this.at += 1;
    return true;
  }

  parseUnion(): PythonNode {
    const of = [this.parseOne()];
    while (this.acceptSign('|')) of.push(this.parseOne());
    return of.length === 1 && of[0] !== undefined ? of[0] : { is: 'either', of };
  }

  private parseList(close: string): PythonNode[] {
    const of: PythonNode[] = [];
    while (!this.acceptSign(close)) {
      of.push(this.parseUnion());
      if (!this.acceptSign(',') && this.tokens[this.at]?.text !== close) throw new Unreadable();
    }
    return of;
  }

  private arguments(): Argument[] {
    const input: Argument[] = [];
    while (!this.acceptSign(')')) {
      const [name, equals] = [this.tokens[this.at], this.tokens[this.at + 1]];
      const named = name?.is === 'name' && equals?.is === 'sign' && equals.text === '=';
      if (named) this.at += 2;
      input.push({ name: named ? name.text : null, value: this.parseUnion() });
      if (!this.acceptSign(',') && this.tokens[this.at]?.text !== ')') throw new Unreadable();
    }
    return input;
  }

  private parseOne(): PythonNode {
    if (this.acceptSign('[')) return { is: 'sequence', of: this.parseList(']') };
    if (this.acceptSign('(')) return { is: 'sequence', of: this.parseList(')') };
    if (this.acceptSign('...')) return { is: 'name', name: '...', of: [] };
    const next = this.tokens[this.at];
    this.at += 1;
    switch (next?.is) {
      case 'string':
        return { is: 'value', value: next.text };
      case 'number':
        return { is: 'value', value: Number(next.text) };
      case 'name':
        return this.parseNamed(next.text.split('.').at(-1) ?? next.text);
      default:
        throw new Unreadable();
    }
  }

  private parseNamed(name: string): PythonNode {
    if (name === 'None') return { is: 'value', value: null };
    if (name === 'True' || name === 'False') return { is: 'value', value: name === 'True' };
    if (this.acceptSign('[')) return { is: 'name', name, of: this.parseList(']') };
    if (this.acceptSign('(')) return { is: 'call', name, arguments: this.arguments() };
    return { is: 'name', name, of: [] };
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
