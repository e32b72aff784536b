import { describe, expect, it } from 'vitest';
import { Truth } from './truth.ts';

const say = (words: string, at: number) => ({ page: 'Overview', about: 'workflow A', words, at });
const at = (ms: number) => ({ asked: ms, received: ms });
function truth(): Truth {
  const known = new Truth();
  known.note('workflow A', 'Queued', at(0));
  known.note('workflow A', 'Queued', at(9_990));
  known.note('workflow A', 'Running', at(10_000));
  known.note('workflow A', 'Running', at(19_990));
  known.note('workflow A', 'Completed', at(20_000));
  return known;
}

describe('a sentence', () => {
  it('is true while it is so, and for as long as a page may be behind', () => {
    expect(truth().judge(say('Running', 15_000), 5000)).toBeNull();
    expect(truth().judge(say('Queued', 14_000), 5000)).toBeNull();
  });

  it('is too old after that', () => {
    expect(truth().judge(say('Queued', 17_000), 5000)).toMatchObject({ kind: 'too old' });
  });

  it('may not say what never was', () => {
    expect(truth().judge(say('Failed', 15_000), 5000)).toMatchObject({ kind: 'never so' });
    expect(truth().judge(say('Completed', 15_000), 5000)).toMatchObject({ kind: 'never so' });
  });

  it('may not go back in time, though it would be young enough', () => {
    const known = truth();
    expect(known.judge(say('Completed', 20_500), 5000)).toBeNull();
    expect(known.judge(say('Running', 21_000), 5000)).toMatchObject({ kind: 'back in time' });
    expect(known.judge({ ...say('Running', 21_000), page: 'Workflows' }, 5000)).toBeNull();
  });

  it('may come back where the thing does', () => {
    const known = truth();
    known.note('workflow A', 'Running', at(22_000));
    expect(known.judge(say('Completed', 20_500), 5000)).toBeNull();
    expect(known.judge(say('Running', 23_000), 5000)).toBeNull();
  });

  it('may tell of what was so between two notes', () => {
    const known = truth();
    known.note('workflow A', 'Queued', at(25_000), ['Running']);
    expect(known.judge(say('Running', 25_100), 2000)).toBeNull();
  });

  it('may be newer than the last answer that was noted, by what an answer takes', () => {
    const known = new Truth();
    known.note('workflow A', 'Queued', { asked: 0, received: 1000 });
    known.note('workflow A', 'Running', { asked: 4000, received: 5000 });
    expect(known.judge(say('Running', 500), 2000)).toBeNull();
    expect(known.judge({ ...say('Queued', 6900), page: 'Workflows' }, 2000)).toBeNull();
    expect(known.judge({ ...say('Queued', 7500), page: 'Workflows' }, 2000)).toMatchObject({ kind: 'too old' });
  });

  it('may tell of something new before the answer that has it was noted', () => {
    const known = truth();
    known.note('workflow B', 'Queued', { asked: 25_000, received: 26_000 });
    expect(known.judge({ ...say('Queued', 24_000), about: 'workflow B' }, 2000)).toBeNull();
    expect(known.judge({ ...say('Queued', 15_000), about: 'workflow B' }, 2000)).toMatchObject({ kind: 'never so' });
  });

  it('about something unknown is not judged', () => {
    expect(truth().judge({ ...say('Running', 1), about: 'workflow B' }, 5000)).toBeNull();
  });
});
