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
    { id: '1', at: 1, label: changed.experiment_start, user: '' },
    { id: '2', at: 2, label: changed.experiment_pause, user: '' },
    { id: '4', at: 4, label: changed.experiment_failed, user: '01USER' },
  ]);
  expect(extractChanges([event('1', 'constructor')])).toEqual([]);
});
