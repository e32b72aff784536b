import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../parse/discovery.ts';
import { readDotenv } from '../parse/dotenv.ts';
import { readJson, readYaml } from '../parse/yamlAndJson.ts';
import type { Reading } from '../parse/problem.ts';
import { readToml } from '../parse/tomlFile.ts';
import { type FileEdit, type WrittenValue, editText } from './editText.ts';

const set = (value: WrittenValue, key = 'k'): FileEdit => ({ kind: 'set', key, value });
const remove = (...keys: string[]): FileEdit => ({ kind: 'remove', keys });

type Case = readonly [name: string, before: string, edit: FileEdit, after: string];

const yaml: readonly Case[] = [
  ['a value with a comment', '# top\nk:   1   # why\nz: 2\n', set(5), '# top\nk: 5   # why\nz: 2\n'],
  ['odd spacing elsewhere', 'a:    {x:  1}\nk: 1\nb:\n    - c\n', set(2), 'a:    {x:  1}\nk: 2\nb:\n    - c\n'],
  ['Windows line ends', '# c\r\nk: a\r\nz: 1\r\n', set('b'), '# c\r\nk: b\r\nz: 1\r\n'],
  ['a byte order mark', '\ufeffk: a\n', set('b'), '\ufeffk: b\n'],
  ['no line end', 'k: a', set('b'), 'k: b'],
  ['a value that is missing', 'k:\nz: 1\n', set(3), 'k: 3\nz: 1\n'],
  ['quotes', 'k: "a: b" # c\n', set('d'), 'k: d # c\n'],
  ['what needs quotes', 'k: a\n', set('yes: no'), 'k: "yes: no"\n'],
  ['a text over several lines', 'k: |\n  a\n  b\nz: 1\n', set('c'), 'k: c\nz: 1\n'],
  ['the last of equal keys', 'k: 1\nk: 2\n', set(3), 'k: 1\nk: 3\n'],
  ['an alias', 'a: &x 1\nk: *x\n', set(2), 'a: &x 1\nk: 2\n'],
  ['an unused anchor', 'k: &x 1 # c\n', set(2), 'k: 2 # c\n'],
  ['an anchor beside the same text', 'k: &x 1\nz: "*x" # *xy\n', set(2), 'k: 2\nz: "*x" # *xy\n'],
  ['a new key after empty braces', '# c\n{} # d\n', set(2), '# c\n # d\n\nk: 2\n'],
  ['a list with a # in its texts', "k: [\"a #b\", 'it''s #c']\n", set(['d']), 'k: [d]\n'],
  ['a tag', 'k: !!str 12\n', set(2), 'k: 2\n'],
  ['a comment after no value', 'k:  # c\nz: 1\n', set(2), 'k: 2 # c\nz: 1\n'],
  ['a list in brackets', 'k: [a,\n  b] # c\nz: 1\n', set(['c', 'd']), 'k: [c, d] # c\nz: 1\n'],
  ['an empty list', 'k: [a]\n', set([]), 'k: []\n'],
  ['one item more in lines', 'k:\n  - a\n  - b\nz: 1\n', set(['a', 'b', 'c']), 'k:\n  - a\n  - b\n  - c\nz: 1\n'],
  ['items with comments', 'k:\n- a # one\n- b # two\n', set(['b', 'c']), 'k:\n- b # two\n- c\n'],
  ['other items in lines', 'k:\n  - a\n  - b\nz: 1\n', set(['c']), 'k:\n  - c\nz: 1\n'],
  ['another order in lines', 'k:\n  - a\n  - b\n', set(['b', 'a']), 'k:\n  - b\n  - a\n'],
  ['lines, the last without an end', 'k:\n  - a', set(['a', 'b']), 'k:\n  - a\n  - b'],
  ['lines that become one value', 'k:\n  - a\nz: 1\n', set('None'), 'k: None\nz: 1\n'],
  ['lines that become none', 'k: # why\n  - a\nz: 1\n', set([]), 'k: # why\n  []\nz: 1\n'],
  ['a new key', 'a: 1\n# end\n', set(2), 'a: 1\n# end\nk: 2\n'],
  ['a new key where all are indented', '  a: 1\n  b: 2\n', set(2), '  a: 1\n  b: 2\n  k: 2\n'],
  ['a new key before the end of the document', '---\na: 1\n...\n', set(2), '---\na: 1\nk: 2\n...\n'],
  ['a new key over a merged one', 'b: &b {k: 1}\n<<: *b\n', set(2), 'b: &b {k: 1}\n<<: *b\nk: 2\n'],
  ['removing', '# about\nk: 1 # c\nz: 2\n', remove('k'), '# about\nz: 2\n'],
  ['removing every spelling', 'k: 1\na: 2\nlab_k: 3\nk: 4', remove('lab_k', 'k'), 'a: 2\n'],
  ['removing lines', 'k:\n  - a\n  - b\nz: 1\n', remove('k'), 'z: 1\n'],
  ['removing a long text, not the blank line after it', 'k: |\n  a\n\nz: 1\n', remove('k'), '\nz: 1\n'],
];

