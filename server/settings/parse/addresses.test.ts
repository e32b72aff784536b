import { describe, expect, it } from 'vitest';
import { parseUrl } from './values.ts';

describe('parseUrl', () => {
  it.each([
    ['http://localhost:8001', 'http://localhost:8001/'],
    ['http://h:8001/x', 'http://h:8001/x'],
    ['http://h/a/b/', 'http://h/a/b/'],
    ['HTTP://LocalHost:80', 'http://localhost/'],
    ['https://h:443/a/', 'https://h/a/'],
    [' http://h:1 ', 'http://h:1/'],
    ['http://127.0.0.1:08001', 'http://127.0.0.1:8001/'],
    ['http://hé:1', 'http://xn--h-bga:1/'],
    ['http://h/../x', 'http://h/x'],
    ['http://[::1]:8000', 'http://[::1]:8000/'],
  ])('normalizes %s to %s', (text, expected) => {
    expect(parseUrl(text)).toEqual({ ok: true, value: expected });
  });

  it.each<[unknown, RegExp]>([
    ['localhost:8001', /no scheme; write http:\/\/localhost:8001/],
    ['bench4', /no scheme/],
    ['ftp://h', /scheme ftp/],
    ['ws://h:1', /scheme ws/],
    ['mongodb://localhost:27017', /scheme mongodb/],
    ['http://u:p@h', /user or password/],
    ['http://u@h', /user or password/],
    ['http://h?x=1', /query or fragment/],
    ['http://h/#a', /query or fragment/],
    ['http://h/?', /query or fragment/],
    ['http://h:99999', /not an address/],
    ['http://', /not an address/],
    ['not an address', /not an address/],
    [8000, /not an address/],
  ])('rejects %j', (value, message) => {
    const parsed = parseUrl(value);
    expect(!parsed.ok && parsed.message).toMatch(message);
  });
});
