import { describe, expect, it } from 'vitest';
import { experimentStates, type ExperimentState } from '../../../api/states.ts';
import { changesOf, durationOf, experimentState } from './experimentState.ts';

describe('an experiment', () => {
  it.each([
    ['in_progress', 'inProgress'],
    ['paused', 'paused'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['unknown', 'unknown'],
    ['of a later version', 'unknown'],
  ] as const)('%s is %s', (status, state) => {
    expect(experimentState({ status })).toBe(state);
  });

  it('is changed only where that makes sense', () => {
    expect(Object.fromEntries(experimentStates.map((state) => [state, changesOf(state).join(' ')]))).toEqual({
      inProgress: 'pause end fail cancel',
      paused: 'continue end fail cancel',
      unknown: 'end fail cancel',
      completed: '',
      failed: '',
      cancelled: '',
    });
  });

  it.each<[string, ExperimentState, Parameters<typeof durationOf>[1], ReturnType<typeof durationOf>]>([
    ['an open one, until now', 'inProgress', { started: 10, ended: null, last: 50 }, { ms: 90, about: false }],
    ['one that goes on after its end', 'paused', { started: 10, ended: 40, last: 50 }, { ms: 90, about: false }],
    ['one that was ended', 'completed', { started: 10, ended: 40, last: 50 }, { ms: 30, about: false }],
    ['a failed one, until its last sign', 'failed', { started: 10, ended: null, last: 50 }, { ms: 40, about: true }],
    ['one that ended before it started', 'completed', { started: 40, ended: 10, last: null }, null],
    ['nothing known of its end', 'cancelled', { started: 10, ended: null, last: null }, null],
    ['no start', 'inProgress', { started: null, ended: null, last: 50 }, null],
  ])('lasts: %s', (_what, state, times, took) => {
    expect(durationOf(state, times, 100)).toEqual(took);
  });
});
