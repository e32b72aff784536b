/**
 * The data manager's contract (port 8004): datapoints as JSON values, files, and objects in an object store.
 * Source: MADSci 0.8.1, data manager; 0.7 differs in `/value` of an object in a store, which fails there.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { healthEndpoint, serviceHealth, settingsEndpoint } from '../lab/service.ts';
import {
  id,
  jsonObject,
  managerTime,
  openEnum,
  ownershipInfo,
  selector,
  jsonInteger,
  jsonNumber,
} from '../client/wire.ts';

export const dataHealth = z.extend(serviceHealth, {
  db_connected: z.nullish(z.boolean()),
  storage_accessible: z.nullish(z.boolean()),
  total_datapoints: z.nullish(jsonInteger),
});

const dataType = openEnum(['json', 'file', 'object_storage']);

const fields = {
  label: z.nullish(z.string()),
  ownership_info: z.nullish(ownershipInfo),
  data_type: dataType,
  /** The bare value of a `json` datapoint. */
  value: z.optional(z.unknown()),
  /** For a `file`: its path on the manager's host. */
  path: z.nullish(z.string()),
  /** For an object in a store. */
  url: z.nullish(z.string()),
  storage_endpoint: z.nullish(z.string()),
  public_endpoint: z.nullish(z.string()),
  bucket_name: z.nullish(z.string()),
  object_name: z.nullish(z.string()),
  content_type: z.nullish(z.string()),
  size_bytes: z.nullish(jsonNumber),
  etag: z.nullish(z.string()),
  custom_metadata: z.nullish(jsonObject),
};

/** A datapoint as stored: its identifier is `_id`; `data_type` decides its fields. */
export const datapoint = z.looseObject({ ...fields, _id: id, data_timestamp: z.nullish(managerTime) });
export type Datapoint = z.infer<typeof datapoint>;

/** A datapoint to store. `data_type` must be correct: a wrong one causes a plain 500. */
export const newDatapoint = z.looseObject({
  ...fields,
  _id: z.optional(id),
  datapoint_id: z.optional(id),
  data_timestamp: z.optional(managerTime),
});
export type NewDatapoint = z.infer<typeof newDatapoint>;

/** Datapoints by ID; the keys are in the order of the response. */
export const datapoints = z.record(z.string(), datapoint);

export const dataApi = {
  server: 'data',
  endpoints: {
    health: healthEndpoint(dataHealth),
    settings: settingsEndpoint,
    /** At most one file (the manager stores only the first part); its key in `files` is its name. */
    addDatapoint: {
      purpose: 'store the datapoint',
      method: 'POST',
      path: '/datapoint',
      body: { type: 'multipart', fields: z.object({ datapoint: newDatapoint }), files: { part: 'files' } },
      response: datapoint,
      timeoutMs: 300_000,
    },
    getDatapoint: {
      purpose: 'read the datapoint',
      method: 'GET',
      path: '/datapoint/{datapoint_id}',
      response: datapoint,
      errors: { 404: 'Datapoint with id {datapoint_id} not found.' },
    },
    /**
     * The bytes of a file or an object, with a guessed content type, or the JSON text of a value. An unknown ID causes a
     * plain 500; so does an object in a store in a 0.7 lab (use its `url` there).
     */
    getDatapointValue: {
      purpose: 'read the data',
      method: 'GET',
      path: '/datapoint/{datapoint_id}/value',
      response: 'blob',
      timeoutMs: 300_000,
    },
    /** Newest first; `number` defaults to 100. */
    getDatapoints: {
      purpose: 'read the datapoints',
      method: 'GET',
      path: '/datapoints',
      query: z.object({ number: z.optional(jsonInteger) }),
      response: datapoints,
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
    /** Unlimited, in storage order. */
    queryDatapoints: {
      purpose: 'search the datapoints',
      method: 'POST',
      path: '/datapoints/query',
      reads: true,
      body: { type: 'json', schema: selector },
      response: datapoints,
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
  },
} as const satisfies Api;
