/** Extracts error messages from the text representation of Python objects. */

/** A Python string literal: in single quotes, or in double quotes if it contains single ones. */
const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const errorObject = new RegExp(String.raw`\bError\(message=(None|${literal})`, 'gs');

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Returns the value of a Python string literal. */
export function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gs, (_whole, byte?: string, unit?: string, other = '') => {
      const code = byte ?? unit;
      return code === undefined ? (escapes[other] ?? other) : String.fromCodePoint(Number.parseInt(code, 16));
    });
}

interface ErrorRepr {
  /** The text before the object. */
  readonly prefix: string;
  /** The messages of the errors in it. */
  readonly messages: readonly string[];
}

/** Finds the representation of an action result or of errors anywhere in a text; `null` if there is none. */
export function parseErrorRepr(text: string): ErrorRepr | null {
  const start = /\baction_id=['"]|\berrors=\[|\[?\bError\(message=/.exec(text);
  if (start === null || !/\berrors=\[|\bError\(message=/.test(text)) return null;
  const messages = [...text.slice(start.index).matchAll(errorObject)].flatMap(([, quoted = 'None']) =>
    quoted === 'None' ? [] : [unquote(quoted)],
  );
  return { prefix: text.slice(0, start.index), messages };
}
