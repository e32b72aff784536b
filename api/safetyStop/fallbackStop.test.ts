/** The stop that a page, the app or the command line sends itself, and its release. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useManualClock } from '../fixtures/manualClock.ts';
import type { AdminCommandResponse } from '../managers/action.ts';
import { FallbackStop, type FallbackOptions } from './fallbackStop.ts';
import type { StopRecord } from './stopRecord.ts';
import type { StopTarget } from './stopReport.ts';

const arm: StopTarget = { name: 'arm', url: 'http://arm:2000/', commands: ['safety_stop'], before: [], isBusy: false };

function create(options: Partial<FallbackOptions> = {}) {
  const clock = useManualClock();
  const sent: string[] = [];
  const records: StopRecord[] = [];
  let respond = async (_command: string): Promise<AdminCommandResponse> => ({ success: true });
  const send = (route: string) => (command: string) => {
    sent.push(`${route} ${command}`);
    return respond(command);
  };
  const fallback = new FallbackStop({
    postToService: async () => Promise.reject(new Error('no service')),
    targets: () => [arm],
    routesTo: () => ({ direct: send('direct'), workcell: send('workcell') }),
    delayMs: 150,
    sender: () => ({ machine: 'lab-pc', application: 'dashboard' }),
    published: () => null,
    record: (record) => `event-${records.push(record)}`,
    onChange: () => undefined,
    ...options,
  });
  return { clock, fallback, sent, records, setResponse: (next: typeof respond) => (respond = next) };
}

it.each([
  ['accepts the stop', { known_nodes: 1 }, []],
  ['knows no node', { known_nodes: 0 }, ['direct safety_stop']],
])('the fallback sends commands of its own only if needed: the service %s', async (_what, response, expected) => {
  const { fallback, sent } = create({ postToService: async () => response });
  await fallback.press();
  expect(sent).toEqual(expected);
});

it('ends a late acceptance of the service with its state, and records a refusal', async () => {
  let answer = (_isAccepted: boolean): void => undefined;
  const posted = () =>
    new Promise<{ known_nodes: number }>((resolve, reject) => {
      answer = (isAccepted) => (isAccepted ? resolve({ known_nodes: 1 }) : reject(new Error('refused')));
    });
  const { clock, fallback, records } = create({ postToService: posted });
  const first = fallback.press();
  clock.advance(300);
  await first;
  answer(true);
  await fallback.answered;
  expect(fallback.stop).toBeNull();
  const second = fallback.press();
  clock.advance(300);
  await second;
  answer(false);
  await fallback.answered;
  expect(fallback.stop?.id).toBe('event-1');
  expect(records.map(({ fields }) => fields.command)).toEqual(['safety_stop']);
});

it('is over when its release has reached every node', async () => {
  const { fallback, records } = create();
  await fallback.press();
  await fallback.answered;
  expect(fallback.inEffect?.nodes).toMatchObject([{ result: 'confirmed' }]);
  await fallback.release();
  expect([fallback.inEffect, fallback.stop?.nodes[0]?.released_at]).toEqual([null, expect.any(String)]);
  expect(records.at(-1)?.fields).toMatchObject({ command: 'safety_stop_release', result: 'done' });
  await fallback.press();
  expect(fallback.inEffect?.nodes).toMatchObject([{ result: 'confirmed' }]);
});

it('stays in effect when a node was not released', async () => {
  const { fallback, setResponse } = create();
  await fallback.press();
  setResponse(async () => ({ success: false, errors: [{ message: 'door open' }] }));
  await fallback.release();
  expect(fallback.inEffect?.nodes).toMatchObject([{ release_failure: 'reset: door open' }]);
});

it('ends a release when the stop is pressed again', async () => {
  const { fallback, sent, records, setResponse } = create();
  await fallback.press();
  await fallback.answered;
  let fail = (): void => undefined;
  const pending = new Promise<AdminCommandResponse>((_resolve, reject) => (fail = () => reject(new Error('broken'))));
  setResponse(async (command) => (command === 'reset' ? pending : { success: true }));
  const release = fallback.release();
  await setImmediate();
  const pressed = fallback.press();
  fail();
  await Promise.all([release, pressed]);
  // The reset was sent by one way; it is not repeated by the other one after the press.
  expect(sent).toEqual(['direct safety_stop', 'workcell reset', 'direct safety_stop']);
  expect(fallback.inEffect?.nodes[0]).toMatchObject({ result: 'confirmed', did: ['safety_stop'] });
  expect(fallback.stop?.nodes[0]).not.toHaveProperty('released_at');
  expect(records.filter(({ fields }) => fields.command === 'safety_stop_release')).toEqual([]);
});
