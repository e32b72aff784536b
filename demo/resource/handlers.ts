/** The endpoints of the resource manager: what an operation refuses is status 500 with its reason. */
import { resourceApi } from '../../api/managers/resource.ts';
import { resourceDefinition, resourceQuery } from '../../api/managers/resourceBody.ts';
import { InternalFailure, Refusal, type DemoRequest } from '../base/handling.ts';
import type { ManagerHandlers } from '../base/parts.ts';
import { isoTime, readBody, readNumber, unprocessable } from '../base/reading.ts';
import { changeQuantity, empty, fill, removeCapacity, setCapacity, setQuantity } from './amounts.ts';
import { pop, push, removeChild, setChild } from './containers.ts';
import { refusing } from './errors.ts';
import { holder, lock, unlock } from './locks.ts';
import { find, findOne, findVersions, hierarchy, versionView } from './query.ts';
import type { Row } from './row.ts';
import type { ResourceStore } from './store.ts';
import { templateHandlers } from './templateHandlers.ts';
import { serve } from './view.ts';
import { add, addOrUpdate, restore, update } from './writes.ts';

const { endpoints } = resourceApi;
const idOf = ({ params }: DemoRequest) => params['resource_id'] ?? '';

type Handlers<Name extends keyof ManagerHandlers<typeof resourceApi>> = Pick<ManagerHandlers<typeof resourceApi>, Name>;

const notFound = () => new Refusal(404, 'Resource not found');

/** How each operation is done and its result shown. */
function operationsOn(store: ResourceStore) {
  const { table } = store;
  const view = (row: Row) => store.view(row);

  /** One operation, done as a whole or not at all. */
  const change = <T>(operation: () => T): T => refusing(() => table.atomically(operation));
  const changed = (operation: (request: DemoRequest) => Row) => (request: DemoRequest) =>
    view(change(() => operation(request)));

  function known(id: string): Row {
    const row = table.get(id);
    if (row === undefined) throw notFound();
    return row;
  }
  return { view, change, changed, known };
}

function initialized(store: ResourceStore, body: unknown) {
  const { table } = store;
  const definition = readBody(resourceDefinition, body);
  const type = definition.base_type ?? 'resource';
  const owner = definition.owner ?? store.models.ownership;
  const name = definition.resource_name;
  // Without a name the definition gets a random one, which nobody has.
  const found = name === undefined ? undefined : findOne(table, { ...definition, base_type: type, owner });
  if (found !== undefined) return store.view(found);
  const model = store.read({ ...definition, base_type: type });
  try {
    return store.view(table.atomically(() => add(table, model)));
  } catch (error) {
    throw new InternalFailure(String(error));
  }
}

function queried(store: ResourceStore, body: unknown) {
  const { table } = store;
  const { unique, multiple = true, ...filter } = readBody(resourceQuery, body);
  if (unique === true) {
    const row = findOne(table, filter);
    if (row === undefined) throw notFound();
    return store.view(row);
  }
  const rows = find(table, filter);
  const [first] = rows;
  if (first === undefined) throw notFound();
  return multiple === true ? rows.map((row) => store.view(row)) : store.view(first);
}

function historyHandlers({ table }: ResourceStore): Handlers<'queryHistory' | 'restoreResource'> {
  return {
    queryHistory({ body }) {
      const sent = readBody(endpoints.queryHistory.body.schema, body);
      const dates = { start_date: sent.start_date, end_date: sent.end_date };
      for (const [name, date] of Object.entries(dates)) {
        if (date && isoTime(date) === undefined) {
          throw unprocessable(['body', name], 'Input should be a valid datetime');
        }
      }
      return findVersions(table, sent).map(versionView);
    },
    restoreResource(request) {
      const id = idOf(request);
      let version: ReturnType<typeof restore>;
      try {
        version = table.atomically(() => restore(table, id));
      } catch (error) {
        throw new InternalFailure(String(error));
      }
      if (version === undefined) throw new Refusal(404, `No removed resource with ID '${id}'.`);
      const bare = { childrenOf: () => [], newId: () => table.newId() };
      const { version: number, change_type, changed_at, child_ids } = version;
      return { ...serve(version.row, bare), removed: false, version: number, change_type, changed_at, child_ids };
    },
  };
}

