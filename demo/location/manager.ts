/** The location manager of the demo lab. */
import { locationApi } from '../../api/managers/location.ts';
import { commonSettings, healthy, identity, type DemoManager, type ManagerParts } from '../base/parts.ts';
import { labCapabilities } from './capabilities.ts';
import { locationHandlers } from './handlers.ts';
import { Reconciliation, type LocationResources } from './reconciliation.ts';
import { LocationStore } from './store.ts';
import type { TransferCapabilities } from './transfers.ts';

export interface LocationManager extends DemoManager<typeof locationApi, LocationStore> {
  readonly reconciliation: Reconciliation;
  /** Ends its timer. */
  readonly stop: () => void;
}

export function createLocationManager(
  parts: ManagerParts,
  resources: LocationResources,
  capabilities: TransferCapabilities = labCapabilities,
): LocationManager {
  const random = parts.random.stream('location');
  const id = identity(parts, random);
  const { clock } = parts;
  const store = new LocationStore(capabilities);
  const reconciliation = new Reconciliation(store, resources, clock);
  const managed = (by: string) => store.all().filter((location) => location.managed_by === by).length;
  return {
    api: locationApi,
    handlers: locationHandlers({ clock, random, store, resources, reconciliation }),
    health: () =>
      healthy('Location Manager is running normally', {
        document_db_connected: true,
        cache_connected: true,
        num_locations: store.all().length,
        num_representation_templates: store.representationTemplates.total,
        num_location_templates: store.locationTemplates.total,
        num_unresolved_locations: store.unresolved().length,
        num_node_managed_locations: managed('node'),
        num_lab_managed_locations: managed('lab'),
        last_reconciliation_at: reconciliation.lastAt,
      }),
    settings: {
      title: 'LocationManagerSettings',
      values: () => commonSettings('Demo Location Manager', 'location_manager', 8006, id),
    },
    store,
    reconciliation,
    stop: () => reconciliation.stop(),
  };
}