const json: readonly Case[] = [
  ['a value', '{\n  "a": 1,\n  "k" : "x"\n}\n', set('y'), '{\n  "a": 1,\n  "k" : "y"\n}\n'],
  ['Windows line ends', '{\r\n\t"k": 1\r\n}\r\n', set(true), '{\r\n\t"k": true\r\n}\r\n'],
  ['a byte order mark', '\ufeff{"k": 1}', set(2), '\ufeff{"k": 2}'],
  ['the last of equal keys', '{"k": 1, "k": 2}', set(3), '{"k": 1, "k": 3}'],
  ['a list in one line', '{"k": ["a"]}', set(['b', 'c']), '{"k": ["b","c"]}'],
  ['a list in lines', '{\n  "k": [\n    "a"\n  ]\n}\n', set(['b', 'c']), '{\n  "k": ["b","c"]\n}\n'],
  ['removing the last', '{\n  "a": 1,\n  "k": 2\n}\n', remove('k'), '{\n  "a": 1\n}\n'],
  ['removing the first', '{\n  "k": 2,\n  "a": 1\n}\n', remove('k'), '{\n  "a": 1\n}\n'],
  ['removing the only one', '{"k": 2}', remove('k'), '{}'],
  ['removing every spelling', '{"k": 1, "lab_k": 2, "k": 3}', remove('k', 'lab_k'), '{}'],
];

const toml: readonly Case[] = [
  ['a value with a comment', '# top\nk  = "a"   # why\n', set('b'), '# top\nk  = "b"   # why\n'],
  ['a # in a text', 'k = "a # b" # c\n', set('d # e'), 'k = "d # e" # c\n'],
  ['single quotes', "k = 'a'\n", set('b\\c'), "k = 'b\\c'\n"],
  ['a value that single quotes cannot represent', "k = 'a'\n", set("it's"), 'k = "it\'s"\n'],
  ['Windows line ends', 'k = 1\r\nz = 2\r\n', set(3), 'k = 3\r\nz = 2\r\n'],
  ['a byte order mark', '\ufeffk = 1\n', set(2), '\ufeffk = 2\n'],
  ['a list in one line', 'k = [ "a" ] # c\n', set(['b', 'c']), 'k = ["b", "c"] # c\n'],
  [
    'a line of the same form in a text',
    "a = '''\n\"\\q\" = 1\n[k]\nk = 2\n'''\nk = 3\n",
    set(4),
    "a = '''\n\"\\q\" = 1\n[k]\nk = 2\n'''\nk = 4\n",
  ],
  ['after lists of lists', 'a = [\n  [1],\n  ["k"]\n]\nk = 1\n', set(2), 'a = [\n  [1],\n  ["k"]\n]\nk = 2\n'],
  ['before tables', 'k = 1\n\n[otel]\nk = 2\n', set(3), 'k = 3\n\n[otel]\nk = 2\n'],
  ['removing', '# about\nk = 1 # c\nz = 2\n[otel]\nk = 2\n', remove('k'), '# about\nz = 2\n[otel]\nk = 2\n'],
  [
    'removing with a line of the same form in a text',
    'a = """\nk = 2\n"""\nk = 1\n',
    remove('k'),
    'a = """\nk = 2\n"""\n',
  ],
  ['removing every spelling', 'k = ["a"]\nz = 2\nlab_k = 1', remove('k', 'lab_k'), 'z = 2\n'],
];

