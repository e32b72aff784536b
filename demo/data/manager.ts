/** The data manager of the demo lab and its endpoints. */
import * as z from 'zod/mini';
import { dataApi, newDatapoint, type Datapoint } from '../../api/managers/data.ts';
import { Bytes, InternalFailure, Refusal, type DemoRequest } from '../base/handling.ts';
import {
  byId,
  commonSettings,
  healthy,
  identity,
  sentId,
  type DemoManager,
  type ManagerHandlers,
  type ManagerParts,
} from '../base/parts.ts';
import { readNumber, readOwnership, unprocessable } from '../base/reading.ts';
import { contentType, DataStore, type DataParts } from './store.ts';

/** Parses the form's text as a datapoint; an invalid one gives a bare 500, like the real manager. */
function readDatapoint({ fields }: DemoRequest, parts: DataParts): Datapoint {
  const text = fields['datapoint'];
  if (text === undefined) throw unprocessable(['body', 'datapoint'], 'Field required');
  const sent = z.parse(newDatapoint, JSON.parse(text));
  const { label, ownership_info: owner, _id, datapoint_id: named, data_timestamp: at, ...own } = sent;
  if (sent.data_type !== 'json' && sent.data_type !== 'file') {
    throw new InternalFailure(`unknown type ${sent.data_type}`);
  }
  return {
    ...own,
    label: label ?? null,
    ownership_info: owner ? readOwnership(owner) : parts.ownership,
    _id: sentId({ _id }, named) ?? parts.random.ulid(),
    data_timestamp: at ?? parts.clock.naive(),
  };
}

function handlers(store: DataStore, parts: DataParts): ManagerHandlers<typeof dataApi> {
  const requestedId = ({ params }: DemoRequest) => params['datapoint_id'] ?? '';
  return {
    addDatapoint: (request) => store.insert(readDatapoint(request, parts), request.files[0]),
    getDatapoint(request) {
      const message = `Datapoint with id ${requestedId(request)} not found.`;
      const found = store.get(requestedId(request));
      if (found === undefined) throw new Refusal(404, message, { message });
      return found;
    },
    getDatapointValue(request) {
      const found = store.get(requestedId(request));
      if (found === undefined) throw new InternalFailure('there is no such datapoint');
      if (found.data_type === 'json') return found.value ?? null;
      const bytes = store.bytes(found);
      if (bytes === undefined) throw new InternalFailure('there is no such file');
      return new Bytes(bytes, contentType(found.object_name ?? found.path ?? ''));
    },
    getDatapoints: ({ query }) => byId(store.list(readNumber(query, 'number', 100))),
    queryDatapoints: ({ body }) => byId(store.query(body ?? {})),
  };
}

export type DataManager = DemoManager<typeof dataApi, DataStore>;

export function createDataManager(parts: ManagerParts): DataManager {
  const random = parts.random.stream('data');
  const id = identity(parts, random);
  const dataParts: DataParts = { clock: parts.clock, random, ownership: id.ownership };
  const store = new DataStore(dataParts);
  return {
    api: dataApi,
    handlers: handlers(store, dataParts),
    health: () =>
      healthy('Data Manager is running normally', {
        db_connected: true,
        storage_accessible: true,
        total_datapoints: store.total,
      }),
    settings: () => commonSettings('Demo Data Manager', 'data_manager', 8004, id),
    store,
  };
}
