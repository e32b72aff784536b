/** Texts that Python wrote of its own objects: the messages of the errors in them. Pure. */

/** How Python writes a string: in single quotes, or in double ones where it has single ones in it. */
const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const errorObject = new RegExp(String.raw`\bError\(message=(None|${literal})`, 'gs');

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** What a literal of Python stands for. */
export function unquoted(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gs, (_whole, byte?: string, unit?: string, other = '') => {
      const code = byte ?? unit;
      return code === undefined ? (escapes[other] ?? other) : String.fromCodePoint(Number.parseInt(code, 16));
    });
}

interface ReprOfErrors {
  /** What stands before the object. */
  readonly before: string;
  /** Of each error in it that has one. */
  readonly messages: readonly string[];
}

/** The result of an action as Python writes it, wherever in the text it begins; `null` where there is none. */
export function reprOfErrors(text: string): ReprOfErrors | null {
  const begin = /\baction_id=['"]|\berrors=\[|\[?\bError\(message=/.exec(text);
  if (begin === null || !/\berrors=\[|\bError\(message=/.test(text)) return null;
  const messages = [...text.slice(begin.index).matchAll(errorObject)].flatMap(([, quoted = 'None']) =>
    quoted === 'None' ? [] : [unquoted(quoted)],
  );
  return { before: text.slice(0, begin.index), messages };
}
