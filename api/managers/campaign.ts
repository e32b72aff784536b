/**
 * Campaigns as MADSci's own client asks the experiment manager for them. No manager up to 0.8.1 has this route (its answer is
 * a plain 404), so it is a table of its own: whoever asks learns whether there is one.
 * Source: MADSci 0.8.1, client of the experiment manager.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { campaign } from './experiment.ts';

export const campaignApi = {
  server: 'experiment',
  endpoints: {
    getCampaigns: {
      does: 'read the campaigns',
      method: 'GET',
      path: '/campaigns',
      query: z.object({ number: z.optional(z.int()) }),
      response: z.array(campaign),
      lists: [{ at: '' }],
      empty404: 'Not Found',
    },
  },
} as const satisfies Api;
