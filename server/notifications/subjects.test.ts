import { expect, it } from 'vitest';
import failed from '../../api/samples/workflow_failed.json' with { type: 'json' };
import type { LabStatus } from '../../api/lab/lab.ts';
import { unreadFollowedLab } from '../../api/lab/followedLab.ts';
import { sampleSender } from '../fixtures/sampleNotification.ts';
import { incidentKey } from '../channels/channel.ts';
import { readArchived, readEnded } from '../readers/readActivity.ts';
import { endedNotification, listSubjects } from './subjects.ts';

const lab = { lab_name: 'Bench', state: 'healthy', description: '', managers: [] } as unknown as LabStatus;
const since = new Date(0).toISOString();

it('a node in error is described with its flags, because it may still be moving', () => {
  const nodes = [
    { name: 'arm', state: 'errored' as const, flags: ['busy' as const, 'locked' as const], reason: 'stalled', since },
    { name: 'reader', state: 'errored' as const, reason: null, since },
  ];
  const nodeSubjects = listSubjects(lab, nodes, true).filter(({ kind }) => kind === 'node');
  expect(nodeSubjects.map(({ name, state }) => [name, state])).toEqual([
    ['arm', 'error, busy, locked'],
    ['reader', 'error'],
  ]);
});

it('a followed lab is described with its machine', () => {
  const followed = unreadFollowedLab('http://bench-2:8000/');
  const name = (status: LabStatus) => listSubjects(status, [], true)[0]?.name;
  expect(name({ ...lab, lab_name: 'Lab B', followed })).toBe('Lab B on bench-2');
  expect(name({ ...lab, lab_name: null, followed })).toBe('The lab on bench-2');
});

it('the key of a failed workflow is the same at every server and changes when the workflow fails again', () => {
  /** @param readAt the time at which a server reads it */
  const getKey = (end: string, readAt: number) => {
    const [ended] = readEnded(readArchived({ 1: { ...failed, end_time: end } }), new Date(readAt).toISOString(), 'UTC');
    const notification = ended && endedNotification(ended.workflow, readAt);
    return notification && incidentKey(notification.incidents, sampleSender);
  };
  const key = getKey('2026-01-15T10:00:00', 1);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(getKey('2026-01-15T10:00:00', 20_000)).toBe(key);
  expect(getKey('2026-01-15T11:00:00', 1)).not.toBe(key);
});
