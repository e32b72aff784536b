import { describe, expect, it } from 'vitest';
import { booleanQuery } from './queryParameters.ts';

const ask = (query: string, fallback = true) => booleanQuery(new URLSearchParams(query), 'on', fallback);

describe('booleanQuery', () => {
  it.each(['true', 'TRUE', '1', 'on', 'yes', 't', 'Y'])('%s is true', (word) => {
    expect(ask(`on=${word}`, false)).toEqual({ ok: true, value: true });
  });

  it.each(['false', 'False', '0', 'off', 'no', 'f', 'N'])('%s is false', (word) => {
    expect(ask(`on=${word}`)).toEqual({ ok: true, value: false });
  });

  it('is the default when it is not there', () => {
    expect(ask('')).toEqual({ ok: true, value: true });
    expect(ask('of=0', false)).toEqual({ ok: true, value: false });
  });

  it('takes the last of several', () => {
    expect(ask('on=1&on=0')).toEqual({ ok: true, value: false });
  });

  it.each(['', 'maybe', '2', ' true'])('“%s” is refused as the real service refuses it', (input) => {
    expect(ask(`on=${encodeURIComponent(input)}`)).toEqual({
      ok: false,
      problem: {
        type: 'bool_parsing',
        loc: ['query', 'on'],
        msg: 'Input should be a valid boolean, unable to interpret input',
        input,
      },
    });
  });
});
