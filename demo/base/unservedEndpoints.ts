/** The endpoints of the tables in `api/` that the demo lab serves: all that a page or a test of a page uses. */
import type { Api, ServerKey } from '../../api/client/endpoint.ts';

/** Endpoints that the demo lab doesn't serve; their tests run only against real managers. */
export const unservedEndpoints = {
  event: ['createBackup', 'getBackupStatus', 'getSessionReport'],
  location: ['initLocation', 'exportLocations', 'getLocationResources'],
  node: [
    'getInfo',
    'getState',
    'getLog',
    'setConfig',
    'createAction',
    'uploadFile',
    'uploadFiles',
    'startAction',
    'getActionStatus',
    'getActionResult',
    'downloadActionFiles',
  ],
  resource: [
    'initResource',
    'addOrUpdateResource',
    'changeQuantityBy',
    'checkLock',
    'getHierarchy',
    'getTemplate',
    'getTemplateCategories',
    'queryTemplates',
  ],
  workcell: ['resubmitWorkflow', 'sendCommandToAll'],
} as const satisfies Partial<Record<ServerKey, readonly string[]>>;

/** Returns the table without the endpoints of these names. */
export function servedEndpoints<Table extends Api, const Name extends string>(table: Table, without: readonly Name[]) {
  const names: ReadonlySet<string> = new Set(without);
  const endpoints = Object.fromEntries(Object.entries(table.endpoints).filter(([name]) => !names.has(name)));
  return { server: table.server, endpoints: endpoints as Omit<Table['endpoints'], Name> };
}
