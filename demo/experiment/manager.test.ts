import { describe, expect, it } from 'vitest';
import { recordId } from '../base/demoManager.ts';
import { send, testParts } from '../base/testRequest.ts';
import { createExperimentManager } from './manager.ts';

const campaign = '01K5HDZZCF27YHD2WDGSXFPPKA';
const design = { experiment_name: 'Colour mixing', ownership_info: { campaign_id: campaign } };

function createLab() {
  const parts = testParts();
  return { ...parts, manager: createExperimentManager(parts) };
}

function startManager() {
  const { manager, clock, logged } = createLab();
  const { body } = send(manager, 'startExperiment', { body: { experiment_design: design, run_name: 'run 1' } });
  return { manager, clock, logged, params: { experiment_id: recordId(body as { _id: string }) }, body };
}

describe('an experiment', () => {
  it('starts in progress and belongs to its campaign', () => {
    const { body, clock, manager, params } = startManager();
    expect(body).toEqual({
      _id: params.experiment_id,
      status: 'in_progress',
      experiment_design: {
        experiment_name: 'Colour mixing',
        experiment_description: null,
        resource_conditions: [],
        ownership_info: { campaign_id: campaign },
      },
      ownership_info: { campaign_id: campaign },
      run_name: 'run 1',
      run_description: null,
      started_at: clock.naive(),
      ended_at: null,
    });
    expect(send(manager, 'getExperiment', { params }).body).toEqual(body);
    expect(manager.health()).toMatchObject({ total_experiments: 1 });
  });

  it('belongs to the manager when the request names no owner', () => {
    const { body } = send(createLab().manager, 'startExperiment', {
      body: { experiment_design: { experiment_name: 'x' } },
    });
    expect(body).toHaveProperty('ownership_info.manager_id');
  });

  it.each([
    ['endExperiment', 'completed', 'Experiment completed', true],
    ['continueExperiment', 'in_progress', 'Experiment continued', false],
    ['pauseExperiment', 'paused', 'Experiment paused', false],
    ['cancelExperiment', 'cancelled', 'Experiment cancelled', false],
    ['failExperiment', 'failed', 'Experiment failed', false],
  ] as const)('is changed by %s to the status %s', (name, status, message, ends) => {
    const { manager, clock, params, logged } = startManager();
    clock.advance(1000);
    expect(send(manager, name, { params }).body).toMatchObject({ status, ended_at: ends ? clock.naive() : null });
    expect(logged.map((entry) => entry.message)).toEqual(['Experiment started', message]);
    expect(send(manager, name, { params: { experiment_id: 'X' } })).toEqual({
      status: 404,
      body: { detail: 'Experiment not found' },
    });
  });

  it('can be continued and fail after its end, and keeps its first end time', () => {
    const { manager, clock, params } = startManager();
    send(manager, 'endExperiment', { params });
    const endedAt = clock.naive();
    clock.advance(1000);
    expect(send(manager, 'continueExperiment', { params }).body).toMatchObject({
      status: 'in_progress',
      ended_at: endedAt,
    });
    expect(send(manager, 'failExperiment', { params }).body).toMatchObject({ status: 'failed', ended_at: endedAt });
  });

  it.each([[{}], [{ experiment_design: null }]])('is not started by the request %j', (body) => {
    expect(send(createLab().manager, 'startExperiment', { body }).status).toBe(422);
  });

  it('is not found under an unknown ID', () => {
    expect(send(createLab().manager, 'getExperiment', { params: { experiment_id: 'X' } }).status).toBe(404);
  });
});

it('getExperiments lists the last started experiments first, ten unless the request sets a number', () => {
  const { manager, clock } = createLab();
  for (let index = 0; index < 12; index++) {
    const from = clock.now() - index * 1000;
    manager.store.addPast({ design, ownership: {}, runName: `${index}` }, 'completed', from, from + 500);
  }
  const names = (query = {}) =>
    (send(manager, 'getExperiments', { query }).body as { run_name: string }[]).map(
      (experiment) => experiment.run_name,
    );
  expect(names()).toHaveLength(10);
  expect(names({ number: '2' })).toEqual(['0', '1']);
  expect(names({ number: '0' })).toHaveLength(12);
  expect(manager.settings()).toHaveProperty('manager_type', 'experiment_manager');
});

it('addPast logs the events of a past experiment with their original times', () => {
  const { manager, clock, logged } = createLab();
  const from = clock.now() - 5000;
  manager.store.addPast({ design, ownership: {} }, 'failed', from, from + 1000);
  manager.store.addPast({ design, ownership: {} }, 'in_progress', from, null);
  expect(logged.map(({ eventType, at }) => [eventType, at])).toEqual([
    ['experiment_start', from],
    ['experiment_failed', from + 1000],
    ['experiment_start', from],
  ]);
});
