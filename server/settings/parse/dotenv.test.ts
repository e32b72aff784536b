import { describe, expect, it } from 'vitest';
import { readDotenv } from './dotenv.ts';

const env = { OUTSIDE: 'out', EMPTY_OUTSIDE: '' };

function values(text: string): Record<string, string> {
  const keys = readDotenv(text, '/lab/.env', env).keys;
  return Object.fromEntries(keys.map(({ key, raw }) => [key, raw.style === 'text' ? raw.text : '?']));
}

/** Expected values are those of python-dotenv 1.2 for the same text. */
describe('values of an environment file', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a plain value', 'A=1', { A: '1' }],
    ['spaces around the equals sign', '  A = 1  ', { A: '1' }],
    ['an export', 'export A=1\nexport\tB=2', { A: '1', B: '2' }],
    ['an empty value', 'A=\nB=1', { A: '', B: '1' }],
    ['a bare name, which sets nothing', 'A\nB=1', { B: '1' }],
    ['a comment after a space', 'A=x # c', { A: 'x' }],
    ['a hash inside a word', 'A=x#c', { A: 'x#c' }],
    ['comment lines', '# A=1\n\n  # B=2\nC=3', { C: '3' }],
    ['double quotes with escapes', 'A="a\\nb\\t\\"c\\"" # c', { A: 'a\nb\t"c"' }],
    ['single quotes, which keep backslashes', "A='a\\nb'", { A: 'a\\nb' }],
    ['single quotes with an escaped single quote', "A='it\\'s'", { A: "it's" }],
    ['a multi-line value', 'A="one\ntwo"\nB=3', { A: 'one\ntwo', B: '3' }],
    ['a quoted key', "'A B'=2", { 'A B': '2' }],
    ['a reference to an earlier line', 'A=1\nB=${A}2', { A: '1', B: '12' }],
    ['interpolation in double and single quotes', 'A=1\nB="${A}"\nC=\'${A}\'', { A: '1', B: '1', C: '1' }],
    ['a reference to the environment', 'A=${OUTSIDE}', { A: 'out' }],
    ['an earlier line, which beats the environment', 'OUTSIDE=in\nA=${OUTSIDE}', { OUTSIDE: 'in', A: 'in' }],
    ['a default', 'A=${NOPE:-d}-${NOPE}', { A: 'd-' }],
    ['an empty variable, whose default is not used', 'A=${EMPTY_OUTSIDE:-d}', { A: '' }],
    ['a dollar sign without braces, which is not interpolated', 'A=$OUTSIDE', { A: '$OUTSIDE' }],
    ['names of object methods', 'A=${constructor}', { A: '' }],
    ['CRLF and CR', 'A=1\r\nB=2\rC=3\r\n', { A: '1', B: '2', C: '3' }],
    ['an equals sign in the value', 'A=b=c', { A: 'b=c' }],
    ['JSON in the value', 'A=["http://a", "*"]', { A: '["http://a", "*"]' }],
    ['a bare name, which removes the value', 'A=1\nB=${A}\nA\nC=-${A:-d}', { B: '1', C: '-' }],
    ['a repeated key, whose last value counts', 'A=1\nA=2', { A: '2' }],
  ])('readDotenv reads %s like python-dotenv', (_, text, expected) => {
    expect(values(text)).toEqual(expected);
  });
});

describe('positions in an environment file', () => {
  it('readDotenv reports the line of each key, also after multi-line values', () => {
    const { keys } = readDotenv('# c\nA="1\n2"\r\n\n  export B=1\n', '/lab/.env', {});
    expect(keys.map(({ key, line, column }) => [key, line, column])).toEqual([
      ['A', 2, 1],
      ['B', 5, 3],
    ]);
  });

  it.each([
    ['words without an equals sign', 'A=1\n\n bad line\nB=2', 3],
    ['text after quotes', 'A=1\nX="x" y\nB=2', 2],
    ['an unclosed quote', 'A=1\nX="x\nB=2', 2],
    ['a missing name', 'A=1\n=x\nB=2', 2],
  ])('readDotenv reports a malformed line and continues: %s', (_, text, line) => {
    const { keys, problems } = readDotenv(text, '/lab/.env', {});
    expect(keys.map(({ key }) => key)).toEqual(['A', 'B']);
    expect(problems).toMatchObject([{ severity: 'warning', source: 'dotenv', path: '/lab/.env', line }]);
  });
});
