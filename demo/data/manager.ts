/** The data manager of the demo lab and its endpoints. */
import * as z from 'zod/mini';
import { dataApi, newDatapoint, type Datapoint } from '../../api/managers/data.ts';
import { Bytes, InternalFailure, ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import {
  byId,
  commonSettings,
  healthy,
  identity,
  requestedId,
  type DemoManager,
  type ManagerHandlers,
  type ManagerParts,
} from '../base/demoManager.ts';
import { readNumber, readOwnership, unprocessable } from '../base/parseRequest.ts';
import { contentType, DataStore, type DataParts } from './store.ts';
import { parseExactJson } from '../../api/exactJson.ts';

/** Parses the form's text as a datapoint; an invalid one gives a plain 500, like the real manager. */
function readDatapoint({ fields }: DemoRequest, parts: DataParts): Datapoint {
  const text = fields['datapoint'];
  if (text === undefined) throw unprocessable(['body', 'datapoint'], 'Field required');
  const received = z.parse(newDatapoint, parseExactJson(text));
  const {
    label,
    ownership_info: owner,
    _id,
    datapoint_id: datapointId,
    data_timestamp: timestamp,
    ...others
  } = received;
  if (received.data_type !== 'json' && received.data_type !== 'file') {
    throw new InternalFailure(`unknown type ${received.data_type}`);
  }
  return {
    ...others,
    label: label ?? null,
    ownership_info: owner ? readOwnership(owner) : parts.ownership,
    _id: requestedId({ _id }, datapointId) ?? parts.random.ulid(),
    data_timestamp: timestamp ?? parts.clock.naive(),
  };
}

function createHandlers(store: DataStore, parts: DataParts): ManagerHandlers<typeof dataApi> {
  const idIn = ({ params }: DemoRequest) => params['datapoint_id'] ?? '';
  return {
    addDatapoint: (request) => store.insert(readDatapoint(request, parts), request.files[0]),
    getDatapoint(request) {
      const message = `Datapoint with id ${idIn(request)} not found.`;
      const datapoint = store.get(idIn(request));
      if (datapoint === undefined) throw new ErrorResponse(404, message, { message });
      return datapoint;
    },
    getDatapointValue(request) {
      const datapoint = store.get(idIn(request));
      if (datapoint === undefined) throw new InternalFailure('there is no such datapoint');
      if (datapoint.data_type === 'json') return datapoint.value ?? null;
      const bytes = store.bytes(datapoint);
      if (bytes === undefined) throw new InternalFailure('there is no such file');
      return new Bytes(bytes, contentType(datapoint.object_name ?? datapoint.path ?? ''));
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
    handlers: createHandlers(store, dataParts),
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
