import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import { performCommand, type Command } from './performCommand.ts';
import {
  evaluateDifferences,
  evaluatePremise,
  maxCheckMs,
  samePremise,
  type PremiseEvaluation,
  type Premise,
} from './premise.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const always = () => true;
function createPremise<State>(
  read: Premise<State>['read'],
  evaluate: (now: State) => PremiseEvaluation,
  missing?: string,
) {
  return { read, evaluate, ...(missing === undefined ? {} : { missing }) };
}
function command<State>(premise: Premise<State>, overrides: Partial<Command<string, State>> = {}) {
  const run = vi.fn(async () => 'sent');
  return {
    run,
    command: {
      verb: 'Pop',
      manager: 'resource',
      target: { kind: 'resource', id: 'S', name: 'stack' },
      premise,
      run,
      ...overrides,
    } as const,
  };
}

const record = vi.fn();

describe('the state that a command depends on', () => {
  it('is not read, and not timed, before the server can respond', async () => {
    let becomeReady = (): void => undefined;
    const ready = new Promise<void>((resolve) => (becomeReady = resolve));
    const read = vi.fn(async () => 'now');
    const evaluation = evaluatePremise({ ...createPremise(read, () => samePremise), ready: () => ready }, always);
    await vi.advanceTimersByTimeAsync(2 * maxCheckMs);
    expect(read).not.toHaveBeenCalled();
    becomeReady();
    expect(await evaluation).toEqual({ finding: samePremise, freshState: 'now' });
  });

  it('counts as unread after 2 s, and its read is aborted', async () => {
    let signal: AbortSignal | undefined;
    const evaluation = evaluatePremise(
      createPremise(
        (options) => {
          signal = options.signal;
          return new Promise<never>(() => undefined);
        },
        () => samePremise,
      ),
      always,
    );
    await vi.advanceTimersByTimeAsync(maxCheckMs - 1);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await evaluation).toMatchObject({
      finding: { kind: 'unread', reason: 'no answer within 2 s' },
      freshState: null,
    });
    expect(signal?.aborted).toBe(true);
  });

  it('forbids a command on an object that no longer exists', async () => {
    const errorDetails = {
      manager: 'resource',
      endpoint: 'getResource',
      purpose: 'read',
      address: 'http://lab/',
    } as const;
    const missing = new ManagerError({ ...errorDetails, kind: 'http', status: 404, reason: 'Resource not found' });
    const premise = createPremise(
      async () => Promise.reject(missing),
      () => samePremise,
      'It is gone.',
    );
    expect((await evaluatePremise(premise, always)).finding).toEqual({ kind: 'refused', reason: 'It is gone.' });
  });

  it('is read again while two reads differ', async () => {
    const read = vi.fn(async () => read.mock.calls.length);
    const evaluation = evaluatePremise(
      createPremise(read, (count) => (count < 3 ? { kind: 'transient', reason: 'It has just changed.' } : samePremise)),
      always,
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(await evaluation).toMatchObject({ finding: { kind: 'same' }, freshState: 3 });
  });

  it.each([0, 900])('counts as unread after 2 s of differing reads that take %i ms each', async (ms) => {
    const started = performance.now();
    const read = vi.fn(() => new Promise((resolve) => setTimeout(resolve, ms)));
    const evaluation = evaluatePremise(
      createPremise(read, () => ({ kind: 'transient', reason: 'It has just changed.' })),
      always,
    ).then((result) => ({ result, elapsedMs: performance.now() - started }));
    await vi.advanceTimersByTimeAsync(maxCheckMs);
    const { result, elapsedMs } = await evaluation;
    expect(elapsedMs).toBeLessThanOrEqual(maxCheckMs);
    expect(result).toMatchObject({ finding: { kind: 'unread' }, freshState: null });
    expect(read.mock.calls.length).toBeGreaterThan(1);
  });
});

describe('a command that depends on a state', () => {
  it('is sent after a change only once the user has confirmed the change', async () => {
    const { command: pop, run } = command(
      createPremise(
        async () => 'P9',
        (now) => evaluateDifferences([`${now} is next.`]),
      ),
    );
    const reconfirm = vi.fn(() => true);
    expect(await performCommand(pop, reconfirm, record)).toMatchObject({ sent: true, freshState: 'P9' });
    expect(reconfirm).toHaveBeenCalledOnce();
    expect(run).toHaveBeenCalledOnce();
  });

  it('is confirmed again when the state changes while the confirmation is open', async () => {
    let next = 1;
    const { command: pop } = command(
      createPremise(
        async () => (next = Math.min(next + 1, 3)),
        (now) => evaluateDifferences([`P${now}`]),
      ),
    );
    const reconfirm = vi.fn(() => true);
    await performCommand(pop, reconfirm, record);
    expect(reconfirm.mock.calls).toMatchObject([[{ differences: ['P2'] }], [{ differences: ['P3'] }]]);
  });

  it('is not sent when the dialog is closed while the state is read', async () => {
    let isOpen = true;
    const premise = createPremise(
      async () => {
        isOpen = false;
        return null;
      },
      () => samePremise,
    );
    const { command: pop, run } = command(premise, { isCurrent: () => isOpen });
    expect(await performCommand(pop, always, record)).toEqual({ sent: false, refusal: null });
    expect(run).not.toHaveBeenCalled();
  });

  it('is never sent in a state that forbids it, even when the user confirms', async () => {
    const { command: pop, run } = command(
      createPremise(
        async () => null,
        () => ({ kind: 'refused', reason: 'It is empty.' }),
      ),
    );
    expect(await performCommand(pop, always, record)).toEqual({ sent: false, refusal: 'It is empty.' });
    expect(run).not.toHaveBeenCalled();
  });
});
