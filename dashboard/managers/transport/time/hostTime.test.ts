import { describe, expect, it } from 'vitest';
import { estimateHostOffset } from '../../../../api/time.ts';
import { hostTime, stampsOf } from './hostTime.ts';
import { sampleStep, sampleWorkflow } from '../../../fixtures/workflow.ts';

const result = { action_id: 'a', status: 'succeeded', history_created_at: '2026-11-21T14:00:00.100000+00:00' };

describe('the offset of the manager’s host', () => {
  it('is learnt from a result with its zone and the step’s own stamp', () => {
    const steps = [sampleStep({ last_status_update: '2026-11-21T15:00:01.200000', result })];
    expect(estimateHostOffset(stampsOf([sampleWorkflow({ steps })]))).toBe(60);
  });

  it('is not learnt from a step that still runs: its result is as old as the run', () => {
    const done = sampleStep({ last_status_update: '2026-11-21T15:00:01.200000', result });
    const running = { ...result, status: 'running' };
    const long = sampleStep({ last_status_update: '2026-11-21T15:20:00.000000', result: running });
    expect(estimateHostOffset(stampsOf([sampleWorkflow({ steps: [done, long] })]))).toBe(60);
  });

  it('is not known where nothing tells', () => {
    expect(estimateHostOffset(stampsOf([sampleWorkflow()]))).toBeNull();
  });
});

it('a naive time is the host’s', () => {
  expect(hostTime('2026-11-21T15:00:00', 60)).toBe(Date.UTC(2026, 10, 21, 14));
  expect(hostTime(null, 60)).toBeNull();
});
