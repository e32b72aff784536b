/** The list that the build writes beside the page. */
import * as z from 'zod/mini';
import type { Api } from '../../../api/client/endpoint.ts';

export const licencesApi = {
  server: 'lab',
  endpoints: {
    getLicences: {
      does: 'read the list of licences',
      method: 'GET',
      path: '/licences.json',
      response: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() })),
    },
  },
} as const satisfies Api;
