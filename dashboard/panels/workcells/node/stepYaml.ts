/** A step as YAML that MADSci's Python reads as it was meant. The library is loaded when somebody copies. */
import type { ScalarTag } from 'yaml';
import type { JsonObject } from '../../../../api/client/wire.ts';
import { workcellTexts } from '../texts.ts';

/** Python reads `1e-7` as a text: it wants a point and a sign, as in `1.0e-7`. */
export function pythonNumber(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = /^[+-]/.test(exponent) ? '' : '+';
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${sign}${exponent}`;
}

/** Signs that mean something to Python's reader though the library leaves them bare. */
const special = new Set(['=', '<<']);

/** One item of `steps:`, with a line for each file that the workflow must declare. */
export async function stepYaml(step: JsonObject): Promise<string> {
  const { Document, Scalar, visit } = await import('yaml');
  const withExponent: ScalarTag = {
    default: true,
    tag: 'tag:yaml.org,2002:float',
    identify: (value) => typeof value === 'number' && String(value).includes('e'),
    // Only for writing: nothing is read by it.
    test: /^(?!)/,
    resolve: (text) => text,
    stringify: ({ value }) => pythonNumber(Number(value)),
  };
  // Python's reader is one of YAML 1.1: `yes`, `on` and `1:30` must be quoted to stay texts.
  const document = new Document([step], {
    version: '1.1',
    customTags: (tags) => [
      withExponent,
      ...tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge'),
    ],
  });
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && special.has(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ directives: false, lineWidth: 0 });
  const files = Object.values((step['files'] ?? {}) as Record<string, string>);
  return files.map((key) => `${workcellTexts.send.fileComment(key)}\n`).join('') + text;
}
