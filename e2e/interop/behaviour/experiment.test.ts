/** Experiments: from start to end, with state changes that the manager does not check. */
import { expect, it } from 'vitest';
import { experiments, uniqueName, getId, jsonRequest, unknownId, fetchRaw, catchRefusal } from './lab.ts';

const begin = (name = uniqueName('run')) =>
  experiments.startExperiment({
    body: { experiment_design: { experiment_name: 'Titration', resource_conditions: [] }, run_name: name },
  });

it('the experiment manager returns its health and its settings', async () => {
  expect(await experiments.health()).toMatchObject({ healthy: true, version: '0.8.1' });
  expect(await experiments.settings()).toHaveProperty('settings.manager_id');
  expect((await fetchRaw('experiment', 'settings?include_defaults=2')).status).toBe(422);
});

it('an experiment starts, pauses, continues and ends, and only ending sets its end time', async () => {
  const { _id, status, ended_at } = await begin();
  const id = { experiment_id: _id };
  expect({ status, ended_at }).toEqual({ status: 'in_progress', ended_at: null });
  expect(await experiments.pauseExperiment(id)).toMatchObject({ status: 'paused', ended_at: null });
  expect(await experiments.continueExperiment(id)).toMatchObject({ status: 'in_progress' });
  const endedExperiment = await experiments.endExperiment(id);
  expect(endedExperiment.status).toBe('completed');
  expect(endedExperiment.ended_at).toBeTypeOf('string');
  expect(await experiments.getExperiment(id)).toEqual(endedExperiment);
  const continued = await experiments.continueExperiment(id);
  expect(continued).toMatchObject({ status: 'in_progress', ended_at: endedExperiment.ended_at });
});

it('a cancelled or failed experiment has no end time', async () => {
  const [cancelled, failed] = [await begin(), await begin()];
  expect(await experiments.cancelExperiment({ experiment_id: getId(cancelled) })).toMatchObject({
    status: 'cancelled',
    ended_at: null,
  });
  expect(await experiments.failExperiment({ experiment_id: getId(failed) })).toMatchObject({
    status: 'failed',
    ended_at: null,
  });
});

it('experiments are listed newest first, ten unless the request sets a number', async () => {
  const ids = [];
  for (let count = 0; count < 11; count++) ids.push(getId(await begin()));
  const listed = await experiments.getExperiments();
  expect(listed.map(({ _id }) => _id)).toEqual(ids.toReversed().slice(0, 10));
  expect((await experiments.getExperiments({ number: 0 })).length).toBeGreaterThan(10);
  expect((await fetchRaw('experiment', 'experiments?number=x')).status).toBe(422);
});

it('the experiment manager rejects a missing design and an unknown ID', async () => {
  const undesigned = await fetchRaw('experiment', 'experiment', jsonRequest('POST', { experiment_design: null }));
  expect(undesigned.status).toBe(422);
  const { getExperiment, endExperiment, continueExperiment, pauseExperiment, cancelExperiment, failExperiment } =
    experiments;
  const calls = [getExperiment, endExperiment, continueExperiment, pauseExperiment, cancelExperiment, failExperiment];
  for (const call of calls)
    expect(await catchRefusal(call({ experiment_id: unknownId }))).toMatchObject({
      status: 404,
      reason: 'Experiment not found',
    });
});

it('the experiment manager has no endpoint for campaigns', async () => {
  expect((await fetchRaw('experiment', 'campaigns')).status).toBe(404);
});
