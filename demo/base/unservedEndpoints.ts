/** The endpoints of `api/` that the demo lab does not serve, because no page uses them. */
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

/** Returns the table without the unserved endpoints. */
export function servedEndpoints<Table extends Api, const Name extends string>(table: Table, unserved: readonly Name[]) {
  const names: ReadonlySet<string> = new Set(unserved);
  const endpoints = Object.fromEntries(Object.entries(table.endpoints).filter(([name]) => !names.has(name)));
  return { server: table.server, endpoints: endpoints as Omit<Table['endpoints'], Name> };
}
