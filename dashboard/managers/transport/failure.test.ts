import { describe, expect, it } from 'vitest';
import { ManagerError, type ManagerErrorFields } from '#api/client/managerError.ts';
import { toPollFailure } from './failure.ts';

const error = (fields: Partial<ManagerErrorFields>) =>
  new ManagerError({
    kind: 'http',
    manager: 'workcell',
    endpoint: 'getState',
    purpose: 'read the state',
    address: 'http://lab:8005/',
    reason: 'boom',
    ...fields,
  });

describe('toPollFailure', () => {
  it.each([
    ['an error of the manager', error({ status: 500 }), { reason: 'HTTP 500, boom', status: 500, retryAfter: 0 }],
    [
      'a rate limit with its retry time',
      error({ status: 429, retryAfterMs: 7000 }),
      { reason: 'busy, too many requests (HTTP 429)', status: 429, retryAfter: 7000 },
    ],
    [
      'an error inside a successful response',
      error({ status: 200, reason: 'no' }),
      { reason: 'no', status: 200, retryAfter: 0 },
    ],
    [
      'an unreachable manager',
      error({ kind: 'unreachable', reason: 'no connection' }),
      { reason: 'no connection', status: null, retryAfter: 0 },
    ],
    [
      'a timeout',
      error({ kind: 'timeout', reason: 'timed out after 8 s' }),
      { reason: 'timed out after 8 s', status: null, retryAfter: 0 },
    ],
  ])('describes %s', (_name, managerError, expected) => {
    expect(toPollFailure(managerError)).toEqual(expected);
  });

  it.each([[error({ kind: 'aborted' })], [new DOMException('', 'AbortError')], [undefined]])(
    'returns null for an aborted request, and for an error that is not a ManagerError',
    (reason) => {
      expect(toPollFailure(reason)).toBeNull();
    },
  );
});
