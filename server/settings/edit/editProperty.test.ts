/** For any file: an edit changes only its own key, or is refused. */
import { array, assert, boolean, constantFrom, oneof, property, record, shuffledSubarray, string } from 'fast-check';
import { expect, it } from 'vitest';
import { testBudget } from '#api/fixtures/testBudget.ts';
import type { FileFormat } from '../parse/discovery.ts';
import { readDotenv } from '../parse/dotenv.ts';
import { readJson, readYaml } from '../parse/yamlAndJson.ts';
import type { Reading } from '../parse/problem.ts';
import { readToml } from '../parse/tomlFile.ts';
import { EditRefusedError, type FileEdit, editText } from './editText.ts';

const readers: Readonly<Record<FileFormat, (text: string) => Reading>> = {
  yaml: (text) => readYaml(text, '/f'),
  json: (text) => readJson(text, '/f'),
  toml: (text) => readToml(text, '/f'),
  dotenv: (text) => readDotenv(text, '/f', {}),
};

/** Realistic statements of a file; `edited` are notations of the key `k`, which the test edits. */
const statements: Readonly<
  Record<FileFormat, { readonly others: readonly string[]; readonly edited: readonly string[] }>
> = {
  yaml: {
    others: [
      '# a comment',
      '',
      'a: 1   # why',
      'b: &anchor "x # y"',
      'c: *anchor',
      'd:\n  - 1 # one\n  # two\n  - {x: [1, 2]}',
      'e: |\n  k: not a key\n\n  more',
      'f: >-\n    folded\n    text',
      'g: [a,\n  b, # in it\n  c]',
      'h:\n    k: nested\n    i: 2',
      "'quoted key': 'it''s'",
      'empty:',
      '? explicit\n: 3',
      'tagged: !!str 12',
    ],
    edited: [
      'k: 1',
      'k:   old  # why',
      'k:',
      'k: "a: b" # c',
      'k:\n  - a # one\n  - b',
      'k:\n- a\n- b # two',
      'k: [a, b] # c',
      'k: |\n  a\n  b',
      'k: *anchor',
      'k: &own 2',
      '"k": old',
      'k: !!str 1',
      'k:\n  a: 1\n  b: 2',
    ],
  },
  json: {
    others: ['"a": 1', '"b" : "k: \\"x\\""', '"c": [1, {"k": 2}]', '"d":\n    null', '"k2": "}"'],
    edited: ['"k": 1', '"k"  :  "x"', '"k": ["a",\n  "b"]', '"k": {"k": 1}', '"k": [\n    "a"\n  ]'],
  },
  toml: {
    others: [
      '# a comment',
      '',
      'a = 1 # why',
      'b = """k = 2\n# no"""',
      "c = 'it # is'",
      'd = [ 1, # one ]\n  2 ]',
      'e = {k = 1}',
      'f.k = 2',
    ],
    edited: [
      'k = 1',
      "k  = 'x' # c",
      'k = [\n  "a", # one\n  "b",\n]',
      'k = "x # y"',
      'k = """a\nb""" # c',
      '"k" = true',
    ],
  },
  dotenv: {
    others: [
      '# a comment',
      '',
      'A=1 # why',
      'export B="x\nk=no"',
      "C='it # is'",
      'D = spaced',
      'E=${A}x',
      'not a statement',
      'F',
    ],
    edited: ['k=1', 'export k = "x" # c', "k='a b'", 'k=', 'k="a\nb"', "'k'=x"],
  },
};

const text = string({ unit: 'grapheme', maxLength: 12 }).filter(
  (candidate) => !/[\p{Cc}\p{Cs}\ufeff]/u.test(candidate),
);
const plain = text.map((each) => `v${each}`.trim()).filter((each) => !each.includes('${'));
const value = oneof(plain, boolean(), constantFrom(0, 7, 2.5), array(plain, { maxLength: 3 }));
const edit = oneof(
  value.map((newValue): FileEdit => ({ kind: 'set', key: 'k', value: newValue })),
  constantFrom<FileEdit>({ kind: 'remove', keys: ['k'] }),
);

function createFile(
  format: FileFormat,
  others: readonly string[],
  statement: string,
  position: number,
  eol: string,
  hasFinalNewline: boolean,
): string {
  const list = others.toSpliced(position % (others.length + 1), 0, statement);
  const [joined, wrap] =
    format === 'json'
      ? [list.join(',\n  '), (body: string) => `{\n  ${body}\n}`]
      : [list.join('\n'), (body: string) => body];
  return `${wrap(joined)}${hasFinalNewline ? '\n' : ''}`.replaceAll('\n', eol);
}

/** Returns the value that a reader finds after the edit: in an environment file, always a text. */
function expectedContent(format: FileFormat, change: FileEdit): unknown {
  if (change.kind === 'remove') return undefined;
  if (format !== 'dotenv') return change.value;
  return typeof change.value === 'object' ? JSON.stringify(change.value) : String(change.value);
}

const otherKeys = ({ keys }: Reading) => keys.filter(({ key }) => key !== 'k').map(({ key, raw }) => [key, raw]);
const isValid = ({ problems }: Reading) => problems.every(({ severity }) => severity !== 'error');

it.each(['yaml', 'json', 'toml', 'dotenv'] as const)(
  'any edit of any %s file changes only the edited value or is refused',
  (format) => {
    const { others, edited } = statements[format];
    const file = record({
      others: shuffledSubarray([...others]),
      statement: constantFrom(...edited),
      position: constantFrom(...others.keys()),
      eol: constantFrom('\n', '\r\n'),
      hasFinalNewline: boolean(),
      byteOrderMark: constantFrom('', '\ufeff'),
    });
    const numRuns = testBudget(200, 1500);
    let editedCount = 0;
    assert(
      property(file, edit, (fileCase, change) => {
        const before = createFile(
          format,
          fileCase.others,
          fileCase.statement,
          fileCase.position,
          fileCase.eol,
          fileCase.hasFinalNewline,
        );
        const readingBefore = readers[format](before);
        // Skips files that are invalid, for example with an alias before its anchor.
        if (!isValid(readingBefore) || !readingBefore.keys.some(({ key }) => key === 'k')) return;
        let after: string;
        try {
          after = editText(format, fileCase.byteOrderMark + before, change);
        } catch (error) {
          expect(error).toBeInstanceOf(EditRefusedError);
          return;
        }
        editedCount += 1;
        expect(after.startsWith('\ufeff')).toBe(fileCase.byteOrderMark !== '');
        if (fileCase.eol === '\r\n') expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        for (const [comment] of fileCase.others.join('\n').matchAll(/# (?:a comment|why)$/gm))
          expect(after).toContain(comment);
        const readingAfter = readers[format](after.replace(/^\ufeff/, ''));
        expect(readingAfter.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(otherKeys(readingAfter)).toEqual(otherKeys(readingBefore));
        const raw = readingAfter.keys.find(({ key }) => key === 'k')?.raw;
        expect(raw && (raw.style === 'text' ? raw.text : raw.style === 'native' && raw.value)).toEqual(
          expectedContent(format, change),
        );
      }),
      { numRuns },
    );
    expect(editedCount).toBeGreaterThan(numRuns / 3);
  },
);
