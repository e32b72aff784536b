/**
 * The experiment manager's contract (port 8002). An experiment is one run; a campaign is only an ID in
 * `ownership_info.campaign_id`: the manager serves no campaign (`campaign.ts`). Source: MADSci 0.8.1, experiment
 * manager; 0.7 is the same on the wire.
 */
import * as z from 'zod/mini';
import { condition } from '../resourceCondition.ts';
import type { Api, Endpoint } from '../client/endpoint.ts';
import { healthEndpoint, serviceHealth, settingsEndpoint } from '../lab/service.ts';
import { id, managerTime, openEnum, ownershipInfo, jsonInteger } from '../client/wire.ts';

export const experimentHealth = z.extend(serviceHealth, {
  db_connected: z.nullish(z.boolean()),
  total_experiments: z.nullish(jsonInteger),
});

const experimentStatus = openEnum(['in_progress', 'paused', 'completed', 'failed', 'cancelled', 'unknown']);
export type ExperimentStatus = z.infer<typeof experimentStatus>;

const experimentDesign = z.looseObject({
  experiment_name: z.string(),
  experiment_description: z.nullish(z.string()),
  resource_conditions: z.optional(z.array(condition)),
  ownership_info: z.optional(ownershipInfo),
});
export type ExperimentDesign = z.infer<typeof experimentDesign>;

/** An experiment as stored: its identifier is `_id`. Only `end` sets `ended_at`; cancel and fail leave it null. */
export const experiment = z.looseObject({
  _id: id,
  status: experimentStatus,
  experiment_design: z.nullish(experimentDesign),
  ownership_info: ownershipInfo,
  run_name: z.nullish(z.string()),
  run_description: z.nullish(z.string()),
  started_at: z.nullish(managerTime),
  ended_at: z.nullish(managerTime),
});
export type Experiment = z.infer<typeof experiment>;

const notFound = { 404: 'Experiment not found' } as const;

/** State transitions are not restricted: any state can change to any other. */
function changeEndpoint<const P extends `/${string}`>(purpose: string, path: P) {
  return { purpose, method: 'POST', path, response: experiment, errors: notFound } as const satisfies Endpoint;
}

export const experimentApi = {
  server: 'experiment',
  endpoints: {
    health: healthEndpoint(experimentHealth),
    settings: settingsEndpoint,
    /** Newest first; `number` 0 means all, the manager's default is 10. */
    getExperiments: {
      purpose: 'read the experiments',
      method: 'GET',
      path: '/experiments',
      query: z.object({ number: z.optional(jsonInteger) }),
      response: z.array(experiment),
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
    getExperiment: {
      purpose: 'read the experiment',
      method: 'GET',
      path: '/experiment/{experiment_id}',
      response: experiment,
      errors: notFound,
    },
    startExperiment: {
      purpose: 'start the experiment',
      method: 'POST',
      path: '/experiment',
      body: {
        type: 'json',
        schema: z.object({
          experiment_design: experimentDesign,
          run_name: z.nullish(z.string()),
          run_description: z.nullish(z.string()),
        }),
      },
      response: experiment,
    },
    endExperiment: changeEndpoint('end the experiment', '/experiment/{experiment_id}/end'),
    continueExperiment: changeEndpoint('continue the experiment', '/experiment/{experiment_id}/continue'),
    pauseExperiment: changeEndpoint('pause the experiment', '/experiment/{experiment_id}/pause'),
    cancelExperiment: changeEndpoint('cancel the experiment', '/experiment/{experiment_id}/cancel'),
    failExperiment: changeEndpoint('mark the experiment as failed', '/experiment/{experiment_id}/fail'),
  },
} as const satisfies Api;
