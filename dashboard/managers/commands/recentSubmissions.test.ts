import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagerError, type ManagerErrorKind } from '#api/client/managerError.ts';
import {
  duplicateWindowMs,
  evaluateRepetition,
  recordSubmission,
  submissionDigest,
  submitOnce,
} from './recentSubmissions.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

const evaluate = (digest: string, now: number) => evaluateRepetition('Growth assay', digest, now).kind;

describe('a second identical submission', () => {
  it('needs a confirmation within a minute of the first one', () => {
    recordSubmission('a', 1000);
    expect(evaluate('a', 1001)).toBe('changed');
    expect(evaluate('a', 1000 + duplicateWindowMs - 1)).toBe('changed');
    expect(evaluate('a', 1000 + duplicateWindowMs)).toBe('same');
  });

  it('needs no confirmation if the submission differs', () => {
    recordSubmission('a', 1000);
    expect(evaluate('b', 1001)).toBe('same');
  });

  it('needs no further confirmation in a batch that the user repeats deliberately', () => {
    recordSubmission('a', 1000);
    recordSubmission('a', 2000);
    expect(evaluate('a', 3000)).toBe('same');
    recordSubmission('a', 2000 + duplicateWindowMs - 1);
    expect(evaluate('a', 2000 + duplicateWindowMs)).toBe('same');
  });

  it('is recognized by its values and files', () => {
    const file = (size: number) => new File(['x'.repeat(size)], 'plate.csv', { lastModified: 1 });
    expect(submissionDigest([{ seconds: 1 }])).not.toBe(submissionDigest([{ seconds: 2 }]));
    expect(submissionDigest([file(1)])).not.toBe(submissionDigest([file(2)]));
    expect(submissionDigest([{ seconds: 1 }, file(1)])).toBe(submissionDigest([{ seconds: 1 }, file(1)]));
  });
});

describe('a failed submission', () => {
  const failure = (kind: ManagerErrorKind, endpoint: string) =>
    new ManagerError({ kind, endpoint, manager: 'workcell', purpose: 'start', address: 'http://lab/', reason: kind });

  it.each([
    ['http', 'startWorkflow', 'same'],
    ['unreachable', 'startWorkflow', 'same'],
    ['unreadable', 'addWorkflowDefinition', 'same'],
    ['timeout', 'startWorkflow', 'changed'],
    ['unreadable', 'startWorkflow', 'changed'],
  ] as const)(
    'counts as recent only when the workflow may have started: “%s” at %s',
    async (kind, endpoint, expected) => {
      const digest = `${kind} ${endpoint}`;
      await expect(submitOnce(digest, () => Promise.reject(failure(kind, endpoint)))).rejects.toThrow();
      expect(evaluateRepetition('Growth assay', digest).kind).toBe(expected);
    },
  );
});
