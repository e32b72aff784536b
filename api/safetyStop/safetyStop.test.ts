/** The schedule of the safety stop at one node, and the meaning of its responses. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ManagerError, type ManagerErrorKind } from '../client/managerError.ts';
import { useManualClock, type ManualClock } from '../fixtures/manualClock.ts';
import type { AdminCommand, AdminCommandResponse } from '../managers/action.ts';
import { getReleaseCommands, stopNode, type NodeRoutes, type SendCommand, type StopOutcome } from './safetyStop.ts';

type Reply = AdminCommandResponse | null | Error | 'never';
type Replies = Reply | Readonly<Partial<Record<AdminCommand, Reply>>>;

const done: AdminCommandResponse = { success: true };
const refused: AdminCommandResponse = { success: false, errors: [{ message: 'door open' }] };
const unknown: AdminCommandResponse = { success: false, errors: [{ error_type: 'AdminCommandNotImplemented' }] };
const failure = (kind: ManagerErrorKind, status: number | null = null) =>
  new ManagerError({ kind, status, manager: 'node', endpoint: '', purpose: '', address: '', reason: kind });

const isReply = (replies: Replies): replies is Reply =>
  replies === null || replies === 'never' || replies instanceof Error || 'success' in replies;

interface StopTest {
  readonly direct?: Replies | undefined;
  readonly workcell?: Replies | undefined;
  readonly commands?: readonly string[] | null;
  readonly delayMs?: number;
}

/** Starts a stop; `sent` has the time, the route and the command of each request. */
function startStop({ direct, workcell, commands = null, delayMs = 150 }: StopTest) {
  const clock = useManualClock(0);
  const sent: string[] = [];
  const outcomes: StopOutcome[] = [];
  const aborted = new AbortController();
  const route = (name: string, replies: Replies | undefined): SendCommand | null => {
    if (replies === undefined) return null;
    return async (command) => {
      sent.push(`${clock.monotonic()} ${name} ${command}`);
      const reply = isReply(replies) ? replies : (replies[command] ?? done);
      if (reply === 'never') return new Promise(() => undefined);
      if (reply instanceof Error) throw reply;
      return reply;
    };
  };
  const routes: NodeRoutes = { direct: route('direct', direct), workcell: route('workcell', workcell) };
  const onOutcome = (outcome: StopOutcome): void => void outcomes.push(outcome);
  const stop = stopNode({ routes, commands, delayMs, signal: aborted.signal, onOutcome });
  return { clock, sent, outcomes, stop, abort: () => aborted.abort() };
}

const settle = async (clock: ManualClock, ms: number): Promise<void> => {
  await setImmediate();
  await clock.advanceInSteps(ms, 50);
  await setImmediate();
};

