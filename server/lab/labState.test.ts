import { describe, expect, it } from 'vitest';
import type { LabState, ManagerState } from '../../api/states.ts';
import { healthSummary, isLabHealthy, getLabState } from './labState.ts';

describe('isLabHealthy', () => {
  it.each([
    [0, 0, false],
    [0, 1, false],
    [1, 1, true],
    [1, 2, false],
    [2, 3, true],
    [3, 6, false],
    [4, 6, true],
    [5, 6, true],
  ])('returns for %i of %i healthy managers: %s', (healthy, total, lab) => {
    expect(isLabHealthy(healthy, total)).toBe(lab);
    expect(healthSummary(healthy, total)).toBe(`${healthy}/${total} managers are healthy`);
  });
});

it('healthSummary counts managers in maintenance', () => {
  expect(healthSummary(3, 4, 2)).toBe('3/4 managers are healthy, 2 in maintenance');
  expect(healthSummary(0, 0, 6)).toBe('All managers are in maintenance');
});

describe('getLabState', () => {
  it.each<[ManagerState[], number, LabState]>([
    [[], 6, 'maintenance'],
    [['healthy', 'healthy'], 4, 'healthy'],
    [['healthy', 'unreachable', 'healthy'], 3, 'degraded'],
    [['unreachable'], 5, 'down'],
  ])('returns for %j with %i in maintenance: %s', (states, inMaintenance, state) => {
    expect(getLabState(states, true, inMaintenance)).toBe(state);
  });

  const letters: Record<string, ManagerState> = {
    h: 'healthy',
    s: 'slow',
    u: 'unhealthy',
    x: 'unreachable',
    '?': 'unknown',
  };
  const statesFrom = (text: string) => [...text].map((letter) => letters[letter]!);

  const rows: [string, boolean, LabState][] = [
    ['hhhhhh', true, 'healthy'],
    ['hhshhs', true, 'healthy'],
    ['hhhhhx', true, 'degraded'],
    ['hhhhux', true, 'degraded'],
    ['hhhuxx', true, 'down'],
    ['xxxxxx', true, 'down'],
    ['', true, 'down'],
    // Some managers have not responded yet: the state is reported as soon as they cannot change it.
    ['??????', false, 'starting'],
    ['hhhhh?', false, 'starting'],
    ['hhhhx?', false, 'degraded'],
    ['hhhx??', false, 'starting'],
    ['xxx???', false, 'down'],
    // After sleep.
    ['??????', true, 'unknown'],
    ['hhhhh?', true, 'unknown'],
    ['hhhhx?', true, 'degraded'],
    ['xxx???', true, 'down'],
  ];
  it.each(rows)('returns for %s (checked once: %s): %s', (states, everChecked, state) => {
    expect(getLabState(statesFrom(states), everChecked)).toBe(state);
  });
});
