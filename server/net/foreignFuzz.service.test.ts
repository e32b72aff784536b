/**
 * Fuzz tests with random bytes and random JSON as the body of a manager's `/health` and of every response of another lab
 * manager. Each must result in a state, a parsed response or a reason, of bounded size.
 */
import * as fc from 'fast-check';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testBudget } from '../../api/fixtures/testBudget.ts';
import { labHistory } from '../../api/lab/lab.ts';
import { parseForeignContext } from '../attached/foreignContext.ts';
import { probe } from '../health/probe.ts';
import { evaluateHealth } from '../health/evaluateHealth.ts';
import { requestJson } from './requestJson.ts';
import { identify } from './portOwner.ts';

let body: Uint8Array = new Uint8Array();
let status = 200;
const server = http.createServer((_request, response) => response.writeHead(status).end(body));
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

const names = [
  'healthy',
  'description',
  'version',
  'settings',
  'manager_name',
  'service',
  'name',
  'managers',
  '__proto__',
];
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\x1b[2J\x9b31m', '\u202e', 'x'.repeat(5000)));
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false),
    fc.double(),
    anyText,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), anyText), tie('value'), { maxKeys: 6 }),
}));
const nested = fc.tuple(fc.constantFrom('[', '{"healthy":'), fc.nat(20_000)).map(([open, depth]) => open.repeat(depth));
const anyBody = fc.oneof(
  anyValue.object.map((value) => Buffer.from(JSON.stringify(value))),
  anyValue.object.map((value) => Buffer.from(`${JSON.stringify(value)}x`, 'latin1')),
  nested.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }),
);
const anyStatus = fc.constantFrom(200, 200, 200, 204, 301, 404, 429, 500);

function expectClean(value: unknown): void {
  const text = JSON.stringify(value) ?? '';
  expect(text.length).toBeLessThan(5_000_000);
  JSON.parse(text, (name, member: unknown) => {
    for (const phrase of [name, member]) {
      if (typeof phrase === 'string') expect(phrase).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
    }
    return member;
  });
}

describe('requests to other programs', () => {
  it('result in a state with a bounded entry for any response to a health request', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyStatus, async (bytes, code) => {
        [body, status] = [bytes, code];
        const outcome = await probe(url, { timeoutMs: 5000 });
        if (outcome.kind === 'aborted') throw new Error('aborted without a request');
        const result = evaluateHealth('event', outcome, null, Date.now());
        expect(['healthy', 'slow', 'unhealthy', 'unreachable']).toContain(result.state);
        expect(result.entry.description.length).toBeLessThanOrEqual(500);
        expect(JSON.stringify(result).length).toBeLessThan(50_000);
        expectClean(result);
      }),
      { numRuns: testBudget(60, 300) },
    );
  });

  it(
    'result in an object or a reason for any response, and never in the context or history of a lab manager',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyBody, anyStatus, async (bytes, code) => {
          [body, status] = [bytes, code];
          const response = await requestJson(url, 5000);
          expectClean(response);
          if (response.ok) {
            expect(parseForeignContext(response.body).ok).toBe(false);
            expect(labHistory.safeParse(response.body).success).toBe(false);
          }
          // The lookup of the process is replaced, because it is slow and does not depend on the response.
          const owner = await identify('127.0.0.1', Number(new URL(url).port), async () => null);
          expectClean(owner);
          expect(owner.kind).not.toBe('madsci');
        }),
        { numRuns: testBudget(30, 100) },
      );
    },
  );
});
