import { describe, expect, it } from 'vitest';
import { fleetEntryText, parseFleetEntry, parseLabAddress, parseUrl } from './addresses.ts';

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
    ['htp:/h', /scheme htp/],
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

describe('parseLabAddress', () => {
  it.each([
    ['lab-pc', 'http://lab-pc:8000/'],
    [' lab-pc:9000 ', 'http://lab-pc:9000/'],
    ['lab-pc:80', 'http://lab-pc/'],
    ['192.168.1.5', 'http://192.168.1.5:8000/'],
    ['[fd00::2]', 'http://[fd00::2]:8000/'],
    ['lab-pc/bench', 'http://lab-pc:8000/bench/'],
    ['http://lab-pc', 'http://lab-pc/'],
    ['https://lab-pc/bench', 'https://lab-pc/bench/'],
  ])('reads %s as %s', (typed, url) => {
    expect(parseLabAddress(typed)).toEqual({ ok: true, value: url });
  });

  it.each([
    ['', /is empty/],
    ['ftp://lab-pc', /has the scheme ftp/],
    ['http://', /is not an address/],
    ['lab-pc?x=1', /query or fragment/],
    ['x'.repeat(500), /^has a host name of 500 characters; at most 253 are allowed$/],
    ['http://ann:hunter2@lab-pc:8000', /has a user or password in it; remove it/],
    ['ann:hunter2@lab-pc', /has a user or password in it; remove it/],
  ])('rejects %s', (typed, reason) => {
    const address = parseLabAddress(typed);
    expect(address).toMatchObject({ ok: false, message: expect.stringMatching(reason) });
    expect(JSON.stringify(address)).not.toContain('hunter2');
  });
});

describe('parseFleetEntry', () => {
  it.each([
    ['lab-pc', null, 'http://lab-pc:8000/', 'http://lab-pc:8000/'],
    ['https://lab.example.org/bench', null, 'https://lab.example.org/bench/', 'https://lab.example.org/bench/'],
    ['http://lab-pc/a=b', null, 'http://lab-pc/a=b/', 'http://lab-pc/a=b/'],
    [' Bench 4 = http://lab-pc:9000 ', 'Bench 4', 'http://lab-pc:9000/', 'Bench 4=http://lab-pc:9000/'],
    ['Café=lab-pc', 'Café', 'http://lab-pc:8000/', 'Café=http://lab-pc:8000/'],
  ])('reads %s', (text, name, url, canonical) => {
    const entry = parseFleetEntry(text);
    expect(entry).toEqual({ ok: true, value: { name, url } });
    expect(entry.ok && fleetEntryText(entry.value)).toBe(canonical);
  });

  it.each([
    ['=http://lab-pc', /no name before =/],
    ['Bench 4=', /is empty/],
    [`${'x'.repeat(101)}=lab-pc`, /more than 100 characters/],
    ['a\u001b[31mb=lab-pc', /control character/],
    ['Bench=javascript:alert(1)', /is not an address|has no scheme|has the scheme/],
    ['javascript://lab-pc/%0a1', /has the scheme javascript, not http or https/],
    ['Bench=file:///etc/passwd', /has the scheme file, not http or https/],
    ['Bench=http://ann:hunter2@lab-pc', /user or password/],
  ])('rejects %s', (text, reason) => {
    const entry = parseFleetEntry(text);
    expect(entry).toMatchObject({ ok: false, message: expect.stringMatching(reason) });
    expect(JSON.stringify(entry)).not.toContain('hunter2');
  });
});
