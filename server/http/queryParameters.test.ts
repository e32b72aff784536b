import { describe, expect, it } from 'vitest';
import { parseBooleanQuery } from './queryParameters.ts';

const parseQuery = (query: string, fallback = true) => parseBooleanQuery(new URLSearchParams(query), 'on', fallback);

describe('parseBooleanQuery', () => {
  it.each(['true', 'TRUE', '1', 'on', 'yes', 't', 'Y'])('reads %s as true', (word) => {
    expect(parseQuery(`on=${word}`, false)).toEqual({ ok: true, value: true });
  });

  it.each(['false', 'False', '0', 'off', 'no', 'f', 'N'])('reads %s as false', (word) => {
    expect(parseQuery(`on=${word}`)).toEqual({ ok: true, value: false });
  });

  it('returns the default for a missing parameter', () => {
    expect(parseQuery('')).toEqual({ ok: true, value: true });
    expect(parseQuery('other=0', false)).toEqual({ ok: true, value: false });
  });

  it('uses the last of several values', () => {
    expect(parseQuery('on=1&on=0')).toEqual({ ok: true, value: false });
  });

  it.each(['', 'maybe', '2', ' true'])('rejects “%s” with the same error as MADSci', (input) => {
    expect(parseQuery(`on=${encodeURIComponent(input)}`)).toEqual({
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
