import { expect, it } from 'vitest';
import { unreadLab } from '../../api/lab/followed.ts';
import { labStatus } from '../fixtures/states.ts';
import { isShown, mutesAfter, notificationTitle, type Mutes } from './notifications.ts';

const now = new Date(2026, 10, 21, 23, 30).getTime();
const nothing: Mutes = { mutedUntil: null, mutedSubjects: {} };
const ofNode = { path: '/workcells/nodes/arm', subjects: ['node arm'] };
const ofBoth = { path: '/history', subjects: ['node arm', 'manager data'] };
const muted = (key: string, until = now + 1) => ({ mutedSubjects: { [key]: until } });

it.each<
  [
    string,
    Partial<Mutes> & { enabled?: boolean; lookingAt?: string },
    { path: string; subjects: readonly string[] },
    boolean,
  ]
>([
  ['usually', {}, ofNode, true],
  ['when they are switched off', { enabled: false }, ofNode, false],
  ['while all is muted', { mutedUntil: now + 1 }, ofNode, false],
  ['after that', { mutedUntil: now }, ofNode, true],
  ['while it is muted itself', muted('node arm'), ofNode, false],
  ['after that', muted('node arm', now), ofNode, true],
  ['while something else is muted', muted('node reader'), ofNode, true],
  ['of several, one of which is muted', muted('node arm'), ofBoth, true],
  ['of several that are muted', { mutedSubjects: { 'node arm': now + 1, 'manager data': now + 1 } }, ofBoth, false],
  ['about nothing in particular', muted('node arm'), { path: '/', subjects: [] }, true],
  ['about the page that is looked at', { lookingAt: 'http://127.0.0.1:8000/workcells/nodes/arm?x=1' }, ofNode, false],
  ['about another page', { lookingAt: 'http://127.0.0.1:8000/workflows/1' }, ofNode, true],
])('%s', (_name, attention, notification, shown) => {
  expect(isShown(notification, { ...nothing, enabled: true, lookingAt: null, now, ...attention })).toBe(shown);
});

it('mutes one thing after the other, and forgets what is over', () => {
  const first = mutesAfter(nothing, 'node arm', now + 10, now);
  const second = mutesAfter(first, 'manager data', now + 1000, now + 5);
  expect(second.mutedSubjects).toEqual({ 'node arm': now + 10, 'manager data': now + 1000 });
  expect(mutesAfter(second, 'manager data', null, now + 20)).toEqual(nothing);
  expect(mutesAfter(second, null, now + 99, now)).toEqual({ ...second, mutedUntil: now + 99 });
});

it.each([
  ['Bench Lab: Data Manager: unreachable', 'Data Manager: unreachable', 'manager', labStatus('degraded')],
  ['Bench Lab: down', 'Bench Lab: down', 'lab', labStatus('down')],
  ['Data Manager: unreachable', 'Data Manager: unreachable', 'manager', { ...labStatus('degraded'), lab_name: null }],
  ['Data Manager: unreachable', 'Data Manager: unreachable', 'manager', null],
  [
    'Lab B on bench-2: Data Manager: unreachable',
    'Data Manager: unreachable',
    'manager',
    { ...labStatus('degraded'), lab_name: 'Lab B', followed: unreadLab('http://bench-2:8000/') },
  ],
  [
    'The lab on bench-2: robotarm_1: error',
    'robotarm_1: error',
    'node',
    { ...labStatus('degraded'), lab_name: null, followed: unreadLab('http://bench-2:8000/') },
  ],
] as const)('shows “%s” as the title on the desktop', (shown, title, kind, lab) => {
  expect(notificationTitle({ kind, title }, lab)).toBe(shown);
});
