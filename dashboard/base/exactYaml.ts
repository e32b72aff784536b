/** Numbers of a YAML document without loss, as `parseExactJson` keeps those of JSON. */
import { visit, type Document, type ScalarTag } from 'yaml';
import { exactText, exactValue } from '../../api/exactJson.ts';

/** Replaces each number that JavaScript would change by its text; YAML's own notations, such as `0x10`, stay numbers. */
export function preserveExactNumbers(document: Document): void {
  visit(document, {
    Scalar(key, node) {
      // A key is always a text in JSON.
      if (key === 'key') return;
      // Python's spelling of numbers that YAML reads as texts.
      if (node.type === 'PLAIN' && /^(?:NaN|-?Infinity)$/.test(String(node.source))) node.value = Number(node.source);
      else if (typeof node.value === 'number' && Number.isFinite(node.value) && node.source !== undefined)
        node.value = exactValue(node.source.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'));
    },
  });
}

/** Serializes the numbers that are kept as text. @param format returns the number in the notation of the reader */
export const exactNumberTag = (format: (text: string) => string = (text) => text): ScalarTag => ({
  default: true,
  tag: 'tag:yaml.org,2002:float',
  identify: (value) => exactText(value) !== null,
  // Matches nothing: the tag is only for serializing.
  test: /^(?!)/,
  resolve: (text) => text,
  stringify: ({ value }) => format(exactText(value) ?? ''),
});
