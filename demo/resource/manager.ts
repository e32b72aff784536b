/** The resource manager of the demo lab and its endpoints. */
import { resourceApi } from '../../api/managers/resource.ts';
import { resourceQuery } from '../../api/managers/resourceBody.ts';
import { ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import {
  commonSettings,
  healthy,
  identity,
  type DemoManager,
  type ManagerHandlers,
  type ManagerParts,
} from '../base/demoManager.ts';
import { readBody, readNumber, unprocessable } from '../base/parseRequest.ts';
import { servedEndpoints, unservedEndpoints } from '../base/unservedEndpoints.ts';
import { add, update } from './models.ts';
import {
  changeQuantity,
  empty,
  fill,
  pop,
  push,
  removeChild,
  setCapacity,
  setChild,
  setQuantity,
} from './operations.ts';
import type { Row } from './row.ts';
import { ResourceStore } from './store.ts';
import type { Template } from './templates.ts';
import { serve, versionView } from './view.ts';

const servedApi = servedEndpoints(resourceApi, unservedEndpoints.resource);
const { endpoints } = resourceApi;

type AllHandlers = ManagerHandlers<typeof servedApi>;
type Handlers<Name extends keyof AllHandlers> = Pick<AllHandlers, Name>;

const idIn = ({ params }: DemoRequest) => params['resource_id'] ?? '';
const notFound = () => new ErrorResponse(404, 'Resource not found');

function findRow(store: ResourceStore, request: DemoRequest): Row {
  const row = store.table.get(idIn(request));
  if (row === undefined) throw notFound();
  return row;
}

/** Creates a handler that executes an operation and responds with the changed resource. */
const respondWithResource =
  (store: ResourceStore, operation: (request: DemoRequest) => Row) => (request: DemoRequest) =>
    store.view(operation(request));

function readingHandlers(store: ResourceStore): Handlers<'getResource' | 'queryResources' | 'queryHistory'> {
  const { table } = store;
  const fields = ['resource_id', 'resource_name', 'parent_id', 'resource_class', 'base_type'] as const;
  return {
    getResource: (request) => store.view(findRow(store, request)),
    queryResources({ body }) {
      const filter = readBody(resourceQuery, body);
      const usedFields = fields.filter((name) => filter[name]);
      const matching = [...table.all()].filter((row) => usedFields.every((name) => row[name] === filter[name]));
      if (matching.length === 0) throw notFound();
      return matching.map((row) => store.view(row));
    },
    queryHistory({ body }) {
      const { resource_id: id, removed, limit } = readBody(endpoints.queryHistory.body.schema, body);
      return table
        .history()
        .filter(
          (version) => (!id || version.row.resource_id === id) && (removed == null || version.removed === removed),
        )
        .slice(0, limit ?? 100)
        .map(versionView);
    },
  };
}

type ResourceHandlerName = 'addResource' | 'updateResource' | 'deleteResource' | 'restoreResource';

function resourceHandlers(store: ResourceStore): Handlers<ResourceHandlerName> {
  const { table } = store;
  return {
    addResource: respondWithResource(store, ({ body }) => add(table, store.read(body))),
    updateResource: respondWithResource(store, ({ body }) => update(table, store.read(body))),
    deleteResource: respondWithResource(store, (request) => table.remove(findRow(store, request).resource_id)),
    restoreResource(request) {
      const version = table.restore(idIn(request));
      if (version === undefined) throw new ErrorResponse(404, `No removed resource with ID '${idIn(request)}'.`);
      return { ...serve(version.row, { listChildren: () => [] }), removed: false };
    },
  };
}

function contentHandlers(store: ResourceStore): Handlers<'pushResource' | 'popResource' | 'setChild' | 'removeChild'> {
  const { table } = store;
  return {
    pushResource: respondWithResource(store, (request) => {
      const { child, child_id: id } = readBody(endpoints.pushResource.body.schema, request.body);
      if (!child && !id) throw unprocessable(['body'], 'Either a child ID or child resource data must be provided.');
      return push(table, idIn(request), child ? store.read(child) : (id ?? ''));
    }),
    popResource: (request) => pop(table, idIn(request)).map((row) => store.view(row)),
    setChild: respondWithResource(store, (request) => {
      const { key, child } = readBody(endpoints.setChild.body.schema, request.body);
      return setChild(table, idIn(request), String(key), typeof child === 'string' ? child : store.read(child));
    }),
    removeChild: respondWithResource(store, (request) => {
      const { key } = readBody(endpoints.removeChild.body.schema, request.body);
      return removeChild(table, idIn(request), String(key));
    }),
  };
}

type AmountHandlerName =
  | 'setQuantity'
  | 'increaseQuantity'
  | 'decreaseQuantity'
  | 'setCapacity'
  | 'removeCapacity'
  | 'emptyResource'
  | 'fillResource';

function amountHandlers(store: ResourceStore): Handlers<AmountHandlerName> {
  const { table } = store;
  const change = (kind: 'increase' | 'decrease') =>
    respondWithResource(store, (request) =>
      changeQuantity(table, idIn(request), kind, readNumber(request.query, 'amount')),
    );
  return {
    setQuantity: respondWithResource(store, (request) =>
      setQuantity(table, idIn(request), readNumber(request.query, 'quantity')),
    ),
    increaseQuantity: change('increase'),
    decreaseQuantity: change('decrease'),
    setCapacity: respondWithResource(store, (request) =>
      setCapacity(table, idIn(request), readNumber(request.query, 'capacity')),
    ),
    removeCapacity: respondWithResource(store, (request) => setCapacity(table, idIn(request), null)),
    emptyResource: respondWithResource(store, (request) => empty(table, findRow(store, request))),
    fillResource: respondWithResource(store, (request) => fill(table, findRow(store, request))),
  };
}

function lockHandlers(store: ResourceStore): Handlers<'lockResource' | 'unlockResource'> {
  return {
    lockResource(request) {
      const client = request.query.get('client_id') || 'unknown client';
      const row = store.table.get(idIn(request));
      if (row === undefined || store.isLockedFor(row, client)) {
        throw new ErrorResponse(409, `Resource ${idIn(request)} is already locked or lock acquisition failed`);
      }
      return store.view(store.lock(row, readNumber(request.query, 'lock_duration', 300), client));
    },
    unlockResource(request) {
      const client = request.query.get('client_id');
      const row = store.table.get(idIn(request));
      if (row === undefined || (row.locked_by !== null && row.locked_by !== client)) {
        throw new ErrorResponse(
          403,
          `Cannot release lock on resource ${idIn(request)}: not owned by client ${client ?? 'None'}`,
        );
      }
      return store.view(store.table.put({ ...row, locked_until: null, locked_by: null }));
    },
  };
}

type TemplateHandlerName =
  'createTemplate' | 'getTemplates' | 'getTemplateInfo' | 'updateTemplate' | 'deleteTemplate' | 'createFromTemplate';

function templateHandlers(store: ResourceStore): Handlers<TemplateHandlerName> {
  const { templates } = store;
  const toListEntry = (template: Template) => templates.toListEntry(template);
  const nameIn = ({ params }: DemoRequest) => params['template_name'] ?? '';
  const noTemplate = (request: DemoRequest) => new ErrorResponse(404, `Template '${nameIn(request)}' not found`);
  return {
    createTemplate: ({ body }) => toListEntry(templates.create(readBody(endpoints.createTemplate.body.schema, body))),
    getTemplates: () => templates.all().map(toListEntry),
    getTemplateInfo(request) {
      const template = templates.get(nameIn(request));
      if (template === undefined) throw noTemplate(request);
      return templates.toInfo(template);
    },
    updateTemplate(request) {
      const { updates } = readBody(endpoints.updateTemplate.body.schema, request.body);
      return toListEntry(templates.update(nameIn(request), updates));
    },
    deleteTemplate(request) {
      if (!templates.delete(nameIn(request))) throw noTemplate(request);
      return { message: `Template '${nameIn(request)}' deleted successfully` };
    },
    createFromTemplate(request) {
      const sent = readBody(endpoints.createFromTemplate.body.schema, request.body);
      const { resource_name: name, overrides, add_to_database: isStored } = sent;
      return store.view(store.createFromTemplate(nameIn(request), name, overrides ?? {}, isStored ?? true));
    },
  };
}

export interface ResourceManager extends DemoManager<typeof servedApi, ResourceStore> {
  readonly scale: { readonly addResources: (count: number) => void };
}

export function createResourceManager(parts: ManagerParts): ResourceManager {
  const random = parts.random.stream('resource');
  const id = identity(parts, random);
  const store = new ResourceStore(parts.clock, { random, ownership: id.ownership });
  return {
    api: servedApi,
    handlers: {
      ...readingHandlers(store),
      ...resourceHandlers(store),
      ...contentHandlers(store),
      ...amountHandlers(store),
      ...lockHandlers(store),
      ...templateHandlers(store),
    },
    health: () =>
      healthy('Resource Manager is running normally', { db_connected: true, total_resources: store.table.total }),
    settings: () => commonSettings('Demo Resource Manager', 'resource_manager', 8003, id),
    store,
    scale: { addResources: (count) => store.addMany(count) },
  };
}
