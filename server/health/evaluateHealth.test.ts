import { labManagerDescription } from '../../api/lab/lab.ts';
import { describe, expect, it } from 'vitest';
import type { ProbeOutcome } from './probe.ts';
import { busyValidMs, evaluateHealth, slowMs, type HealthCheckResult } from './evaluateHealth.ts';

type Outcome = Exclude<ProbeOutcome, { kind: 'aborted' }>;

const now = 1_700_000_000_000;
const responded = (body: Record<string, unknown>, latencyMs = 5): Outcome => ({ kind: 'answered', latencyMs, body });
const failed = (reason: string, reached: boolean): Outcome => ({ kind: 'failed', latencyMs: 5, reason, reached });
const busy: Outcome = { kind: 'busy', latencyMs: 3 };
const evaluate = (outcome: Outcome, previous: HealthCheckResult | null = null, at = now) =>
  evaluateHealth('event', outcome, previous, at);

it('a lab manager at the address of a manager is unhealthy, regardless of its report', () => {
  const body = { healthy: true, description: labManagerDescription, version: '9.8.7' };
  const result = evaluateHealth('event', { kind: 'answered', latencyMs: 5, body }, null, 0);
  expect(result).toMatchObject({
    state: 'unhealthy',
    reason: expect.stringContaining('is a lab manager’s, not the Event Manager’s'),
    entry: { healthy: false },
  });
});

describe('the result for a response', () => {
  it('keeps the manager’s own message and its extra fields', () => {
    const body = {
      healthy: true,
      description: 'Event Manager is running normally',
      version: '0.8.1',
      db_connected: true,
    };
    expect(evaluate(responded(body))).toEqual({
      state: 'healthy',
      reason: null,
      entry: body,
      version: '0.8.1',
      latencyMs: 5,
      decidedAt: now,
      clock: null,
    });
  });

  it.each([
    [{ healthy: true }, 'healthy', 'Event Manager is running'],
    [{ healthy: true, description: '  ' }, 'healthy', 'Event Manager is running'],
    [{ healthy: true, description: 7 }, 'healthy', 'Event Manager is running'],
    [{ healthy: false }, 'unhealthy', 'Event Manager reports that it is unhealthy'],
    [{ healthy: false, description: 'no database' }, 'unhealthy', 'no database'],
    // Only the boolean counts.
    [{ healthy: 'true' }, 'unhealthy', 'Event Manager reports that it is unhealthy'],
    [{ healthy: 1 }, 'unhealthy', 'Event Manager reports that it is unhealthy'],
    [{}, 'unhealthy', 'Event Manager reports that it is unhealthy'],
  ])('%j is %s', (body, state, description) => {
    const result = evaluate(responded(body));
    expect(result.state).toBe(state);
    expect(result.entry).toMatchObject({ healthy: state === 'healthy', description });
    expect(result.reason).toBe(state === 'healthy' ? null : description);
  });

  it('after a second or more is slow, unless the manager is unhealthy', () => {
    expect(evaluate(responded({ healthy: true }, slowMs - 1)).state).toBe('healthy');
    expect(evaluate(responded({ healthy: true }, 1912))).toMatchObject({
      state: 'slow',
      reason: 'answers in 1.9 s',
      entry: { healthy: true },
    });
    expect(evaluate(responded({ healthy: false }, 1912)).state).toBe('unhealthy');
  });
});

describe('the result for a failure', () => {
  it.each([
    [failed('HTTP 503', true), 'unhealthy'],
    [failed('answered with something that is not a health object: <html>', true), 'unhealthy'],
    [failed('timed out after 5 s', false), 'unreachable'],
  ])('%j is %s with the reason', (outcome, state) => {
    const reason = outcome.kind === 'failed' ? outcome.reason : '';
    expect(evaluate(outcome)).toMatchObject({ state, reason, entry: { healthy: false, description: reason } });
  });
});

describe('the result for too many requests', () => {
  const note = 'busy (HTTP 429), its last result still applies';
  const healthyResult = evaluate(responded({ healthy: true, description: 'fine', version: '0.8.1' }));
  const unhealthy = evaluate(responded({ healthy: false, description: 'no database' }));

  it('is the last result with a note, for a minute', () => {
    const result = evaluate(busy, healthyResult, now + busyValidMs);
    expect(result).toMatchObject({ state: 'healthy', reason: note, version: '0.8.1', latencyMs: 3 });
    expect(result.entry).toEqual({ healthy: true, description: `fine (${note})`, version: '0.8.1' });
    expect(evaluate(busy, unhealthy, now + 1)).toMatchObject({
      state: 'unhealthy',
      reason: 'no database',
      entry: { healthy: false, description: `no database (${note})` },
    });
  });

  it('has the note once, and its minute begins with the manager’s own last response', () => {
    const again = evaluate(busy, evaluate(busy, healthyResult, now + 30_000), now + 60_000);
    expect(again.entry.description).toBe(`fine (${note})`);
    const late = evaluate(busy, again, now + 60_001);
    expect(late).toMatchObject({ state: 'unhealthy', entry: { healthy: false }, version: '0.8.1' });
    expect(late.reason).toBe('busy (HTTP 429) for more than a minute, so its last result no longer applies');
    expect(evaluate(busy, late, now + 90_000).reason).toBe(late.reason);
  });

  it('is unhealthy at any time without an earlier response', () => {
    const first = evaluate(busy);
    expect(first).toMatchObject({
      state: 'unhealthy',
      reason: 'busy (HTTP 429), no result yet',
      entry: { healthy: false },
    });
    expect(evaluate(busy, first, now + 5000).reason).toBe(first.reason);
  });

  it('is unhealthy after an unreachable state', () => {
    const unreachable = evaluate(failed('Failed to connect: connection refused (127.0.0.1:8001)', false));
    expect(evaluate(busy, unreachable, now + 1).state).toBe('unhealthy');
    expect(evaluate(busy, unreachable, now + 1).entry.description).not.toContain('refused');
  });
});
