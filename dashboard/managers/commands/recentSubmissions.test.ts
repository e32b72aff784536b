import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagerError, type ManagerErrorKind } from '../../../api/client/managerError.ts';
import {
  duplicateWindowMs,
  judgeRepetition,
  noteSubmission,
  submissionDigest,
  submitOnce,
} from './recentSubmissions.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

const judged = (digest: string, now: number) => judgeRepetition('Growth assay', digest, now).is;

describe('the identical workflow', () => {
  it('is asked about within a minute, and not after it', () => {
    noteSubmission('a', 1000);
    expect(judged('a', 1001)).toBe('changed');
    expect(judged('a', 1000 + duplicateWindowMs - 1)).toBe('changed');
    expect(judged('a', 1000 + duplicateWindowMs)).toBe('same');
  });

  it('is sent without a question where another one was sent before', () => {
    noteSubmission('a', 1000);
    expect(judged('b', 1001)).toBe('same');
  });

  it('is not asked about again in a batch that the person repeats deliberately', () => {
    noteSubmission('a', 1000);
    noteSubmission('a', 2000);
    expect(judged('a', 3000)).toBe('same');
    noteSubmission('a', 2000 + duplicateWindowMs - 1);
    expect(judged('a', 2000 + duplicateWindowMs)).toBe('same');
  });

  it('differs by its values and by its files', () => {
    const file = (size: number) => new File(['x'.repeat(size)], 'plate.csv', { lastModified: 1 });
    expect(submissionDigest([{ seconds: 1 }])).not.toBe(submissionDigest([{ seconds: 2 }]));
    expect(submissionDigest([file(1)])).not.toBe(submissionDigest([file(2)]));
    expect(submissionDigest([{ seconds: 1 }, file(1)])).toBe(submissionDigest([{ seconds: 1 }, file(1)]));
  });
});

describe('a submission that failed', () => {
  const failure = (kind: ManagerErrorKind, endpoint: string) =>
    new ManagerError({ kind, endpoint, manager: 'workcell', does: 'start', address: 'http://lab/', reason: kind });

  it.each([
    ['http', 'startWorkflow', 'same'],
    ['unreachable', 'startWorkflow', 'same'],
    ['unreadable', 'addWorkflowDefinition', 'same'],
    ['timeout', 'startWorkflow', 'changed'],
    ['unreadable', 'startWorkflow', 'changed'],
  ] as const)('with “%s” at %s counts only when it may have started', async (kind, endpoint, is) => {
    const digest = `${kind} ${endpoint}`;
    await expect(submitOnce(digest, () => Promise.reject(failure(kind, endpoint)))).rejects.toThrow();
    expect(judgeRepetition('Growth assay', digest).is).toBe(is);
  });
});