type AmountName =
  | 'setQuantity'
  | 'changeQuantityBy'
  | 'increaseQuantity'
  | 'decreaseQuantity'
  | 'setCapacity'
  | 'removeCapacity'
  | 'emptyResource'
  | 'fillResource';

function amountHandlers(store: ResourceStore): Handlers<AmountName> {
  const { table } = store;
  const { changed, known } = operationsOn(store);
  return {
    setQuantity: changed((request) => setQuantity(table, idOf(request), readNumber(request.query, 'quantity'))),
    changeQuantityBy: changed((request) =>
      changeQuantity(table, idOf(request), 'by', readNumber(request.query, 'amount')),
    ),
    increaseQuantity: changed((request) =>
      changeQuantity(table, idOf(request), 'increase', readNumber(request.query, 'amount')),
    ),
    decreaseQuantity: changed((request) =>
      changeQuantity(table, idOf(request), 'decrease', readNumber(request.query, 'amount')),
    ),
    setCapacity: changed((request) => setCapacity(table, idOf(request), readNumber(request.query, 'capacity'))),
    removeCapacity: changed((request) => removeCapacity(table, idOf(request))),
    emptyResource: changed((request) => empty(table, known(idOf(request)))),
    fillResource: changed((request) => fill(table, known(idOf(request)))),
  };
}

function lockHandlers(store: ResourceStore): Handlers<'lockResource' | 'unlockResource' | 'checkLock'> {
  const { table } = store;
  return {
    lockResource(request) {
      const id = idOf(request);
      const seconds = readNumber(request.query, 'lock_duration', 300);
      // Without a client a random one holds the lock, and nobody can free it before it expires.
      const client = request.query.get('client_id') || table.newId();
      const row = lock(table, id, store.clock.now(), seconds, client);
      if (row === undefined) throw new Refusal(409, `Resource ${id} is already locked or lock acquisition failed`);
      return store.view(row);
    },
    unlockResource(request) {
      const id = idOf(request);
      const client = request.query.get('client_id');
      const row = unlock(table, id, client);
      if (row !== undefined) return store.view(row);
      const why = `Cannot release lock on resource ${id}: not owned by client ${client ?? 'None'}`;
      throw new Refusal(403, why);
    },
    checkLock(request) {
      const by = holder(table, idOf(request), store.clock.now());
      return { resource_id: idOf(request), is_locked: by !== null, locked_by: by };
    },
  };
}

export function resourceHandlers(store: ResourceStore): ManagerHandlers<typeof resourceApi> {
  const { table } = store;
  const { view, change, changed, known } = operationsOn(store);
  return {
    ...templateHandlers(store),
    initResource: ({ body }) => initialized(store, body),
    addResource: changed(({ body }) => add(table, store.read(body))),
    addOrUpdateResource: changed(({ body }) => addOrUpdate(table, store.read(body))),
    updateResource: changed(({ body }) => update(table, store.read(body))),
    getResource: (request) => view(known(idOf(request))),
    deleteResource(request) {
      const { resource_id: id } = known(idOf(request));
      return view(change(() => table.remove(id)));
    },
    queryResources: ({ body }) => queried(store, body),
    ...historyHandlers(store),
    pushResource(request) {
      const sent = readBody(endpoints.pushResource.body.schema, request.body);
      if (!sent.child && !sent.child_id) {
        const msg = 'Value error, Either a child ID or child resource data must be provided.';
        throw unprocessable(['body'], msg);
      }
      const child = sent.child ? store.read(sent.child, ['body', 'child']) : (sent.child_id ?? '');
      return view(change(() => push(table, idOf(request), child)));
    },
    popResource: (request) => change(() => pop(table, idOf(request))).map(view),
    setChild(request) {
      const { key, child: sent } = readBody(endpoints.setChild.body.schema, request.body);
      const child = typeof sent === 'string' ? sent : store.read(sent, ['body', 'child']);
      return view(change(() => setChild(table, idOf(request), key, child)));
    },
    removeChild(request) {
      const { key } = readBody(endpoints.removeChild.body.schema, request.body);
      return view(change(() => removeChild(table, idOf(request), key)));
    },
    ...amountHandlers(store),
    ...lockHandlers(store),
    getHierarchy(request) {
      const found = hierarchy(table, idOf(request));
      if (found === undefined) throw new Refusal(404, `Resource with ID '${idOf(request)}' not found`);
      return found;
    },
  };
}
