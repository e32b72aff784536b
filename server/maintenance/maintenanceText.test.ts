import { expect, it } from 'vitest';
import { parseDuration, parseEvery, parseSubject, parseUntil } from './maintenanceText.ts';

it.each([
  ['lab', { kind: 'lab', id: 'lab' }],
  ['data', { kind: 'manager', id: 'data' }],
  ['Data Manager', { kind: 'manager', id: 'data' }],
  ['node:robotarm_1', { kind: 'node', id: 'robotarm_1' }],
  ['node: plate reader', { kind: 'node', id: 'plate reader' }],
  ['node:data', { kind: 'node', id: 'data' }],
  ['LAB', { kind: 'lab', id: 'lab' }],
  ['Node:Arm', { kind: 'node', id: 'Arm' }],
  ['node:', null],
  ['robotarm_1', null],
  ['', null],
])('parseSubject reads %s as %j', (text, subject) => {
  expect(parseSubject(text)).toEqual(subject);
});

const now = new Date(2026, 2, 2, 14, 0).getTime();
it.each<[string, number | 'now' | null]>([
  ['now', 'now'],
  ['30m', now + 30 * 60_000],
  ['2 h', now + 2 * 3_600_000],
  ['3d', now + 3 * 86_400_000],
  ['18:00', new Date(2026, 2, 2, 18).getTime()],
  ['8:05', new Date(2026, 2, 3, 8, 5).getTime()],
  ['14:00', new Date(2026, 2, 3, 14).getTime()],
  ['Tomorrow', new Date(2026, 2, 3, 8).getTime()],
  ['2026-03-04T08:00', new Date(2026, 2, 4, 8).getTime()],
  ['2026-03-04 08:00', new Date(2026, 2, 4, 8).getTime()],
  ['2026-03-04T08:00Z', Date.UTC(2026, 2, 4, 8)],
  ['2026-13-04T08:00', null],
  ['2026-02-31T08:00', null],
  ['25:00', null],
  ['-2h', null],
  ['2', null],
  ['', null],
])('parseUntil reads %j as %j', (text, time) => {
  expect(parseUntil(text, now)).toBe(time);
});

const allDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
it.each([
  ['Sun 02:00', { days: ['Sun'], at: '02:00' }],
  ['sunday 2:00', { days: ['Sun'], at: '02:00' }],
  ['Thu,Mon 22:30', { days: ['Mon', 'Thu'], at: '22:30' }],
  ['Mon, Thursday 22:30', { days: ['Mon', 'Thu'], at: '22:30' }],
  ['daily 03:00', { days: allDays, at: '03:00' }],
  [' Never ', 'never'],
  ['Sun', null],
  ['02:00', null],
  ['Sun 25:00', null],
  ['Sunny 02:00', null],
  ['Su 02:00', null],
  ['Sun,holidays 02:00', null],
  ['', null],
])('parseEvery reads %j as %j', (text, expected) => expect(parseEvery(text)).toEqual(expected));

it.each([
  ['30m', 1_800_000],
  ['2 h', 7_200_000],
  ['1d', 86_400_000],
  ['2', null],
  ['18:00', null],
])('parseDuration reads %s as %s', (text, ms) => expect(parseDuration(text)).toBe(ms));
