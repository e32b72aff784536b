import { describe, expect, it } from 'vitest';
import { ExpectedStates } from './truth.ts';

const sentence = (text: string, at: number) => ({ page: 'Overview', subject: 'workflow A', text, at });
const at = (ms: number) => ({ requestedAt: ms, receivedAt: ms });
function truth(): ExpectedStates {
  const expectedStates = new ExpectedStates();
  expectedStates.record('workflow A', 'Queued', at(0));
  expectedStates.record('workflow A', 'Queued', at(9_990));
  expectedStates.record('workflow A', 'Running', at(10_000));
  expectedStates.record('workflow A', 'Running', at(19_990));
  expectedStates.record('workflow A', 'Completed', at(20_000));
  return expectedStates;
}

describe('a state on a page', () => {
  it('is true while it lasts and for as long as a page may lag', () => {
    expect(truth().judge(sentence('Running', 15_000), 5000)).toBeNull();
    expect(truth().judge(sentence('Queued', 14_000), 5000)).toBeNull();
  });

  it('is too old after that time', () => {
    expect(truth().judge(sentence('Queued', 17_000), 5000)).toMatchObject({ kind: 'too old' });
  });

  it('is judged as never true if it never occurred', () => {
    expect(truth().judge(sentence('Failed', 15_000), 5000)).toMatchObject({ kind: 'never so' });
    expect(truth().judge(sentence('Completed', 15_000), 5000)).toMatchObject({ kind: 'never so' });
  });

  it('must not go back in time, even within the permitted lag', () => {
    const expectedStates = truth();
    expect(expectedStates.judge(sentence('Completed', 20_500), 5000)).toBeNull();
    expect(expectedStates.judge(sentence('Running', 21_000), 5000)).toMatchObject({ kind: 'back in time' });
    expect(expectedStates.judge({ ...sentence('Running', 21_000), page: 'Workflows' }, 5000)).toBeNull();
  });

  it('may return if the object returns to it', () => {
    const expectedStates = truth();
    expectedStates.record('workflow A', 'Running', at(22_000));
    expect(expectedStates.judge(sentence('Completed', 20_500), 5000)).toBeNull();
    expect(expectedStates.judge(sentence('Running', 23_000), 5000)).toBeNull();
  });

  it('may be a state between two recorded responses', () => {
    const expectedStates = truth();
    expectedStates.record('workflow A', 'Queued', at(25_000), ['Running']);
    expect(expectedStates.judge(sentence('Running', 25_100), 2000)).toBeNull();
  });

  it('may be newer than the last recorded response by the duration of a response', () => {
    const expectedStates = new ExpectedStates();
    expectedStates.record('workflow A', 'Queued', { requestedAt: 0, receivedAt: 1000 });
    expectedStates.record('workflow A', 'Running', { requestedAt: 4000, receivedAt: 5000 });
    expect(expectedStates.judge(sentence('Running', 500), 2000)).toBeNull();
    expect(expectedStates.judge({ ...sentence('Queued', 6900), page: 'Workflows' }, 2000)).toBeNull();
    expect(expectedStates.judge({ ...sentence('Queued', 7500), page: 'Workflows' }, 2000)).toMatchObject({
      kind: 'too old',
    });
  });

  it('may be a new state before its response is recorded', () => {
    const expectedStates = truth();
    expectedStates.record('workflow B', 'Queued', { requestedAt: 25_000, receivedAt: 26_000 });
    expect(expectedStates.judge({ ...sentence('Queued', 24_000), subject: 'workflow B' }, 2000)).toBeNull();
    expect(expectedStates.judge({ ...sentence('Queued', 15_000), subject: 'workflow B' }, 2000)).toMatchObject({
      kind: 'never so',
    });
  });

  it('is true from an earlier response that is recorded late', () => {
    const expectedStates = new ExpectedStates();
    const requestAt = (requestedAt: number) => ({ requestedAt, receivedAt: requestedAt + 200 });
    expectedStates.record('node arm', 'Ready', at(2400));
    expectedStates.record('workflow A', 'Queued', requestAt(2500));
    expectedStates.record('workflow A', 'Queued', requestAt(1500));
    expect(expectedStates.judge(sentence('Queued', 1600), 2000)).toBeNull();
    expect(expectedStates.judge({ ...sentence('Queued', 1100), page: 'Workflows' }, 2000)).toMatchObject({
      kind: 'never so',
    });
    // A state between the two responses, which does not replace the later one.
    expectedStates.record('workflow A', 'Running', requestAt(2000));
    expect(expectedStates.judge(sentence('Running', 2100), 2000)).toBeNull();
    expect(expectedStates.currentText('workflow A')).toBe('Queued');
    expect(expectedStates.judge(sentence('Queued', 2600), 2000)).toBeNull();
    expect(expectedStates.judge(sentence('Running', 2700), 2000)).toMatchObject({ kind: 'back in time' });
  });

  it('is true from the request of a late response that is the first one about it', () => {
    const expectedStates = new ExpectedStates();
    expectedStates.record('node arm', 'Ready', { requestedAt: 10_400, receivedAt: 10_500 });
    expectedStates.record('workflow A', 'Queued', { requestedAt: 10_000, receivedAt: 10_700 });
    expect(expectedStates.judge(sentence('Queued', 10_050), 5000)).toBeNull();
  });

  it('is not judged for an unknown object', () => {
    expect(truth().judge({ ...sentence('Running', 1), subject: 'workflow B' }, 5000)).toBeNull();
  });
});
