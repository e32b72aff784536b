import { describe, expect, it } from 'vitest';
import { readJson, readYaml } from './yamlAndJson.ts';
import type { Reading } from './problem.ts';
import { readToml } from './tomlFile.ts';

const readers = { json: readJson, toml: readToml, yaml: readYaml };
type Format = keyof typeof readers;

const read = (format: Format, text: string): Reading => readers[format](text, `/lab/settings.${format}`);
const summarize = (reading: Reading) =>
  reading.keys.map(({ key, raw, line, column }) => [key, raw.style === 'native' ? raw.value : '?', line, column]);

describe('keys, values and places of a file', () => {
  it.each<[Format, string, string, unknown[][]]>([
    [
      'json',
      'object',
      '{\n  "a": 1,\r\n  "b": [true, null]\n}',
      [
        ['a', 1, 2, 3],
        ['b', [true, null], 3, 3],
      ],
    ],
    ['json', 'escapes in keys', '{"\\u0061": "x"}', [['a', 'x', 1, 2]]],
    ['json', 'empty', '', []],
    ['json', 'blank', ' \n', []],
    ['json', 'empty object', '{}', []],
    [
      'yaml',
      'mapping',
      '# c\na: 1\nb:\n  - x\nc: None\n',
      [
        ['a', 1, 2, 1],
        ['b', ['x'], 3, 1],
        ['c', 'None', 5, 1],
      ],
    ],
    [
      'yaml',
      '1.2 words',
      'a: yes\nb: on\nc: true\nd: ~\ne:\n',
      [
        ['a', 'yes', 1, 1],
        ['b', 'on', 2, 1],
        ['c', true, 3, 1],
        ['d', null, 4, 1],
        ['e', null, 5, 1],
      ],
    ],
    [
      'yaml',
      'flow and quotes',
      '{a: "1", \'b\': 2}',
      [
        ['a', '1', 1, 2],
        ['b', 2, 1, 10],
      ],
    ],
    [
      'yaml',
      'anchors and merge keys',
      'x: &x {a: 1}\n<<: *x\nb: 2\n',
      [
        ['x', { a: 1 }, 1, 1],
        ['a', 1, 2, 1],
        ['b', 2, 3, 1],
      ],
    ],
    ['yaml', 'one document with marks', '---\na: 1\n...\n', [['a', 1, 2, 1]]],
    ['yaml', 'empty', '', []],
    ['yaml', 'comments only', '# nothing\n', []],
    ['yaml', 'null', '---\n', []],
    [
      'toml',
      'keys',
      '# c\na = 1\n"b c" = "x"\n',
      [
        ['a', 1, 2, 1],
        ['b c', 'x', 3, 1],
      ],
    ],
    [
      'toml',
      'strings over lines',
      'a = """\nb = 1\n"""\nc = \'\'\'\nd = 2\'\'\'\ne = 3',
      [
        ['a', 'b = 1\n', 1, 1],
        ['c', 'd = 2', 4, 1],
        ['e', 3, 6, 1],
      ],
    ],
    [
      'toml',
      'arrays over lines',
      'a = [\n  "]", # ]\n  "c"\n]\nc = 1',
      [
        ['a', [']', 'c'], 1, 1],
        ['c', 1, 5, 1],
      ],
    ],
    [
      'toml',
      'tables',
      'a = 1\n[otel]\nb = 2\n[[c]]\nd = 1',
      [
        ['a', 1, 1, 1],
        ['otel', { b: 2 }, 2, 2],
        ['c', [{ d: 1 }], 4, 3],
      ],
    ],
    [
      'toml',
      'dotted keys',
      'a.b = 1\na.c = 2\nd = 3',
      [
        ['a', { b: 1, c: 2 }, 1, 1],
        ['d', 3, 3, 1],
      ],
    ],
    [
      'toml',
      'escaped quotes',
      'a = "\\"#" # "\n\'b\' = \'#\'',
      [
        ['a', '"#', 1, 1],
        ['b', '#', 2, 1],
      ],
    ],
    ['toml', 'empty', '', []],
  ])('are read from %s: %s', (format, _, text, expected) => {
    const reading = read(format, text);
    expect(reading.problems).toEqual([]);
    expect(summarize(reading)).toEqual(expected);
  });
});

