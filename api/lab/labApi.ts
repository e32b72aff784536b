/**
 * The lab manager's endpoints, in a table like the managers': the client, the routes, OpenAPI and the contract tests
 * derive from it. All are read-only: changes of state use the desktop's own channel, never HTTP. The endpoints that the
 * relay forwards to the managers are in their tables (`api/managers/`).
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { health, labContext, labHealth, labHistory } from './lab.ts';
import { relayResponse } from './relay.ts';
import { settingsResponse } from './settings.ts';
import { settingsEndpoint } from './service.ts';

/** Timeout in milliseconds. It is short because the service is near and serves most requests from memory. */
const timeoutMs = 5000;

export const labApi = {
  server: 'lab',
  endpoints: {
    getContext: {
      purpose: 'read the addresses of the lab',
      method: 'GET',
      path: '/context',
      response: labContext,
      timeoutMs,
    },
    getHealth: {
      purpose: 'read the health of the lab manager',
      method: 'GET',
      path: '/health',
      response: health,
      timeoutMs,
    },
    /** Checks every manager, each with a timeout of 5 s. */
    getLabHealth: {
      purpose: 'check the health of the lab',
      method: 'GET',
      path: '/lab_health',
      response: labHealth,
    },
    getLabHealthHistory: {
      purpose: 'read the state of the lab',
      method: 'GET',
      path: '/lab_health/history',
      query: z.object({ hours: z.optional(z.number()) }),
      response: labHistory,
      timeoutMs,
    },
    getManagers: {
      purpose: 'read what the relay offers',
      method: 'GET',
      path: '/managers',
      response: relayResponse,
      timeoutMs,
    },
    getSettings: { ...settingsEndpoint, response: settingsResponse, timeoutMs },
  },
} as const satisfies Api;
