import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { labContext } from '../../api/lab/lab.ts';
import { parseForeignContext } from './foreignContext.ts';

const { example } = labEndpoints[0];

describe('the /context of another lab manager', () => {
  it('is read with all seven keys, normalized, with null for a missing manager', () => {
    const parsed = parseForeignContext({ ...example, event_server_url: 'http://LAB-PC:8001', data_server_url: null });
    expect(parsed).toEqual({
      ok: true,
      context: { ...example, event_server_url: 'http://lab-pc:8001/', data_server_url: null },
    });
  });

  it.each([
    ['a number', 8001, 'event_server_url is a number, not an address'],
    ['a list', [], 'event_server_url is a list, not an address'],
    ['an object', {}, 'event_server_url is an object, not an address'],
    ['a missing key', undefined, 'event_server_url is missing'],
    ['a host without scheme', 'localhost:8001', 'event_server_url is not an http or https address: “localhost:8001”'],
    ['a script', 'javascript:alert(1)', 'event_server_url is not an http or https address: “javascript:alert(1)”'],
    ['a password', 'http://a:b@lab-pc/', 'event_server_url holds a user name or password'],
    ['a query', 'http://lab-pc/?x=1', 'event_server_url holds a query or a fragment'],
    ['a fragment', 'http://lab-pc/#x', 'event_server_url holds a query or a fragment'],
    ['a very long address', `http://lab-pc/${'x'.repeat(2000)}`, 'event_server_url is longer than 2000 characters'],
  ])('is rejected for %s, with the key', (_name, value, problem) => {
    expect(parseForeignContext({ ...example, event_server_url: value })).toEqual({ ok: false, problems: [problem] });
  });

  it('is rejected with every invalid key', () => {
    const parsed = parseForeignContext({});
    expect(parsed.ok ? [] : parsed.problems).toHaveLength(7);
  });

  it('has an address or null for each key, or is rejected, for any value', () => {
    const value = fc.oneof(fc.webUrl(), fc.constant(null), fc.string(), fc.jsonValue());
    const body = fc.dictionary(fc.constantFrom(...Object.keys(example)), value);
    fc.assert(
      fc.property(body, (received) => {
        const parsed = parseForeignContext(received);
        if (!parsed.ok) {
          expect(parsed.problems.length).toBeGreaterThan(0);
          return;
        }
        const addresses = Object.values(labContext.parse(parsed.context));
        expect(addresses.every((address) => address === null || /^https?:/.test(new URL(address).href))).toBe(true);
      }),
    );
  });
});
