import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminCommandAnswer } from '../../../api/action.ts';
import { ManagerError, type ManagerErrorKind } from '../../../api/managerError.ts';
import { stopNode, type StopOutcome, type StopWays } from './stopNode.ts';

const yes = { success: true };
const patienceMs = 1500;

function error(kind: ManagerErrorKind, status: number | null = null): ManagerError {
  return new ManagerError({
    kind,
    status,
    manager: 'workcell',
    endpoint: 'sendCommand',
    does: 'send the command to the node',
    address: 'http://lab:8005/',
    reason: kind,
  });
}

function after<Value>(ms: number, value: Value): () => Promise<Exclude<Value, Error>> {
  return () =>
    new Promise((resolve, reject) =>
      setTimeout(() => (value instanceof Error ? reject(value) : resolve(value as Exclude<Value, Error>)), ms),
    );
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function stop(
  throughWorkcell: StopWays['throughWorkcell'],
  direct: StopWays['direct'],
): Promise<{ told: StopOutcome[]; last: StopOutcome; took: number }> {
  const told: StopOutcome[] = [];
  const began = Date.now();
  const pending = stopNode({ throughWorkcell, direct, patienceMs }, (outcome) => told.push(outcome));
  await vi.runAllTimersAsync();
  return { told, last: await pending, took: Date.now() - began };
}

describe('a node’s safety stop', () => {
  const neverAsked = () => {
    throw new Error('the node must not be asked itself');
  };
  it.each<readonly [string, AdminCommandAnswer | Error, string]>([
    ['confirmed by the node', yes, 'confirmed'],
    ['not among its commands', error('http', 400), 'unknownCommand'],
    ['not implemented', { success: false, errors: [{ error_type: 'AdminCommandNotImplemented' }] }, 'unknownCommand'],
    ['refused by the node', { success: false, errors: [{ message: 'door open' }] }, 'refused'],
  ])('through a workcell manager that answers: %s', async (_name, answer, state) => {
    const { last, told } = await stop(after(20, answer), neverAsked);
    expect(last).toMatchObject({ state, direct: false });
    expect(told).toHaveLength(1);
  });

  it.each<readonly [string, ManagerErrorKind]>([
    ['is gone', 'unreachable'],
    ['fails without a readable answer', 'unreadable'],
  ])('past a workcell manager that %s, at once', async (_name, kind) => {
    const { last, took } = await stop(after(10, error(kind)), after(10, null));
    expect(last).toMatchObject({ state: 'sent', direct: true });
    expect(took).toBeLessThan(patienceMs);
  });

  it('past one that hangs, without waiting for it', async () => {
    const { told, last } = await stop(after(20_000, error('timeout')), after(10, yes));
    expect(told[0]).toMatchObject({ state: 'confirmed', direct: true });
    expect(last.state).toBe('confirmed');
  });

  it('what the node itself confirmed is not taken back by what the manager says later', async () => {
    const { last } = await stop(after(5000, { success: false, errors: [{ message: 'late' }] }), after(10, yes));
    expect(last).toMatchObject({ state: 'confirmed', direct: true });
  });

  it('without a workcell manager the node alone is asked', async () => {
    expect((await stop(null, after(5, null))).last.state).toBe('sent');
  });

  it('nobody reached is said with the reason', async () => {
    const { last } = await stop(after(5, error('unreachable')), after(5, new TypeError('Failed to fetch')));
    expect(last.state).toBe('failed');
    expect(last.reason).not.toBe('');
  });

  it('without any way it has failed', async () => {
    expect((await stop(null, null)).last.state).toBe('failed');
  });
});
