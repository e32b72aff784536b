import { describe, expect, it } from 'vitest';
import { ManagerChecker } from './checker.ts';
import type { probe, ProbeOutcome } from './probe.ts';
import type { HealthCheckResult } from './evaluateHealth.ts';

/** A checker whose requests end when the test resolves them. */
function createChecker() {
  const requests: { signal: AbortSignal | undefined; resolve: (outcome: ProbeOutcome) => void }[] = [];
  const runProbe: typeof probe = (_url, { signal } = {}) =>
    new Promise((resolve) => {
      requests.push({ signal, resolve });
      signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }));
    });
  const results: HealthCheckResult[] = [];
  const checker = new ManagerChecker('event', 'http://127.0.0.1:8001/', (result) => results.push(result), runProbe);
  return { requests, results, checker };
}

const healthyOutcome: ProbeOutcome = { kind: 'answered', latencyMs: 5, body: { healthy: true } };

describe('ManagerChecker', () => {
  it('runs one check at a time for all concurrent callers', async () => {
    const { requests, results, checker } = createChecker();
    const answers = [checker.check(), checker.check(new AbortController().signal), checker.check()];
    expect(requests).toHaveLength(1);
    requests[0]!.resolve(healthyOutcome);
    const [first, ...others] = await Promise.all(answers);
    expect(first?.state).toBe('healthy');
    for (const otherResult of others) expect(otherResult).toBe(first);
    expect(results).toEqual([first]);
    void checker.check();
    expect(requests).toHaveLength(2);
  });

  it('starts a new check for a call during the report of the last result', async () => {
    const resolvers: ((outcome: ProbeOutcome) => void)[] = [];
    const probing: typeof probe = () => new Promise((resolve) => resolvers.push(resolve));
    const checker = new ManagerChecker('event', 'http://127.0.0.1:8001/', () => void checker.check(), probing);
    const first = checker.check();
    resolvers[0]!(healthyOutcome);
    await first;
    expect(resolvers).toHaveLength(2);
  });

  it('reports no timeout that fired late, because this process was busy', async () => {
    const { requests, results, checker } = createChecker();
    for (const latencyMs of [5001, 5600, 5002]) {
      const result = checker.check();
      requests.at(-1)!.resolve({ kind: 'failed', latencyMs, reason: `timed out in ${latencyMs}`, reached: false });
      expect((await result)?.state).toBe('unreachable');
    }
    expect(results.map(({ reason }) => reason)).toEqual(['timed out in 5001', 'timed out in 5002']);
  });

  it('aborts the check when its last caller leaves', async () => {
    const { requests, results, checker } = createChecker();
    const [one, two] = [new AbortController(), new AbortController()];
    const answers = [checker.check(one.signal), checker.check(two.signal)];
    one.abort();
    expect(await answers[0]).toBeNull();
    expect(requests[0]!.signal?.aborted).toBe(false);
    two.abort();
    expect(await answers[1]).toBeNull();
    expect(requests[0]!.signal?.aborted).toBe(true);
    expect(results).toEqual([]);
  });

  it('continues the check for the watch when a client leaves', async () => {
    const { requests, results, checker } = createChecker();
    const watch = checker.check();
    const client = new AbortController();
    const abandoned = checker.check(client.signal);
    client.abort();
    expect(await abandoned).toBeNull();
    requests[0]!.resolve(healthyOutcome);
    expect((await watch)?.state).toBe('healthy');
    expect(results).toHaveLength(1);
  });

  it('ignores the result of an aborted check and starts a new one', async () => {
    const { requests, results, checker } = createChecker();
    const first = checker.check();
    checker.abort();
    const second = checker.check();
    requests[0]!.resolve(healthyOutcome);
    expect(await first).toBeNull();
    requests[1]!.resolve({ kind: 'failed', latencyMs: 1, reason: 'HTTP 503', reached: true });
    expect((await second)?.reason).toBe('HTTP 503');
    expect(results).toHaveLength(1);
  });

  it('does not check for a signal that is already aborted', async () => {
    const { requests, checker } = createChecker();
    expect(await checker.check(AbortSignal.abort())).toBeNull();
    expect(requests).toHaveLength(0);
  });

  it('keeps the last result for a busy manager', async () => {
    const { requests, checker } = createChecker();
    const first = checker.check();
    requests[0]!.resolve(healthyOutcome);
    await first;
    const second = checker.check();
    requests[1]!.resolve({ kind: 'busy', latencyMs: 2 });
    expect((await second)?.entry).toMatchObject({ healthy: true, description: expect.stringContaining('HTTP 429') });
  });
});
