import { expect, it } from 'vitest';
import { readReason } from './managerError.ts';

it.each([
  [
    { detail: [{ loc: ['query', 'n'], msg: 'too big' }, { msg: 'and wrong' }, 'odd'] },
    'query.n: too big; and wrong; odd',
  ],
  [{ detail: { code: 7 } }, '{"code":7}'],
  [{ error: 'broken' }, 'broken'],
  [{ detail: '' }, ''],
  [[], null],
  [' ', null],
  [null, null],
  [{ detail: 'x'.repeat(400) }, `${'x'.repeat(299)}…`],
])('the client reads the reason from the body %j', (body, reason) => {
  expect(readReason(body) ?? null).toBe(reason === '' ? '""' : reason);
});
