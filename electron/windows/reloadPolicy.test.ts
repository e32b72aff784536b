import { expect, it } from 'vitest';
import { dashboardPage, decideReload } from './reloadPolicy.ts';

it.each([
  ['the first loss', 0, 500, { losses: 1, afterMs: 300, isFailingRepeatedly: false }],
  ['the second in a row', 1, 500, { losses: 2, afterMs: 2000, isFailingRepeatedly: false }],
  ['the third in a row', 2, 500, { losses: 3, afterMs: 5000, isFailingRepeatedly: true }],
  ['the tenth in a row', 9, 500, { losses: 10, afterMs: 15_000, isFailingRepeatedly: true }],
  ['a loss after one minute without losses', 9, 60_000, { losses: 1, afterMs: 300, isFailingRepeatedly: false }],
])('decideReload handles %s', (_name, before, uptimeMs, decision) => {
  expect(decideReload(before, uptimeMs)).toEqual(decision);
});

it.each([
  [null, 'http://127.0.0.1:8000/'],
  ['http://127.0.0.1:8000/workflows/7?x=1#y', 'http://127.0.0.1:8000/workflows/7?x=1#y'],
  ['http://127.0.0.1:9000/workcells', 'http://127.0.0.1:8000/workcells'],
  ['not an address', 'http://127.0.0.1:8000/'],
])('after the last page %s, the dashboard opens at %s', (last, expected) => {
  expect(dashboardPage('http://127.0.0.1:8000/', last)).toBe(expected);
});
