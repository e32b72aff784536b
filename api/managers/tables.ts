/** Every manager's endpoint tables, for code that handles requests to any manager. */
import type { Api, Endpoint } from '../client/endpoint.ts';
import type { ManagerKey } from '../managers.ts';
import { campaignApi } from './campaign.ts';
import { dataApi } from './data.ts';
import { eventApi } from './event.ts';
import { experimentApi } from './experiment.ts';
import { locationApi } from './location.ts';
import { resourceApi } from './resource.ts';
import { workcellApi } from './workcell.ts';

const tables: Readonly<Record<ManagerKey, readonly Api[]>> = {
  event: [eventApi],
  experiment: [experimentApi, campaignApi],
  resource: [resourceApi],
  data: [dataApi],
  workcell: [workcellApi],
  location: [locationApi],
};

/** All endpoints of a manager. */
export function listEndpoints(manager: ManagerKey): readonly Endpoint[] {
  return tables[manager].flatMap(({ endpoints }) => Object.values(endpoints));
}
