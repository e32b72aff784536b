import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminCommand, AdminCommandResponse } from '../managers/action.ts';
import { ManagerError, type ManagerErrorKind } from '../client/managerError.ts';
import {
  getFallbackCommands,
  getReleaseCommands,
  isMoreCertain,
  sendingOutcome,
  maxAttempts,
  stopNode,
  stopUntilConfirmed,
  type StopOutcome,
  type StopRoutes,
} from './safetyStop.ts';

const success = { success: true };
const timeoutMs = 1500;

function createError(kind: ManagerErrorKind, status: number | null = null): ManagerError {
  return new ManagerError({
    kind,
    status,
    manager: 'workcell',
    endpoint: 'sendCommand',
    purpose: 'send the command to the node',
    address: 'http://lab:8005/',
    reason: kind,
  });
}

function respondAfter<Value>(ms: number, value: Value): () => Promise<Exclude<Value, Error>> {
  return () =>
    new Promise((resolve, reject) =>
      setTimeout(() => (value instanceof Error ? reject(value) : resolve(value as Exclude<Value, Error>)), ms),
    );
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function stop(
  throughWorkcell: StopRoutes['throughWorkcell'],
  direct: StopRoutes['direct'],
): Promise<{ reported: StopOutcome[]; last: StopOutcome; elapsedMs: number }> {
  const reported: StopOutcome[] = [];
  const startedAt = Date.now();
  const pending = stopNode({ throughWorkcell, direct, commands: ['safety_stop'], timeoutMs }, (outcome) =>
    reported.push(outcome),
  );
  await vi.runAllTimersAsync();
  return { reported, last: await pending, elapsedMs: Date.now() - startedAt };
}

describe('the safety stop of a node', () => {
  const failIfCalled = () => {
    throw new Error('the stop must not be sent directly to the node');
  };
  it.each<readonly [string, AdminCommandResponse | Error, string]>([
    ['confirmed by the node', success, 'confirmed'],
    ['refused by the node', { success: false, errors: [{ message: 'door open' }] }, 'refused'],
  ])('is reported once when the workcell manager responds: %s', async (_name, response, state) => {
    const { last, reported } = await stop(respondAfter(20, response), failIfCalled);
    expect(last).toMatchObject({ state, direct: false });
    expect(reported).toHaveLength(1);
  });

  it.each<readonly [string, ManagerErrorKind]>([
    ['is unreachable', 'unreachable'],
    ['fails without a readable response', 'unreadable'],
  ])('is sent to the node at once when the workcell manager %s', async (_name, kind) => {
    const { last, elapsedMs } = await stop(respondAfter(10, createError(kind)), respondAfter(10, null));
    expect(last).toMatchObject({ state: 'sent', direct: true });
    expect(elapsedMs).toBeLessThan(timeoutMs);
  });

  it('is sent to the node without waiting for a workcell manager that hangs', async () => {
    const { reported, last } = await stop(respondAfter(20_000, createError('timeout')), respondAfter(10, success));
    expect(reported[0]).toMatchObject({ state: 'confirmed', direct: true });
    expect(last.state).toBe('confirmed');
  });

  it('stays confirmed when the manager reports a failure after the node has confirmed', async () => {
    const { last } = await stop(
      respondAfter(5000, { success: false, errors: [{ message: 'late' }] }),
      respondAfter(10, success),
    );
    expect(last).toMatchObject({ state: 'confirmed', direct: true });
  });

  it('is sent only to the node when there is no workcell manager', async () => {
    expect((await stop(null, respondAfter(5, null))).last.state).toBe('sent');
  });

  it.each<ManagerErrorKind>(['timeout', 'unreadable', 'not-understood'])(
    'is reported as sent, not as undelivered, when the manager ends with “%s” and the node is not reached',
    async (kind) => {
      const { last } = await stop(
        respondAfter(50, createError(kind)),
        respondAfter(5, new TypeError('Failed to fetch')),
      );
      expect(last).toMatchObject({ state: 'sent', direct: false, reason: kind });
    },
  );

  it('fails with a reason when neither the manager nor the node is reachable', async () => {
    const { last } = await stop(
      respondAfter(5, createError('unreachable')),
      respondAfter(5, new TypeError('Failed to fetch')),
    );
    expect(last.state).toBe('failed');
    expect(last.reason).not.toBe('');
  });

  it('fails when there is neither a manager nor a node address', async () => {
    expect((await stop(null, null)).last.state).toBe('failed');
  });
});

describe('the safety stop of a node with a relay', () => {
  const hangingRoute = respondAfter(20_000, createError('timeout'));
  const closedRoute = respondAfter(5, new TypeError('Failed to fetch'));

  /** Stops a node. @returns its outcomes with their times, and the time of the first send on each route, in ms */
  async function stopWithRelay(routes: Omit<StopRoutes, 'commands' | 'timeoutMs'>, commands: readonly string[] | null) {
    const startedAt = Date.now();
    const sentAt: Record<string, number> = {};
    const recordTime = <Reply>(name: string, send: ((command: AdminCommand) => Promise<Reply>) | null) =>
      send &&
      ((command: AdminCommand) => {
        sentAt[name] ??= Date.now() - startedAt;
        return send(command);
      });
    const { throughWorkcell, relayed = null, direct } = routes;
    const relaySend = recordTime('relay', relayed?.send ?? null);
    const reported: (readonly [number, string])[] = [];
    const pending = stopNode(
      {
        throughWorkcell: recordTime('workcell', throughWorkcell),
        relayed: relaySend && { send: relaySend, isFirst: relayed?.isFirst ?? false },
        direct: recordTime('node', direct),
        commands,
        timeoutMs,
      },
      ({ state }) => reported.push([Date.now() - startedAt, state]),
    );
    const doneAt = pending.then(() => Date.now() - startedAt);
    await vi.runAllTimersAsync();
    return { sentAt, reported, last: await pending, doneAt: await doneAt };
  }
  const safetyStopOnly = ['safety_stop'];

  it('is sent through the workcell manager and the relay at once when only the relay may work, and the first reply counts', async () => {
    const relayed = { send: respondAfter(50, success), isFirst: true };
    const { sentAt, reported, doneAt } = await stopWithRelay(
      { throughWorkcell: hangingRoute, relayed, direct: hangingRoute },
      safetyStopOnly,
    );
    expect(sentAt).toEqual({ workcell: 0, relay: 0 });
    expect([reported, doneAt]).toEqual([[[50, 'confirmed']], 50]);
  });

  it('is sent directly to the node without waiting for a relay that hangs', async () => {
    const relayed = { send: hangingRoute, isFirst: true };
    const late = await stopWithRelay(
      { throughWorkcell: hangingRoute, relayed, direct: respondAfter(5, success) },
      safetyStopOnly,
    );
    expect([late.sentAt['node'], late.reported[0]]).toEqual([timeoutMs, [timeoutMs + 5, 'confirmed']]);
    const refused = await stopWithRelay(
      { throughWorkcell: closedRoute, relayed, direct: respondAfter(5, success) },
      safetyStopOnly,
    );
    expect([refused.sentAt['node'], refused.reported[0]]).toEqual([5, [10, 'confirmed']]);
  });

  it('is reported as failed after the other routes failed, and as confirmed when the relay responds', async () => {
    const relayed = { send: respondAfter(100, success), isFirst: true };
    const { reported } = await stopWithRelay(
      { throughWorkcell: closedRoute, relayed, direct: closedRoute },
      safetyStopOnly,
    );
    expect(reported.map(([, state]) => state)).toEqual(['failed', 'confirmed']);
    expect(reported[0]?.[0]).toBe(10);
  });

  it('is relayed only when a reachable workcell manager fails or is late', async () => {
    const relayed = { send: respondAfter(5, success), isFirst: false };
    const reachable = await stopWithRelay(
      { throughWorkcell: respondAfter(20, success), relayed, direct: closedRoute },
      safetyStopOnly,
    );
    expect(reachable.sentAt).toEqual({ workcell: 0 });
    const failed = await stopWithRelay({ throughWorkcell: closedRoute, relayed, direct: closedRoute }, safetyStopOnly);
    expect([failed.sentAt['relay'], failed.last.state]).toEqual([5, 'confirmed']);
    const late = await stopWithRelay({ throughWorkcell: hangingRoute, relayed, direct: hangingRoute }, safetyStopOnly);
    expect([late.sentAt['relay'], late.reported[0]]).toEqual([timeoutMs, [timeoutMs + 5, 'confirmed']]);
  });

  it('sends the other commands at once when the relay reports that the node has no safety stop', async () => {
    const sent: AdminCommand[] = [];
    const send = (command: AdminCommand): Promise<AdminCommandResponse> => {
      sent.push(command);
      return command === 'safety_stop' ? Promise.reject(createError('http', 400)) : Promise.resolve(success);
    };
    const { last, doneAt } = await stopWithRelay(
      { throughWorkcell: closedRoute, relayed: { send, isFirst: true }, direct: hangingRoute },
      null,
    );
    expect([sent, last.state]).toEqual([['safety_stop', 'lock', 'pause'], 'held']);
    expect(doneAt).toBeLessThan(timeoutMs);
  });

  it('fails with the relay’s reason when the relay refuses it', async () => {
    const relayed = { send: respondAfter(50, createError('http', 401)), isFirst: true };
    const { last } = await stopWithRelay({ throughWorkcell: closedRoute, relayed, direct: null }, safetyStopOnly);
    expect(last).toMatchObject({ state: 'failed', reason: 'http' });
  });

  it.each([1, 50])(
    'fails with the relay’s reason when no other route is available, even if the relay responds after %i ms',
    async (ms) => {
      const relayed = { send: respondAfter(ms, createError('http', 502)), isFirst: true };
      const { last } = await stopWithRelay(
        { throughWorkcell: closedRoute, relayed, direct: closedRoute },
        safetyStopOnly,
      );
      expect(last).toMatchObject({ state: 'failed', direct: false, reason: 'http' });
    },
  );
});

describe('a node without a safety stop', () => {
  const notImplemented = { success: false, errors: [{ error_type: 'AdminCommandNotImplemented' }] };

  /** Stops a node that supports only `commands`; `areKnown`: the page had read them before. */
  async function stopUnsupported(
    commands: readonly string[],
    areKnown: boolean,
    unsupportedReply: AdminCommandResponse | Error,
  ) {
    const sent: AdminCommand[] = [];
    const reported: StopOutcome[] = [];
    const throughWorkcell = (command: AdminCommand): Promise<AdminCommandResponse> => {
      sent.push(command);
      if (commands.includes(command)) return Promise.resolve(success);
      return unsupportedReply instanceof Error ? Promise.reject(unsupportedReply) : Promise.resolve(unsupportedReply);
    };
    const routes = { throughWorkcell, direct: null, commands: areKnown ? commands : null, timeoutMs };
    const pending = stopNode(routes, (outcome) => reported.push(outcome));
    await vi.runAllTimersAsync();
    return { last: await pending, sent, reported };
  }

  it.each<readonly [string, readonly string[], boolean, readonly string[], readonly string[]]>([
    ['is locked and paused at once', ['lock', 'pause'], true, ['lock', 'pause'], ['lock', 'pause']],
    ['is locked and cancelled when it can’t pause', ['lock', 'cancel'], true, ['lock', 'cancel'], ['lock', 'cancel']],
    ['is only locked when it can neither pause nor cancel', ['lock'], true, ['lock'], ['lock']],
    [
      'is sent a safety stop first when its commands are unknown',
      ['lock', 'pause'],
      false,
      ['safety_stop', 'lock', 'pause'],
      ['lock', 'pause'],
    ],
    [
      'is cancelled when it rejects a pause',
      ['lock', 'cancel'],
      false,
      ['safety_stop', 'lock', 'pause', 'cancel'],
      ['lock', 'cancel'],
    ],
  ])('%s', async (_name, commands, areKnown, sent, applied) => {
    for (const unsupportedReply of [createError('http', 400), notImplemented]) {
      const result = await stopUnsupported(commands, areKnown, unsupportedReply);
      expect(result.sent).toEqual(sent);
      expect(result.last).toMatchObject({ state: 'held', appliedCommands: applied });
      expect(result.reported.at(-1)).toEqual(result.last);
    }
  });

  it('is reported as sent while one of its commands may still arrive', async () => {
    const routes = {
      throughWorkcell: (command: AdminCommand) =>
        command === 'lock' ? Promise.resolve(success) : Promise.reject(createError('unreachable')),
      direct: null,
      commands: ['lock', 'pause'],
      timeoutMs,
    };
    const pending = stopNode(routes, () => undefined);
    await vi.runAllTimersAsync();
    expect(await pending).toMatchObject({ state: 'sent', appliedCommands: ['lock'], reason: 'unreachable' });
  });

  it('is reported to support no command when it rejects every command', async () => {
    expect((await stopUnsupported([], false, notImplemented)).last).toMatchObject({
      state: 'unknownCommand',
      appliedCommands: [],
    });
  });

  it.each([
    [null, ['lock', 'pause']],
    [
      ['pause', 'cancel', 'lock'],
      ['lock', 'pause'],
    ],
    [['cancel'], ['lock', 'cancel']],
    [[], ['lock']],
  ])('that declares the commands %j is sent %j', (commands, sent) => {
    expect(getFallbackCommands(commands)).toEqual(sent);
  });

  it.each<readonly [readonly AdminCommand[], readonly AdminCommand[]]>([
    [['safety_stop'], ['reset']],
    [
      ['lock', 'pause'],
      ['unlock', 'resume'],
    ],
    [['lock', 'cancel'], ['unlock']],
    [[], []],
  ])('is released from %j by %j', (applied, commands) => {
    expect(getReleaseCommands(applied)).toEqual(commands);
  });
});

it('a node’s reply outranks the outcome of a later send', () => {
  const outcome = (state: StopOutcome['state']): StopOutcome => ({ ...sendingOutcome, state });
  expect(isMoreCertain(outcome('refused'), outcome('sent'))).toBe(true);
  expect(isMoreCertain(outcome('sent'), outcome('refused'))).toBe(false);
  expect(isMoreCertain(outcome('confirmed'), outcome('refused'))).toBe(true);
  expect(isMoreCertain(outcome('sent'), outcome('failed'))).toBe(true);
});

describe('a repeated safety stop', () => {
  async function stopRepeatedly(replies: readonly (AdminCommandResponse | Error)[], abortAfterMs?: number) {
    const outcomes: [string, number][] = [];
    const controller = new AbortController();
    let sent = 0;
    const throughWorkcell = (): Promise<AdminCommandResponse> => {
      const next = replies[Math.min(sent, replies.length - 1)] ?? success;
      sent += 1;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    };
    const routes = { throughWorkcell, direct: null, commands: ['safety_stop'], timeoutMs };
    if (abortAfterMs !== undefined) setTimeout(() => controller.abort(), abortAfterMs);
    const pending = stopUntilConfirmed(
      routes,
      ({ state }, attempt) => outcomes.push([state, attempt]),
      controller.signal,
    );
    await vi.runAllTimersAsync();
    return { last: await pending, sent, outcomes };
  }
  const refusal: AdminCommandResponse = { success: false, errors: [{ message: 'door open' }] };

  it('is sent again until the node confirms, and each attempt is reported', async () => {
    const { last, sent, outcomes } = await stopRepeatedly([createError('unreachable'), refusal, success]);
    expect(last.state).toBe('confirmed');
    expect(sent).toBe(3);
    expect(outcomes).toEqual([
      ['failed', 1],
      ['refused', 2],
      ['confirmed', 3],
    ]);
  });

  it('ends after the maximum number of attempts and reports the reply of the node', async () => {
    const { last, sent } = await stopRepeatedly([refusal, createError('unreachable')]);
    expect(sent).toBe(maxAttempts);
    expect(last).toMatchObject({ state: 'refused', reason: 'door open' });
  });

  it('is not sent again after it is aborted', async () => {
    expect((await stopRepeatedly([refusal], 3000)).sent).toBe(2);
  });

  it('reports the pending reply when it is aborted meanwhile', async () => {
    const controller = new AbortController();
    const outcomes: string[] = [];
    const routes = { throughWorkcell: respondAfter(1000, refusal), direct: null, commands: ['safety_stop'], timeoutMs };
    const pending = stopUntilConfirmed(routes, ({ state }) => outcomes.push(state), controller.signal);
    setTimeout(() => controller.abort(), 500);
    await vi.runAllTimersAsync();
    expect((await pending).state).toBe('refused');
    expect(outcomes).toEqual(['refused']);
  });

  it('is sent to the node itself every 2 s while the manager hangs, and through the manager once at a time', async () => {
    const startedAt = Date.now();
    const direct: number[] = [];
    let throughManager = 0;
    const routes: StopRoutes = {
      throughWorkcell: () => {
        throughManager += 1;
        return respondAfter(10_000, createError('timeout'))();
      },
      direct: () => {
        direct.push(Date.now() - startedAt);
        return respondAfter(10_000, createError('timeout'))();
      },
      commands: ['safety_stop'],
      timeoutMs,
    };
    const controller = new AbortController();
    const pending = stopUntilConfirmed(routes, () => undefined, controller.signal);
    await vi.advanceTimersByTimeAsync(9000);
    expect(direct).toEqual([1500, 2000, 4000, 6000, 8000]);
    expect(throughManager).toBe(1);
    controller.abort();
    await vi.runAllTimersAsync();
    expect((await pending).state).toBe('sent');
  });

  it('ends when an earlier attempt is confirmed late', async () => {
    let attempts = 0;
    const slow = respondAfter(3000, success);
    const routes: StopRoutes = {
      throughWorkcell: null,
      direct: () => ((attempts += 1), slow()),
      commands: ['safety_stop'],
      timeoutMs,
    };
    const outcomes: [string, number][] = [];
    const pending = stopUntilConfirmed(
      routes,
      ({ state }, count) => outcomes.push([state, count]),
      new AbortController().signal,
    );
    await vi.runAllTimersAsync();
    expect((await pending).state).toBe('confirmed');
    expect(outcomes).toContainEqual(['confirmed', 2]);
    expect(attempts).toBe(2);
  });

  it('a stop in several attempts keeps the commands that the node confirmed in any of them', async () => {
    const replies: Record<string, (AdminCommandResponse | Error)[]> = {
      lock: [createError('timeout'), success, createError('timeout')],
      pause: [createError('timeout'), createError('timeout'), success],
    };
    const reported: (readonly AdminCommand[])[] = [];
    const controller = new AbortController();
    const throughWorkcell = async (command: AdminCommand): Promise<AdminCommandResponse> => {
      const reply = replies[command]?.shift();
      if (reply === undefined || reply instanceof Error) throw reply ?? createError('timeout');
      return reply;
    };
    const pending = stopUntilConfirmed(
      { throughWorkcell, direct: null, commands: ['lock', 'pause'], timeoutMs },
      ({ appliedCommands }) => reported.push(appliedCommands),
      controller.signal,
    );
    await vi.runAllTimersAsync();
    expect(await pending).toMatchObject({ state: 'sent', appliedCommands: ['lock', 'pause'] });
    expect(reported.slice(0, 3)).toEqual([[], ['lock'], ['lock', 'pause']]);
  });

  it('is sent once to a node that confirms', async () => {
    expect((await stopRepeatedly([success])).sent).toBe(1);
  });
});
