/** What the data manager of the demo lab serves: the table of `api/`, less strict where the real one is. */
import * as z from 'zod/mini';
import { dataApi } from '../../api/managers/data.ts';
import type { Api } from '../../api/client/endpoint.ts';

export const servedDataApi = {
  server: 'data',
  endpoints: {
    ...dataApi.endpoints,
    /** Any JSON goes to the store, which fails at what is no selector: a bare 500, not a 422. */
    queryDatapoints: { ...dataApi.endpoints.queryDatapoints, body: { type: 'json', schema: z.unknown() } },
  },
} as const satisfies Api;
