/** What the event manager of the demo lab serves: the table of `api/`, and what else the real one takes. */
import * as z from 'zod/mini';
import type { Api } from '../../api/client/endpoint.ts';
import { eventApi } from '../../api/managers/event.ts';

const { endpoints } = eventApi;
const csv = { csv_format: z.optional(z.boolean()), save_to_file: z.optional(z.boolean()) };

export const servedEventApi = {
  server: 'event',
  endpoints: {
    ...endpoints,
    /** Any JSON goes to the store, which fails at what is no selector: a bare 500, not a 422. */
    queryEvents: { ...endpoints.queryEvents, body: { type: 'json', schema: z.unknown() } },
    getSessionReport: { ...endpoints.getSessionReport, query: z.extend(endpoints.getSessionReport.query, csv) },
    getPeriodReport: { ...endpoints.getPeriodReport, query: z.extend(endpoints.getPeriodReport.query, csv) },
    getUserReport: { ...endpoints.getUserReport, query: z.extend(endpoints.getUserReport.query, csv) },
  },
} as const satisfies Api;
