/** Parses typed numbers. Ambiguous text is rejected with the possible meanings. */
import { schemaFormTexts } from './texts.ts';
import { exactValue, findInexactNumber, isExactJson, isNumberText } from '#api/exactJson.ts';

export type ParseResult<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export const success = <T>(value: T): ParseResult<T> => ({ ok: true, value });
export const failure = (problem: string): ParseResult<never> => ({ ok: false, problem });

const texts = schemaFormTexts.problems;
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Numbers with one thousands separator throughout. With commas or points, a decimal separator or several groups are
 * required, because `1,000` is ambiguous.
 */
const groupedByCommaOrSpace = [
  /^[+-]?[1-9]\d{0,2}(?:,\d{3})+\.\d+$/,
  /^[+-]?[1-9]\d{0,2}(?:,\d{3}){2,}$/,
  /^[+-]?[1-9]\d{0,2}(?:([ \u00a0\u2009\u202f'’_])\d{3})(?:\1\d{3})*(?:\.\d+)?$/,
] as const;
const groupedByPoint = [/^[+-]?[1-9]\d{0,2}(?:\.\d{3})+,\d+$/, /^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/] as const;

/** Removes the thousands separators, if any. */
function removeGrouping(text: string): string {
  if (groupedByPoint.some((pattern) => pattern.test(text))) return text.replaceAll('.', '').replace(',', '.');
  return groupedByCommaOrSpace.some((pattern) => pattern.test(text)) ? text.replaceAll(/[^\d.+-]/g, '') : text;
}

/** Parses a number, also with a decimal comma; returns a problem if the text is empty, ambiguous or not a number. */
export function readNumber(text: string): ParseResult<number> {
  const ungrouped = removeGrouping(text.trim().replace(/^−/, '-'));
  if (ungrouped === '') return failure('Enter a number: an empty field is not 0.');
  // Ambiguous: a fraction or a thousands separator.
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(ungrouped))
    return failure(
      `“${ungrouped}” can be a fraction or thousands. Write ${ungrouped.replace(',', '.')} for the fraction, ${ungrouped.replace(',', '')} for the whole number.`,
    );
  const plain = ungrouped.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (/^[+-]?[\d.,]*,[\d.,]*$/.test(plain)) return failure('Write numbers without commas, with a point for decimals.');
  if (/^[+-]?[\d.]+(?:[\s'’_][\d.]+)+$/.test(plain)) return failure('Write numbers without separators.');
  if (/^[+-]?(?:inf(?:inity)?|nan)$/i.test(plain)) return failure(texts.finite);
  if (!numberPattern.test(plain)) return failure(`“${plain}” is not a number.`);
  const value = Number(plain);
  if (!Number.isFinite(value)) return failure(texts.finite);
  if (value === 0 && (plain.startsWith('-') || /^[^e]*[1-9]/i.test(plain))) return failure(texts.storedAsZero(plain));
  if (Number.isInteger(value) && /^[+-]?\d+$/.test(plain) && !Number.isSafeInteger(value))
    return failure('This whole number is too large to be sent exactly.');
  return success(value);
}

/** Parses a number without losing digits: JSON's numbers are sent as they are typed. */
export function readExactNumber(text: string): ParseResult {
  const value = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text.trim()) ? exactValue(text.trim()) : null;
  return value === null || findInexactNumber(value) !== null ? readNumber(text) : success(value);
}

/** Formats a file size in decimal units: `1234` → `1.2 kB`. */
export function formatFileSize(bytes: number): string {
  const { byte, kilo, mega, giga } = schemaFormTexts.size;
  const units = [byte, kilo, mega, giga];
  // From 999.5 of a unit, because that is rounded to 1000.
  const unitIndex = units.findIndex((_unit, index) => bytes / 1000 ** index < 999.5);
  const power = unitIndex === -1 ? units.length - 1 : unitIndex;
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[power] ?? byte}`;
}

/** Whether `readScalar` reads the text as JSON; other text stays text. A separate file from the large parser. */
export function isJsonScalar(text: string): boolean {
  const trimmed = text.trim();
  return (
    /^(?:true|false|null|\{.*\}|\[.*\])$/s.test(trimmed) ||
    isNumberText(trimmed) ||
    (trimmed.startsWith('"') && isExactJson(trimmed))
  );
}
