import { expect, it } from 'vitest';
import type { LabStatus } from '../../api/lab/lab.ts';
import { unreadLab } from '../../api/lab/followed.ts';
import { subjectsOf } from './subjects.ts';

const lab = { lab_name: 'Bench', state: 'healthy', description: '', managers: [] } as unknown as LabStatus;
const since = new Date(0).toISOString();

it('a node is described with its flags, because one in error may still be moving', () => {
  const nodes = [
    { name: 'arm', state: 'errored' as const, flags: ['busy' as const, 'locked' as const], reason: 'stalled', since },
    { name: 'reader', state: 'errored' as const, reason: null, since },
  ];
  const found = subjectsOf(lab, nodes, true).filter(({ kind }) => kind === 'node');
  expect(found.map(({ name, state }) => [name, state])).toEqual([
    ['arm', 'error, busy, locked'],
    ['reader', 'error'],
  ]);
});

it('a followed lab is described with its machine', () => {
  const followed = unreadLab('http://bench-2:8000/');
  const name = (status: LabStatus) => subjectsOf(status, [], true)[0]?.name;
  expect(name({ ...lab, lab_name: 'Lab B', followed })).toBe('Lab B on bench-2');
  expect(name({ ...lab, lab_name: null, followed })).toBe('The lab on bench-2');
});
