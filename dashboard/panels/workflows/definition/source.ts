/** YAML or JSON text with positions: its data, its syntax errors, and the range of each part. */
import { isAlias, isMap, isPair, isScalar, isSeq, visit, type Document, type Node } from 'yaml';
import { parseYaml } from '#api/yamlText.ts';
import { readPythonScalars } from '#dashboard/base/pythonYaml.ts';
import { findInexactNumber, formatJson, toNumber } from '#api/exactJson.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { errorText } from '#api/errorText.ts';
import { definitionTexts } from './texts.ts';
import { allSpellings } from './keys.ts';

/** Keys and indexes from the root. */
export type Path = readonly (string | number)[];
export type Severity = 'error' | 'warning' | 'unchecked';

/** An issue at a path of the definition. `part` marks the key instead of its value. */
export interface Issue {
  readonly path: Path;
  readonly severity: Severity;
  readonly message: string;
  readonly part?: 'key';
}

export interface SourceSpan {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export interface Problem extends SourceSpan {
  readonly severity: Severity;
  readonly message: string;
}

export interface Source {
  readonly text: string;
  /** Plain data; undefined if the text is not readable. */
  readonly value: unknown;
  readonly syntax: readonly Problem[];
  locate(issue: Pick<Issue, 'path' | 'part'>): SourceSpan;
}

const texts = definitionTexts.syntax;

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

/** Returns the pair of a map for a key or one of its other spellings. */
function findPair(node: unknown, key: string) {
  if (!isMap(node)) return undefined;
  const findByName = (name: string) => node.items.find((pair) => keyText(pair.key) === name);
  return findByName(key) ?? (allSpellings[key] ?? []).map(findByName).find((pair) => pair !== undefined);
}

type Offsets = readonly [from: number, to: number];

const getOffsets = (node: unknown): Offsets | null => {
  const range = (node as Node | null | undefined)?.range;
  return range ? [range[0], range[1]] : null;
};

/** Returns the range of the first line. */
function firstLineRange(text: string, [from, to]: Offsets): Offsets {
  const end = text.indexOf('\n', from);
  const until = end === -1 ? to : Math.min(to, end);
  return [from, Math.max(until, Math.min(from + 1, text.length))];
}

function resolveAlias(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** Returns the range at a path, or of the last existing part of the path. */
function findOffsets(document: Document, text: string, path: Path, markedPart: 'key' | undefined): Offsets {
  let node: unknown = document.contents;
  let range: Offsets =
    getOffsets(node) === null ? [0, 0] : [getOffsets(node)?.[0] ?? 0, (getOffsets(node)?.[0] ?? 0) + 1];
  for (const [index, segment] of path.entries()) {
    node = resolveAlias(node, document);
    const last = index === path.length - 1;
    if (typeof segment === 'number') {
      if (!isSeq(node)) break;
      const item: unknown = node.items[segment];
      const itemRange = getOffsets(item);
      if (itemRange === null) break;
      range = itemRange;
      node = item;
    } else {
      const pair = findPair(node, segment);
      if (pair === undefined) break;
      const [key, value] = [getOffsets(pair.key), getOffsets(pair.value)];
      const inline = isScalar(pair.value) || isAlias(pair.value);
      const empty = value === null || value[0] === value[1];
      range = (last && markedPart === 'key') || !inline || empty ? (key ?? range) : (value ?? range);
      node = pair.value;
    }
  }
  return firstLineRange(text, range);
}

export function readSource(text: string): Source {
  const { document, placeOf, toData } = parseYaml(text, { uniqueKeys: true, merge: true });
  const span = ([from, to]: Offsets): SourceSpan => ({ from, to, ...placeOf(from) });
  const toProblem = (range: Offsets, severity: Severity, message: string): Problem => ({
    ...span(range),
    severity,
    message,
  });
  const clip = ([from, to]: Offsets): Offsets => {
    const start = Math.min(from, Math.max(0, text.length - 1));
    return firstLineRange(text, [start, Math.max(start, to)]);
  };
  const yaml11Scalars = readPythonScalars(document, text);
  const syntax = [
    ...document.errors.map((error) => toProblem(clip(error.pos), 'error', texts.error(error.code, error.message))),
    ...document.warnings.map((warning) =>
      toProblem(clip(warning.pos), 'warning', texts.error(warning.code, warning.message)),
    ),
  ];
  for (const { node, source, value } of yaml11Scalars)
    syntax.push(
      toProblem(
        getOffsets(node) ?? [0, 0],
        'warning',
        texts.yaml11(source, formatJson(value), toNumber(value) === null ? typeof value : 'number'),
      ),
    );
  visit(document, {
    Scalar(_key, node) {
      const range = getOffsets(node);
      if (range === null) return;
      const inexact = findInexactNumber(node.value);
      if (inexact === null) return;
      const message =
        Number(inexact) === 0 ? schemaFormTexts.problems.storedAsZero(inexact) : 'Infinity and NaN can’t be sent.';
      syntax.push(toProblem(range, 'error', message));
    },
    Pair(_key, pair) {
      if (isPair(pair) && !isScalar(pair.key) && getOffsets(pair.key) !== null)
        syntax.push(
          toProblem(firstLineRange(text, getOffsets(pair.key) ?? [0, 0]), 'error', 'A key must be plain text.'),
        );
    },
  });
  const value = toPlainData(toData, (message) => {
    if (document.errors.length === 0) syntax.push(toProblem(clip([0, 1]), 'error', message));
  });
  return {
    text,
    value,
    syntax: syntax.toSorted((a, b) => a.from - b.from),
    locate: ({ path, part }) => span(findOffsets(document, text, path, part)),
  };
}

/** Returns the data; `undefined` if it can't be resolved, for example for a wrong merge. */
function toPlainData(toData: () => unknown, onError: (message: string) => void): unknown {
  try {
    return toData();
  } catch (error) {
    onError(errorText(error));
    return undefined;
  }
}
