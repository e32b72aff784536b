/**
 * YAML as MADSci's programs read it: PyYAML implements YAML 1.1, where `1:30` is 90, `0755` is 493, `yes` is true and `1e3` is
 * text. Numbers that JavaScript would change are kept as `parseExactJson` keeps those of JSON.
 * Source: PyYAML 6.0.3, `resolver.py` and `constructor.py`.
 */
import { Document, Scalar, visit, type ScalarTag } from 'yaml';
import { exactText, exactValue, isExactJson, toNumber } from '../../api/exactJson.ts';

const booleans = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const nulls = /^(?:~|null|Null|NULL|)$/;
const integers =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const floats =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

const isTrue = (text: string): boolean => /^(?:yes|true|on)$/i.test(text);

/** The digits between colons, as in `12:30:00`. */
function fromSexagesimal(digits: string): number {
  return digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

function readInteger(text: string): number | string {
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  if (digits.includes(':')) return exactValue(`${sign}${fromSexagesimal(digits)}`);
  const number = /^0[0-7]/.test(digits) ? `0o${digits}` : digits;
  const value = BigInt(number);
  return exactValue(String(sign === '-' ? -value : value));
}

function readFloat(text: string): number | string {
  const digits = text.replace(/^\+/, '').replaceAll('_', '').toLowerCase();
  if (digits.endsWith('.inf')) return digits.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (digits === '.nan') return Number.NaN;
  if (digits.includes(':')) {
    const value = fromSexagesimal(digits.replace(/^-/, ''));
    return exactValue(`${digits.startsWith('-') ? '-' : ''}${Number.isInteger(value) ? `${value}.0` : value}`);
  }
  const number = digits
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|$)/, '.0')
    // As Python writes a float: `1e-07`, which `formatPythonFloat` had to extend.
    .replace(/\.0(?=e)/, '');
  // A float without a point would be an integer in JSON.
  return exactValue(/[.e]/.test(number) ? number : `${number}.0`);
}

/** The value of an unquoted scalar. Dates stay texts, as in JSON. */
function readPlain(source: string): unknown {
  if (booleans.test(source)) return isTrue(source);
  if (nulls.test(source)) return null;
  try {
    if (integers.test(source)) return readInteger(source);
  } catch {
    return source; // PyYAML rejects `0b_`.
  }
  return floats.test(source) ? readFloat(source) : source;
}

/** The value of a scalar with an explicit tag; `undefined` for another tag, and if it is not such a value. */
function readTagged(tag: string | undefined, source: string): unknown {
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    'tag:yaml.org,2002:bool': (text) => (booleans.test(text) ? isTrue(text) : undefined),
    'tag:yaml.org,2002:null': () => null,
    'tag:yaml.org,2002:int': readInteger,
    'tag:yaml.org,2002:float': readFloat,
  };
  try {
    const value = readers[tag ?? '']?.(source);
    return Number.isNaN(value) && !/nan/i.test(source) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** An unquoted scalar that YAML 1.2 reads differently. */
export interface Yaml11Scalar {
  readonly node: Scalar;
  readonly source: string;
  readonly value: unknown;
}

/**
 * Gives each scalar of the document its value in Python, and each number all its digits. A text that is JSON is read as JSON.
 * @returns the scalars that YAML 1.2 reads differently
 */
export function readPythonScalars(document: Document, text: string): readonly Yaml11Scalar[] {
  const differing: Yaml11Scalar[] = [];
  const isJsonText = isExactJson(text);
  let hasUnreadableTag = false;
  visit(document, {
    Scalar(key, node) {
      // A key is always a text in JSON.
      if (key === 'key' || node.source === undefined) return;
      const { value: before, source, tag } = node;
      if (node.type === 'PLAIN' && tag === undefined) {
        node.value = isJsonText ? readJsonScalar(before, source) : readPlain(source);
        if (!Object.is(toNumber(before) ?? before, toNumber(node.value) ?? node.value))
          differing.push({ node, source, value: node.value });
      } else {
        const value = readTagged(tag, source);
        if (value === undefined) hasUnreadableTag ||= tag !== undefined;
        else node.value = value;
      }
    },
  });
  // The parser doesn't know these tags with the notations of YAML 1.1.
  if (!hasUnreadableTag) document.warnings = document.warnings.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
  return isJsonText ? [] : differing;
}

/** Python also writes `NaN` and `Infinity` to JSON. */
function readJsonScalar(value: unknown, source: string): unknown {
  return typeof value === 'number' || /^(?:NaN|-?Infinity)$/.test(source) ? exactValue(source) : value;
}

/** Python's parser reads `1e-7` as text: floats need a decimal point and a sign, as in `1.0e-7`. */
export function formatPythonFloat(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  if (exponent === undefined) return mantissa;
  const sign = /^[+-]/.test(exponent) ? '' : '+';
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${sign}${exponent}`;
}

/** Serializes the numbers that `identify` accepts. */
const numberTag = (identify: (value: unknown) => boolean, format: (value: unknown) => string): ScalarTag => ({
  default: true,
  tag: 'tag:yaml.org,2002:float',
  identify,
  // Matches nothing: the tag is only for serializing.
  test: /^(?!)/,
  resolve: (text) => text,
  stringify: ({ value }) => formatPythonFloat(format(value)),
});

/** Characters with a meaning in Python's YAML parser that this library leaves unquoted. */
const specialScalars = new Set(['=', '<<']);

/** Serializes a value so that Python and this page read it unchanged: texts such as `yes`, `on` and `1:30` are quoted. */
export function formatPythonYaml(value: unknown): string {
  const document = new Document(value, {
    version: '1.1',
    customTags: (tags) => [
      numberTag((number) => typeof number === 'number' && String(number).includes('e'), String),
      numberTag(
        (number) => exactText(number) !== null,
        (number) => exactText(number) ?? '',
      ),
      ...tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge'),
    ],
  });
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && specialScalars.has(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ directives: false, lineWidth: 0 });
}
