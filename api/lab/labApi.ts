/**
 * The lab manager's endpoints, in a table like the managers': client, routes, OpenAPI and contract tests come from it. All
 * are read-only: what changes state goes over the desktop's own channel, never over HTTP.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { health, labContext, labHealth, labHistory } from './lab.ts';
import { settingsAnswer } from './settings.ts';
import { settingsEndpoint } from './service.ts';

/** It is near, and asks nobody for most of them: milliseconds. */
const deadlineMs = 5000;

export const labApi = {
  server: 'lab',
  endpoints: {
    getContext: {
      does: 'read the addresses of the lab',
      method: 'GET',
      path: '/context',
      response: labContext,
      deadlineMs,
    },
    getHealth: {
      does: 'read the health of the lab manager',
      method: 'GET',
      path: '/health',
      response: health,
      deadlineMs,
    },
    /** Asks every manager, each for at most 5 s. */
    getLabHealth: {
      does: 'ask for the health of the lab',
      method: 'GET',
      path: '/lab_health',
      response: labHealth,
    },
    getLabHealthHistory: {
      does: 'read the state of the lab',
      method: 'GET',
      path: '/lab_health/history',
      query: z.object({ hours: z.optional(z.number()) }),
      response: labHistory,
      deadlineMs,
    },
    getSettings: { ...settingsEndpoint, response: settingsAnswer, deadlineMs },
  },
} as const satisfies Api;
