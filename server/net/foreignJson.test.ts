import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import samples from '../../api/samples/manager_health.json' with { type: 'json' };
import { boundedObject, healthBounds, labBounds, readJsonObject, type JsonObject } from './foreignJson.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('readJsonObject', () => {
  it.each([
    ['not JSON', bytes('<html>')],
    ['an empty body', bytes('')],
    ['a list', bytes('[]')],
    ['null', bytes('null')],
    ['not UTF-8', Buffer.from('{"healthy":true,"description":"\xff"}', 'latin1')],
    ['a UTF-8 surrogate', Buffer.concat([bytes('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), bytes('"}')])],
  ])('returns null for %s', (_name, body) => {
    expect(readJsonObject(body)).toBeNull();
  });

  it('reads a deeply nested object', () => {
    expect(readJsonObject(bytes(`{"healthy":true,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`))).toMatchObject({
      healthy: true,
    });
  });
});

describe('boundedObject', () => {
  const health = (body: JsonObject) => boundedObject(body, healthBounds, ['healthy', 'description', 'version']);

  it.each(Object.entries(samples))('keeps everything from a real manager: %s', (_name, sample) => {
    const retained = health(sample);
    expect(retained).toEqual(sample);
    expect(Object.keys(retained)).toEqual(Object.keys(sample));
  });

  it('keeps shallow small objects and lists and omits deeper ones', () => {
    expect(
      health({
        healthy: true,
        pools: [{ free: 3, more: [1] }],
        deep: nested(20_000),
        nodes: { a: 'ok', b: { c: 1, d: [] } },
      }),
    ).toEqual({ healthy: true, pools: [{ free: 3 }], deep: [[]], nodes: { a: 'ok', b: { c: 1 } } });
  });

  it('truncates long texts and cleans all of them', () => {
    const retained = health({ description: `\x1b[31m${'x'.repeat(60_000)}`, list: ['a\u202eb'] });
    expect(retained['description']).toBe(`${'x'.repeat(499)}…`);
    expect(retained['list']).toEqual(['ab']);
  });

  it('keeps the relevant fields among any others, and scalars rather than objects', () => {
    const junk = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`junk${i}`, { i: 'y'.repeat(500) }]));
    const retained = health({ ...junk, db_connected: false, version: '0.8.1', description: 'fine', healthy: true });
    expect(retained).toMatchObject({ healthy: true, description: 'fine', version: '0.8.1', db_connected: false });
    expect(JSON.stringify(retained).length).toBeLessThan(20_000);
  });

  it('omits invalid names', () => {
    const body = JSON.parse('{"__proto__":{"healthy":true},"a\\u001b[0m":1,"ok":{"__proto__":1,"b":2}}') as JsonObject;
    const retained = health({ ...body, ['n'.repeat(200)]: 1 });
    expect(retained).toEqual({ ok: { b: 2 } });
    expect('healthy' in retained).toBe(false);
  });

  it.each([
    ['a health object', healthBounds, 30_000],
    ['a lab', labBounds, 5_000_000],
  ])('turns any JSON into %s that can be encoded and is not too large', (_name, bounds, size) => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })),
        fc.integer({ min: 1, max: 30_000 }),
        (body, levels) => {
          const text = JSON.stringify(boundedObject({ ...body, x: nested(levels) }, bounds));
          expect(text.length).toBeLessThan(size);
          expect(boundedObject(JSON.parse(text) as JsonObject, bounds)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 50 },
    );
  });
});