describe('schedule of the safety stop', () => {
  it('sends nothing else when the node confirms', async () => {
    const { clock, sent, stop, outcomes } = startStop({ direct: done, workcell: done });
    await settle(clock, 5000);
    await stop;
    expect(sent).toEqual(['0 direct safety_stop']);
    expect(outcomes.at(-1)).toMatchObject({ state: 'confirmed', direct: true, did: ['safety_stop'] });
  });

  it('uses the workcell manager at once for a node without an address', async () => {
    const { clock, sent } = startStop({ workcell: done });
    await settle(clock, 50);
    expect(sent).toEqual(['0 workcell safety_stop']);
  });

  it('uses the workcell manager after 150 ms, and the fallback commands after 500 ms of silence', async () => {
    const { clock, sent } = startStop({ direct: 'never', workcell: 'never' });
    await settle(clock, 1000);
    expect(sent).toEqual([
      '0 direct safety_stop',
      '150 workcell safety_stop',
      '500 direct lock',
      '500 direct pause',
      '650 workcell lock',
      '650 workcell pause',
    ]);
  });

  it.each([
    ['a refusal', refused],
    ['HTTP 500', failure('http', 500)],
    ['an unreadable answer', failure('not-understood')],
    ['an unknown command', unknown],
  ] as const)('sends the fallback commands by both ways at once after %s of the node', async (_what, reply) => {
    const { clock, sent, outcomes, abort } = startStop({
      direct: { safety_stop: reply, lock: 'never', pause: 'never' },
      workcell: { safety_stop: reply, lock: 'never', pause: 'never' },
    });
    await settle(clock, 400);
    expect(sent).toEqual(expect.arrayContaining(['0 direct lock', '0 direct pause', '150 workcell lock']));
    expect(outcomes.at(-1)?.state).not.toBe('confirmed');
    abort();
  });

  it('uses the workcell manager at once when the node’s address fails, and waits for it before the fallback', async () => {
    const { clock, sent } = startStop({ direct: failure('unreachable'), workcell: done });
    await settle(clock, 100);
    expect(sent).toEqual(['0 direct safety_stop', '0 workcell safety_stop']);
  });

  it('repeats a refused safety stop every 2 s until the node confirms it', async () => {
    const replies: { safety_stop: Reply } = { safety_stop: refused };
    const { clock, sent, outcomes, stop } = startStop({ direct: replies });
    await settle(clock, 2000);
    expect(outcomes.at(-1)).toMatchObject({
      state: 'held',
      reason: 'safety stop (door open)',
      did: ['lock', 'pause'],
    });
    replies.safety_stop = done;
    await settle(clock, 2000);
    await stop;
    expect(sent.filter((request) => request.endsWith('safety_stop'))).toEqual([
      '0 direct safety_stop',
      '2000 direct safety_stop',
      '4000 direct safety_stop',
    ]);
    expect(outcomes.at(-1)).toMatchObject({ state: 'confirmed', did: ['safety_stop', 'lock', 'pause'] });
  });

  it('ends after eleven attempts', async () => {
    const { clock, sent, stop } = startStop({ direct: refused });
    await settle(clock, 60_000);
    await stop;
    expect(sent.filter((request) => request.endsWith('safety_stop'))).toHaveLength(11);
  });

  it('sends a server that hangs each command once', async () => {
    const { clock, sent, abort } = startStop({ workcell: 'never' });
    await settle(clock, 30_000);
    expect(sent).toEqual(['0 workcell safety_stop', '500 workcell lock', '500 workcell pause']);
    abort();
  });

  it('sends a node without a safety stop only the fallback commands, each until it is confirmed', async () => {
    const replies: { lock: Reply; pause: Reply } = { lock: done, pause: failure('http', 500) };
    const { clock, sent, stop, outcomes } = startStop({ direct: replies, commands: ['lock', 'pause'] });
    await settle(clock, 100);
    replies.pause = done;
    await settle(clock, 5000);
    await stop;
    expect(sent).toEqual(['0 direct lock', '0 direct pause', '2000 direct pause']);
    expect(outcomes.at(-1)).toMatchObject({ state: 'held', reason: '', did: ['lock', 'pause'] });
  });

  it.each([
    [
      ['lock', 'cancel'],
      ['lock', 'cancel'],
    ],
    [['lock'], ['lock']],
    [null, ['safety_stop', 'lock', 'pause', 'cancel']],
  ] as const)('sends a node with the commands %j that has no pause: %j', async (commands, expected) => {
    const direct = { safety_stop: unknown, pause: unknown };
    const { clock, sent, stop } = startStop({ direct, commands });
    await settle(clock, 3000);
    await stop;
    expect(sent.map((request) => request.split(' ')[2])).toEqual(expected);
  });

  it('does not take an unreadable response of a browser for a refusal', async () => {
    const { clock, sent, outcomes } = startStop({ direct: null, workcell: 'never', delayMs: 0 });
    await settle(clock, 400);
    expect(sent).toEqual(['0 direct safety_stop', '0 workcell safety_stop']);
    expect(outcomes.at(-1)).toMatchObject({ state: 'sent', direct: true });
  });

  it('sends nothing after the end, and still reports late responses', async () => {
    const { clock, sent, abort, stop } = startStop({ direct: refused });
    await setImmediate();
    abort();
    await settle(clock, 10_000);
    await stop;
    expect(sent.filter((request) => request.endsWith('safety_stop'))).toEqual(['0 direct safety_stop']);
  });
});

describe('outcome of the safety stop', () => {
  it.each<[string, StopTest, Partial<StopOutcome>]>([
    ['confirmed through the workcell manager', { workcell: done }, { state: 'confirmed', direct: false }],
    ['refused', { direct: refused }, { state: 'refused', reason: 'door open' }],
    ['answered with HTTP 500', { direct: failure('http', 500) }, { state: 'refused' }],
    ['unknown to node and fallback', { direct: unknown }, { state: 'unknownCommand' }],
    ['unknown to the workcell manager', { workcell: failure('http', 400) }, { state: 'unknownCommand' }],
    ['not reached by the workcell manager', { workcell: failure('http', 500) }, { state: 'failed' }],
    ['without an answer in time', { direct: failure('timeout') }, { state: 'sent' }],
    ['without any route', {}, { state: 'failed' }],
    [
      'locked, not paused',
      { direct: { safety_stop: refused, pause: failure('http', 500) } },
      { state: 'held', did: ['lock'], reason: 'safety stop (door open), pause (http)' },
    ],
    [
      'of a node without one that fails to pause',
      { direct: { pause: refused }, commands: ['lock', 'pause'] },
      { state: 'held', did: ['lock'], reason: 'pause (door open)' },
    ],
  ])('is reported for a stop %s', async (_what, test, expected) => {
    const { clock, outcomes, stop, abort } = startStop(test);
    await settle(clock, 1000);
    abort();
    await settle(clock, 100);
    await stop;
    expect(outcomes.at(-1)).toMatchObject(expected);
  });

  it('is undone by the opposite of each command', () => {
    expect(getReleaseCommands(['pause', 'cancel', 'lock', 'safety_stop'])).toEqual(['reset', 'unlock', 'resume']);
  });
});
