/** The endpoints of the data manager. */
import type { Api } from '../../api/client/endpoint.ts';
import { dataApi, newDatapoint, type Datapoint, type NewDatapoint } from '../../api/managers/data.ts';
import * as z from 'zod/mini';
import { Bytes, InternalFailure, Refusal, type DemoRequest } from '../base/handling.ts';
import { byId, sentId, type ManagerHandlers } from '../base/parts.ts';
import { isoTime, readInt, readOwnership, unprocessable } from '../base/reading.ts';
import { contentType, type DataParts, type DataStore } from './store.ts';

/** The table of `api/`, less strict where the real manager is. */
export const servedDataApi = {
  server: 'data',
  endpoints: {
    ...dataApi.endpoints,
    /** Any JSON goes to the store, which fails at what is no selector: a bare 500, not a 422. */
    queryDatapoints: { ...dataApi.endpoints.queryDatapoints, body: { type: 'json', schema: z.unknown() } },
  },
} as const satisfies Api;

/** The form's text as a datapoint; what it can't be is a bare 500, as the real manager fails then. */
function readSent(text: string): NewDatapoint {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InternalFailure(`the datapoint is no JSON: ${String(error)}`);
  }
  const result = z.safeParse(newDatapoint, json);
  if (!result.success) throw new InternalFailure('the datapoint is not one');
  return result.data;
}

/** The fields that a datapoint of the type must have, with a file too; without them: a bare 500. */
const required: Readonly<Record<string, readonly string[]>> = {
  json: ['value'],
  file: ['path'],
  object_storage: ['path', 'storage_endpoint'],
};

function readDatapoint({ fields }: DemoRequest, parts: DataParts): Datapoint {
  const text = fields['datapoint'];
  if (text === undefined) throw unprocessable(['body', 'datapoint'], 'Field required');
  const sent = readSent(text);
  // An old name of `json`, which the manager still takes.
  const type = sent['data_type'] === 'data_value' ? 'json' : sent.data_type;
  const needs = required[type];
  if (needs === undefined) throw new InternalFailure(`Invalid DataPointType: ${type}`);
  if (needs.some((name) => !Object.hasOwn(sent, name))) throw new InternalFailure('a field is missing');
  const { label, ownership_info: owner, data_type: _type, _id, datapoint_id: named, data_timestamp: at, ...own } = sent;
  return {
    label: label ?? null,
    ownership_info: owner ? readOwnership(owner, ['body', 'ownership_info']) : parts.ownership,
    data_type: type,
    _id: sentId({ _id }, named) ?? parts.random.ulid(),
    data_timestamp: (at === undefined ? undefined : isoTime(at)) ?? parts.clock.naive(),
    ...own,
  };
}

export function dataHandlers(store: DataStore, parts: DataParts): ManagerHandlers<typeof servedDataApi> {
  function find(id: string): Datapoint {
    const found = store.get(id);
    if (found !== undefined) return found;
    const message = `Datapoint with id ${id} not found.`;
    throw new Refusal(404, message, { message });
  }
  return {
    addDatapoint: (request) => store.insert(readDatapoint(request, parts), request.files[0]),
    getDatapoint: ({ params: { datapoint_id: id = '' } }) => find(id),
    getDatapointValue({ params: { datapoint_id: id = '' } }) {
      const found = store.get(id);
      if (found === undefined) throw new InternalFailure(`no datapoint ${id}`);
      if (found.data_type === 'json') return found.value ?? null;
      const bytes = store.bytes(found);
      if (bytes === undefined) throw new InternalFailure('the file is not there');
      const name = found.data_type === 'file' ? found.path : found.object_name;
      return new Bytes(bytes, contentType(name ?? ''));
    },
    getDatapoints: ({ query }) => byId(store.list(readInt(query, 'number', 100))),
    queryDatapoints: ({ body }) => byId(store.query(body ?? {})),
  };
}
