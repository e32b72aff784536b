import { describe, expect, it } from 'vitest';
import { experimentStates, type ExperimentState } from '#api/states.ts';
import { possibleChanges, experimentDuration, experimentName, experimentState } from './experimentState.ts';

describe('an experiment', () => {
  it.each([
    ['Yeast growth screen', 'Yeast growth screen run 3', 'Yeast growth screen · run 3'],
    ['Yeast growth screen', 'Yeast growth screen: run 3', 'Yeast growth screen · run 3'],
    ['Yeast growth screen', 'plate 14', 'Yeast growth screen · plate 14'],
    ['Salt', 'Salt', 'Salt'],
    ['Salt', 'Saltwater 3', 'Salt · Saltwater 3'],
    ['Salt', null, 'Salt'],
    ['', 'run 3', 'run 3'],
  ])('of design %j and run %j is named %j', (design, run, name) => {
    expect(experimentName({ experiment_design: { experiment_name: design }, run_name: run })).toBe(name);
  });

  it('without a design is named by its run', () => {
    expect(experimentName({ experiment_design: null, run_name: 'run 3' })).toBe('run 3');
    expect(experimentName({ experiment_design: null, run_name: null })).toBe('');
  });

  it.each([
    ['in_progress', 'inProgress'],
    ['paused', 'paused'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['unknown', 'unknown'],
    ['of a later version', 'unknown'],
  ] as const)('is in state $1 when its status is $0', (status, state) => {
    expect(experimentState({ status })).toBe(state);
  });

  it('offers only the changes that its state permits', () => {
    expect(Object.fromEntries(experimentStates.map((state) => [state, possibleChanges(state).join(' ')]))).toEqual({
      inProgress: 'pause end fail cancel',
      paused: 'continue end fail cancel',
      unknown: 'end fail cancel',
      completed: '',
      failed: '',
      cancelled: '',
    });
  });

  it.each<[string, ExperimentState, Parameters<typeof experimentDuration>[1], ReturnType<typeof experimentDuration>]>([
    [
      'an open experiment, until now',
      'inProgress',
      { started: 10, ended: null, last: 50 },
      { ms: 90, isEstimated: false },
    ],
    [
      'an experiment that was continued after its end',
      'paused',
      { started: 10, ended: 40, last: 50 },
      { ms: 90, isEstimated: false },
    ],
    ['an ended experiment', 'completed', { started: 10, ended: 40, last: 50 }, { ms: 30, isEstimated: false }],
    [
      'a failed experiment, until its last event',
      'failed',
      { started: 10, ended: null, last: 50 },
      { ms: 40, isEstimated: true },
    ],
    ['an experiment that ended before its start', 'completed', { started: 40, ended: 10, last: null }, null],
    ['an experiment without a known end', 'cancelled', { started: 10, ended: null, last: null }, null],
    ['an experiment without a start', 'inProgress', { started: null, ended: null, last: 50 }, null],
  ])('has a duration, or none: %s', (_name, state, times, duration) => {
    expect(experimentDuration(state, times, 100)).toEqual(duration);
  });
});