describe('a broken file', () => {
  it.each<[Format, string, string, number | null, number | null, RegExp]>([
    ['json', 'trailing comma', '{\n "a": 1,\n}', 3, 1, /not valid JSON/],
    ['json', 'comment', '{\n // c\n "a": 1}', 2, 2, /not valid JSON/],
    ['json', 'single quotes', "{'a': 1}", 1, 2, /not valid JSON/],
    ['json', 'leading zero', '{"a": 01}', 1, 7, /not valid JSON/],
    ['json', 'line break in a string', '{"b": "é",\n "a": "x\ny"}', 2, 9, /line break or control/],
    ['json', 'after the end', '{} x', 1, 4, /not valid JSON/],
    ['json', 'list', '\n []', 2, 2, /not an object/],
    ['json', 'null', 'null', 1, 1, /not an object/],
    ['yaml', 'two documents', 'a: 1\n---\nb: 2\n', 2, 1, /second document/],
    ['yaml', 'list', '- a\n', 1, 1, /not a mapping/],
    ['yaml', 'text', 'hello', 1, 1, /not a mapping/],
    ['yaml', 'open quote', 'a: 1\nb: "x\n', 3, 1, /not valid YAML/],
    ['yaml', 'tab', 'a:\n\tb: 1', 2, 1, /not valid YAML/],
    ['yaml', 'unknown alias', 'a: *b', null, null, /not .* YAML/],
    ['toml', 'no value', 'a = 1\nb =\n', 2, null, /not valid TOML/],
    ['toml', 'bare text', 'a = hello', 1, null, /not valid TOML/],
    ['toml', 'equal keys', 'a = 1\na = 2', 2, null, /not valid TOML/],
  ])('is reported with its error in %s: %s', (format, _, text, line, column, message) => {
    const { problems } = read(format, text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: 'error', source: format, path: `/lab/settings.${format}` });
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.message).not.toContain('\n');
    if (line !== null) {
      expect(problems[0]?.line).toBe(line);
    }
    if (column !== null) {
      expect(problems[0]?.column).toBe(column);
    }
  });

  it('is reported with every error in YAML', () => {
    expect(read('yaml', 'a: "x" y\nb: "x" y\n').problems).toHaveLength(2);
  });

  it('is reported when its aliases multiply', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level += 1) {
      const alias = `*${'abcdefghi'.charAt(level - 1)}`;
      lines.push(`${'abcdefghi'.charAt(level)}: &${'abcdefghi'.charAt(level)} [${Array(9).fill(alias).join(', ')}]`);
    }
    expect(read('yaml', lines.join('\n')).problems).toMatchObject([{ severity: 'error' }]);
  });
});

describe('equal keys in a file', () => {
  it.each<[Format, string]>([
    ['json', '{"a": 1,\n "b": 0,\n "a": 2}'],
    ['yaml', 'a: 1\nb: 0\na: 2\n'],
  ])('cause a warning in %s, and the last one counts', (format, text) => {
    const { keys, problems } = read(format, text);
    expect(keys.find(({ key }) => key === 'a')).toMatchObject({ raw: { value: 2 }, line: 3 });
    expect(problems).toMatchObject([{ severity: 'warning', key: 'a', line: 3 }]);
    expect(problems[0]?.message).toContain('line 1');
  });
});

it.each<[Format, string]>([
  ['yaml', String.raw`a: "C:\ui\new"`],
  ['toml', String.raw`a = "C:\ui\new"`],
])('the problem of a Windows path in double quotes in a %s file suggests single quotes', (format, text) => {
  const [problem] = read(format, text).problems;
  expect(problem?.expected).toBe(
    String.raw`backslashes in single quotes, or each of them twice: 'C:\lab' or "C:\\lab"`,
  );
});
