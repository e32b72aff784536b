/**
 * The lab manager's endpoints for many labs. A separate table, because the first page of the dashboard does not need it.
 */
import type { Api } from '../client/endpoint.ts';
import { fleetLabs, labSummary } from './fleet.ts';

/** Timeout in milliseconds, as in `labApi`. */
const timeoutMs = 5000;

export const fleetApi = {
  server: 'lab',
  endpoints: {
    getSummary: {
      purpose: 'read the summary of the lab',
      method: 'GET',
      path: '/summary',
      response: labSummary,
      timeoutMs,
    },
    getFleetLabs: {
      purpose: 'read the labs of the fleet',
      method: 'GET',
      path: '/fleet/labs',
      response: fleetLabs,
      lists: [{ member: 'labs' }],
      timeoutMs,
    },
  },
} as const satisfies Api;
