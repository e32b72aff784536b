import { expect, it } from 'vitest';
import { experimentsTexts } from '../texts.ts';
import { extractChanges } from './useExperimentRecords.ts';

const { changed } = experimentsTexts.page;
const event = (id: string, type: string, user = '') => ({ id, at: Number(id), level: 20, message: '', type, user });

it('extractChanges lists the changes of an experiment in order, with the user where known', () => {
  const changes = extractChanges([
    event('4', 'experiment_failed', '01USER'),
    event('3', 'workflow_complete'),
    event('2', 'experiment_pause'),
    event('1', 'experiment_start'),
  ]);
  expect(changes).toEqual([
    { id: '1', at: 1, label: changed.experiment_start, user: '', sender: '' },
    { id: '2', at: 2, label: changed.experiment_pause, user: '', sender: '' },
    { id: '4', at: 4, label: changed.experiment_failed, user: '01USER', sender: '' },
  ]);
  expect(extractChanges([event('1', 'constructor')])).toEqual([]);
});

it('extractChanges joins the event of a manager and the record of the command that caused it', () => {
  const second = 1000;
  const record = (id: string, type: string, at: number, result: 'done' | 'failed' = 'done', sentAt = at) => ({
    ...event(id, type),
    at,
    command: { result, machine: 'bench', user: 'ada', sent_at: new Date(sentAt).toISOString() },
  });
  const managerEvent = (id: string, type: string, at: number) => ({ ...event(id, type), at, command: null });
  const changes = extractChanges([
    record('r4', 'experiment_cancelled', 900 * second),
    record('r3', 'experiment_pause', 800 * second, 'failed'),
    record('r2', 'experiment_continued', 700 * second, 'done', 205 * second),
    managerEvent('m3', 'experiment_continued', 500 * second),
    managerEvent('m2', 'experiment_continued', 204 * second),
    record('r1', 'experiment_pause', 101 * second),
    managerEvent('m1', 'experiment_pause', 100 * second),
  ]);
  expect(changes.map(({ id, label, sender }) => [id, label, sender])).toEqual([
    ['m1', changed.experiment_pause, 'ada on bench'],
    ['m2', changed.experiment_continued, 'ada on bench'],
    ['m3', changed.experiment_continued, ''],
    ['r4', changed.experiment_cancelled, 'ada on bench'],
  ]);
});
