/**
 * The campaign endpoint that MADSci's own client calls on the experiment manager. No manager up to 0.8.1 has this route
 * (it responds with a plain 404), so it is a separate table: the response shows whether campaigns exist. Source: MADSci
 * 0.8.1, client of the experiment manager.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { campaign } from './experiment.ts';
import { jsonInteger } from '../client/wire.ts';

export const campaignApi = {
  server: 'experiment',
  endpoints: {
    getCampaigns: {
      purpose: 'read the campaigns',
      method: 'GET',
      path: '/campaigns',
      query: z.object({ number: z.optional(jsonInteger) }),
      response: z.array(campaign),
      lists: [{ member: '' }],
      empty404: 'Not Found',
    },
  },
} as const satisfies Api;
