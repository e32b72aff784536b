import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileParts, longAddress } from '../fixtures/hostileTexts.ts';
import { cleanText, maxTextLength, redactAddresses } from './text.ts';

describe('cleanText', () => {
  it.each([
    [
      'a harmless text',
      'Event Manager is running – “fine”, 5 µl, 日本語, 👩‍🔬',
      'Event Manager is running – “fine”, 5 µl, 日本語, 👩‍🔬',
    ],
    ['line breaks', ' lost\r\n\tits  database\n', 'lost its database'],
    ['colours', '\x1b[31;1mred\x1b[0m', 'red'],
    ['a colour by a C1 character', '\x9b31mred', 'red'],
    ['a window title', '\x1b]0;owned\x07fine', 'fine'],
    ['a link', '\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['a device control string', '\x1bP1$r\x1b\\fine\x90q\x9cfine', 'finefine'],
    ['a reset', '\x1bcfine\x1b(B', 'fine'],
    ['an unfinished sequence', 'fine\x1b]0;title', 'fine ]0;title'],
    ['a sequence assembled from two', '\x1b\x1b[0m[31mfine', '[31mfine'],
    ['C0, DEL, C1', 'a\0b\bc\x7fd\x85e', 'a b c d e'],
    ['reading direction', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['invisible tags', 'a\u{e0041}\u2060\u200bb', 'ab'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ])('handles %s', (_name, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it('truncates a long text with a mark and without splitting a character', () => {
    expect(cleanText('x'.repeat(60_000))).toBe(`${'x'.repeat(maxTextLength - 1)}…`);
    expect(cleanText('👩'.repeat(6), 10)).toBe('👩👩👩👩…');
    expect(cleanText('x'.repeat(maxTextLength))).toHaveLength(maxTextLength);
  });

  it('removes every terminal sequence and change of reading direction from any text', () => {
    const nasty = fc.constantFrom('\x1b', '[', ']', '\x9b', '\x9d', '\x07', '\\', ';', '3', 'm', '\u202e', '\n', 'x');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(nasty).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (anyText) => {
        const clean = cleanText(anyText);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
        expect(clean.length).toBeLessThanOrEqual(maxTextLength);
        expect(cleanText(clean)).toBe(clean);
      }),
    );
  });

  // `npm run bench -- parts` shows that the time is proportional to the length.
  it.each(hostileParts)('truncates a million repetitions of %j', (part) => {
    expect(cleanText(part.repeat(1_000_000)).length).toBeLessThanOrEqual(maxTextLength);
  });
});

it.each([
  ['GET http://lab:hunter2@bench:8000/x failed', 'GET http://…@bench:8000/x failed'],
  ['GET /x?access_token=abc&hours=2 200', 'GET /x?access_token=…&hours=2 200'],
  ['"https://u:p@h/?key=1"', '"https://…@h/?key=…"'],
  ['Listening on http://127.0.0.1:8000/ (a@b)', 'Listening on http://127.0.0.1:8000/ (a@b)'],
])('redactAddresses turns %s into %s', (text, expected) => {
  expect(redactAddresses(text)).toBe(expected);
});

it('redactAddresses keeps a long address without a password', () => {
  const text = longAddress(100_000);
  expect(redactAddresses(text)).toBe(text);
});
