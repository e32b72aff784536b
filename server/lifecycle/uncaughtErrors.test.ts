import { describe, expect, it } from 'vitest';
import { canContinue } from './uncaughtErrors.ts';

const system = (code: string) => Object.assign(new Error(code), { code, syscall: 'read' });
const coded = (code: string) => Object.assign(new Error(code), { code });

describe('canContinue', () => {
  it.each([
    ['an error of a request', new TypeError('x'), true, 0, true],
    ['a thrown text in a request', 'text', true, 0, true],
    ['a socket that closed', system('ECONNRESET'), false, 0, true],
    ['too many open files', system('EMFILE'), false, 19, true],
    ['a stream that has ended', coded('ERR_STREAM_WRITE_AFTER_END'), false, 0, true],
    ['headers sent twice', coded('ERR_HTTP_HEADERS_SENT'), false, 0, true],
    ['an error of our own code', new TypeError('x'), false, 0, false],
    ['a wrong argument', coded('ERR_INVALID_ARG_TYPE'), false, 0, false],
    ['a thrown undefined', undefined, false, 0, false],
    ['too many errors in a minute', system('ECONNRESET'), false, 20, false],
    ['too many errors of requests', new TypeError('x'), true, 20, false],
  ])('is $4 after %s', (_name, error, inRequest, survived, expected) => {
    expect(canContinue({ error, inRequest, survivedErrors: survived })).toBe(expected);
  });
});
