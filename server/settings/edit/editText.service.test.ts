import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readDotenv } from '../parse/dotenv.ts';
import { editText } from './editText.ts';

it
  .skipIf(process.platform === 'win32')
  .each([
    "Dr. O'Neill's lab",
    'Bench 4; echo done',
    'C:\\lab\\new',
    `both ' and "`,
    'a & b | (c) <d>',
    'cost $5 `now`',
    '~/lab',
    '*',
  ])('a shell that sources the environment file reads %j like this program', (value) => {
  for (const before of ['k=a\n', "k='a'\n", 'k="a"\n']) {
    const after = editText('dotenv', before, { kind: 'set', key: 'k', value });
    expect(execFileSync('sh', ['-c', `${after}printf %s "$k"`], { encoding: 'utf8' }), after).toBe(value);
    expect(readDotenv(after, '/f', {}).keys[0]?.raw).toEqual({ style: 'text', text: value });
  }
});
