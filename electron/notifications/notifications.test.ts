import { expect, it } from 'vitest';
import { unreadFollowedLab } from '../../api/lab/followedLab.ts';
import { labStatus } from '../fixtures/states.ts';
import { shouldShow, updateMutes, formatTitle, type Mutes } from './notifications.ts';

const now = new Date(2026, 10, 21, 23, 30).getTime();
const noMutes: Mutes = { mutedUntil: null, mutedSubjects: {} };
const nodeNotification = { path: '/workcells/nodes/arm', subjects: ['node arm'] };
const sharedNotification = { path: '/history', subjects: ['node arm', 'manager data'] };
const muted = (key: string, until = now + 1) => ({ mutedSubjects: { [key]: until } });

it.each<
  [
    string,
    Partial<Mutes> & { enabled?: boolean; visibleUrl?: string },
    { path: string; subjects: readonly string[] },
    boolean,
  ]
>([
  ['by default', {}, nodeNotification, true],
  ['when notifications are switched off', { enabled: false }, nodeNotification, false],
  ['while everything is muted', { mutedUntil: now + 1 }, nodeNotification, false],
  ['after everything was muted', { mutedUntil: now }, nodeNotification, true],
  ['while its subject is muted', muted('node arm'), nodeNotification, false],
  ['after its subject was muted', muted('node arm', now), nodeNotification, true],
  ['while another subject is muted', muted('node reader'), nodeNotification, true],
  ['for several subjects, one of which is muted', muted('node arm'), sharedNotification, true],
  [
    'for several muted subjects',
    { mutedSubjects: { 'node arm': now + 1, 'manager data': now + 1 } },
    sharedNotification,
    false,
  ],
  ['without a subject', muted('node arm'), { path: '/', subjects: [] }, true],
  ['for the page in view', { visibleUrl: 'http://127.0.0.1:8000/workcells/nodes/arm?x=1' }, nodeNotification, false],
  ['for another page', { visibleUrl: 'http://127.0.0.1:8000/workflows/1' }, nodeNotification, true],
])('shouldShow %s is $3', (_name, context, notification, shown) => {
  expect(shouldShow(notification, { ...noMutes, enabled: true, visibleUrl: null, now, ...context })).toBe(shown);
});

it('updateMutes adds one mute after another and removes expired ones', () => {
  const first = updateMutes(noMutes, 'node arm', now + 10, now);
  const second = updateMutes(first, 'manager data', now + 1000, now + 5);
  expect(second.mutedSubjects).toEqual({ 'node arm': now + 10, 'manager data': now + 1000 });
  expect(updateMutes(second, 'manager data', null, now + 20)).toEqual(noMutes);
  expect(updateMutes(second, null, now + 99, now)).toEqual({ ...second, mutedUntil: now + 99 });
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
    { ...labStatus('degraded'), lab_name: 'Lab B', followed: unreadFollowedLab('http://bench-2:8000/') },
  ],
  [
    'The lab on bench-2: robotarm_1: error',
    'robotarm_1: error',
    'node',
    { ...labStatus('degraded'), lab_name: null, followed: unreadFollowedLab('http://bench-2:8000/') },
  ],
] as const)('the title on the desktop is “%s”', (shown, title, kind, lab) => {
  expect(formatTitle({ kind, title }, lab)).toBe(shown);
});
