/** Detects the encoding of a text file. */

/** Encodings by their names in `TextDecoder`. GB 18030 contains GBK. */
const decoderNames = {
  'UTF-8': 'utf-8',
  'UTF-16': 'utf-16le',
  'UTF-16 (big-endian)': 'utf-16be',
  'Windows-1252': 'windows-1252',
  Shift_JIS: 'shift_jis',
  GBK: 'gb18030',
} as const;
export type TextEncodingName = keyof typeof decoderNames;
export const textEncodings = Object.keys(decoderNames) as readonly TextEncodingName[];

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncodingName;
  /** Whether the bytes are plausible in other encodings too, so that letters may be wrong. */
  readonly isGuess: boolean;
}

export function decodeAs(bytes: Uint8Array, encoding: TextEncodingName): string {
  return new TextDecoder(decoderNames[encoding]).decode(bytes);
}

/** Returns the text, or `null` if it contains bytes that are invalid in the encoding. */
function tryDecode(bytes: Uint8Array, encoding: TextEncodingName): string | null {
  try {
    return new TextDecoder(decoderNames[encoding], { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The text of a file that must be UTF-8; `null` for another encoding and for binary files. */
export async function readUtf8(file: Blob): Promise<string | null> {
  const text = tryDecode(new Uint8Array(await file.arrayBuffer()), 'UTF-8');
  return text === null || text.includes('\0') ? null : text;
}

export function detectEncoding(bytes: Uint8Array): DecodedText {
  const unicode = detectUnicode(bytes);
  if (unicode !== null)
    return { text: decodeAs(bytes, unicode), encoding: unicode, isGuess: tryDecode(bytes, unicode) === null };
  const encoding = detectLegacyEncoding(bytes);
  return { text: decodeAs(bytes, encoding), encoding, isGuess: true };
}

function detectUnicode(bytes: Uint8Array): TextEncodingName | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16';
  if (first === 0xfe && second === 0xff) return 'UTF-16 (big-endian)';
  // Without a byte order mark: the high bytes of separators, digits and Latin letters are zero.
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const minZeros = bytes.length / 16;
  if (bytes.length % 2 === 0 && even === 0 && odd > minZeros) return 'UTF-16';
  if (bytes.length % 2 === 0 && odd === 0 && even > minZeros) return 'UTF-16 (big-endian)';
  return tryDecode(bytes, 'UTF-8') === null ? null : 'UTF-8';
}

const kana = /[\u3041-\u30FE]/;
/** Characters of Japanese and Chinese tables; half-width katakana are what Western letters look like in Shift_JIS. */
const eastAsianOnly = /^[\p{ASCII}\u2010-\u266F\u3000-\u30FE\u4E00-\u9FFF\uFF01-\uFF5E\uFFE0-\uFFE5]*$/u;
/** A run of bytes that are a letter each in Western encodings, and a character per two bytes in GBK. */
const highRuns = /[\u0080-\u00FF]+/g;

/**
 * Windows-1252 is the fallback, because each of its bytes is a character. In Western text, letters outside of ASCII stand
 * alone between others; Chinese words have several characters of two bytes from 0xA1.
 */
function detectLegacyEncoding(bytes: Uint8Array): TextEncodingName {
  const japanese = tryDecode(bytes, 'Shift_JIS');
  const isJapanese = japanese !== null && eastAsianOnly.test(japanese);
  if (isJapanese && kana.test(japanese)) return 'Shift_JIS';
  const runs =
    Array.from(bytes, (byte) => String.fromCharCode(byte))
      .join('')
      .match(highRuns) ?? [];
  const averageLength = runs.join('').length / runs.length;
  const arePairs = runs.every((run) => run.length % 2 === 0 && /^[\u00A1-\u00FE]+$/.test(run));
  const chinese = arePairs && averageLength >= 4 ? tryDecode(bytes, 'GBK') : null;
  if (chinese !== null && eastAsianOnly.test(chinese)) return 'GBK';
  return isJapanese ? 'Shift_JIS' : 'Windows-1252';
}