const dotenv: readonly Case[] = [
  ['a value with a comment', '# top\nexport k = a # why\nz=1\n', set('b'), '# top\nexport k = b # why\nz=1\n'],
  ['double quotes', 'k="a b" # c\n', set('d e'), 'k="d e" # c\n'],
  ['single quotes', "k='a'\n", set('it’s “b”'), "k='it’s “b”'\n"],
  ['a space', 'k=a\n', set('Bench 4'), "k='Bench 4'\n"],
  ['what needs quotes', 'k=a\n', set('b # c'), "k='b # c'\n"],
  ['a quote in it', 'k=a\n', set("it's"), 'k="it\'s"\n'],
  ['both quotes in it', 'k=a\n', set(`it's "b"`), 'k="it\'s \\"b\\""\n'],
  ['what a shell would expand', 'k="a"\n', set('a $b `c`'), "k='a $b `c`'\n"],
  ['a backslash', 'k="a"\n', set('C:\\lab'), 'k="C:\\\\lab"\n'],
  ['a list', 'k=["a"]\n', set(['b', 'c']), 'k=\'["b","c"]\'\n'],
  ['Windows line ends', 'k=a\r\nz=1\r\n', set('b'), 'k=b\r\nz=1\r\n'],
  ['a byte order mark', '\ufeffk=a\n', set('b'), '\ufeffk=b\n'],
  ['an empty value', 'k=\nz=1\n', set('b'), 'k=b\nz=1\n'],
  ['the last of equal names', 'k=a\nk=b', set('c'), 'k=a\nk=c'],
  ['quotes over lines', 'k="a\nb"\nz=1\n', set('c'), 'k="c"\nz=1\n'],
  ['removing', '# about\nexport k=a # c\nz=1\n', remove('k'), '# about\nz=1\n'],
  ['removing every spelling', 'k=a\nz=1\nLAB_K="b\nc"\n', remove('k', 'LAB_K'), 'z=1\n'],
];

const readers: Readonly<Record<FileFormat, (text: string) => Reading>> = {
  yaml: (text) => readYaml(text, '/f'),
  json: (text) => readJson(text, '/f'),
  toml: (text) => readToml(text, '/f'),
  dotenv: (text) => readDotenv(text, '/f', {}),
};

describe.each([
  ['yaml', yaml],
  ['json', json],
  ['toml', toml],
  ['dotenv', dotenv],
] as const)('an edit of %s', (format, cases) => {
  it.each(cases)('handles %s', (_name, before, edit, after) => {
    expect(editText(format, before, edit)).toBe(after);
    // The reader finds the written value.
    const { keys, problems } = readers[format](after.replace(/^\ufeff/, ''));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const found = keys.find(({ key }) => key === 'k')?.raw;
    if (edit.kind === 'remove') return expect(found).toBeUndefined();
    const value = found?.style === 'text' && typeof edit.value === 'object' ? JSON.parse(found.text) : found;
    expect(value).toEqual(
      found?.style !== 'text'
        ? { style: 'native', value: edit.value }
        : typeof edit.value === 'object'
          ? edit.value
          : { style: 'text', text: String(edit.value) },
    );
  });
});

it.each<[FileFormat, string, FileEdit, RegExp]>([
  ['yaml', 'k: &x 1\na: *x\n', set(2), /anchor &x, which other keys use/],
  ['yaml', 'k: &x 1\na: *x\n', remove('k'), /anchor &x/],
  ['yaml', '{a: 1, k: 2}\n', set(3), /its settings are in braces/],
  ['yaml', 'k:\n  - a\n  # two\n  - b\n', set(['b']), /comment lines in its list/],
  ['json', '{"a": 1}', set(2), /k is not in it any more/],
  ['toml', '[k]\na = 1\n', set(2), /k is a table or has several lines there/],
  ['toml', 'k.a = 1\n', remove('k'), /k is a table or has several lines there/],
  ['toml', 'k = [\n  "a", # one ]\n]\nz = 1\n', set(['b']), /several lines/],
  ['toml', 'k = """a\nb""" # c\n', remove('k'), /several lines/],
  ['toml', 'a = 1\n', set(2), /k is not in it any more/],
  ['dotenv', 'k=a\n', set('${HOME}/x'), /can’t be written in an environment file/],
  ['dotenv', 'k=a\n', set("it's $b"), /\$ or ` beside ' or \\ can’t be written in an environment file/],
  ['dotenv', 'a=b\n', set('c'), /k is not in it any more/],
])('an edit of %s: %j is rejected', (format, before, edit, reason) => {
  expect(() => editText(format, before, edit)).toThrow(reason);
});
