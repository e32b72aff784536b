/**
 * The campaign endpoint that MADSci's own client calls on the experiment manager. No manager up to 0.8.1 has this route
 * (it responds with a plain 404), so it is a separate table: the response shows whether campaigns exist. Source: MADSci
 * 0.8.1, client of the experiment manager.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { id, jsonInteger, managerTime, ownershipInfo } from '../client/wire.ts';

/** MADSci's type of a campaign. */
export const campaign = z.looseObject({
  campaign_id: id,
  campaign_name: z.string(),
  campaign_description: z.nullish(z.string()),
  experiment_ids: z.nullish(z.array(id)),
  ownership_info: z.optional(ownershipInfo),
  created_at: z.nullish(managerTime),
  ended_at: z.nullish(managerTime),
});

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
