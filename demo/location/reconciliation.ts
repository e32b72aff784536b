/** Reconciliation: assigns the pending resources of locations, every 30 seconds and on request. */
import type { Location } from '../../api/managers/location.ts';
import { every, type Cancel, type DemoClock } from '../base/clock.ts';
import type { ResourceStore } from '../resource/store.ts';
import type { LocationStore } from './store.ts';

export const intervalSeconds = 30;

/** Creates the resource of a location from its template; null for an unknown template. */
export function createResource(location: Location, resources: Pick<ResourceStore, 'fromTemplate'>): string | null {
  const { resource_template_name: template, location_name: name, resource_template_overrides: overrides } = location;
  return template ? (resources.fromTemplate(template, name, overrides ?? {}) ?? null) : null;
}

export class Reconciliation {
  readonly #store: LocationStore;
  readonly #resources: Pick<ResourceStore, 'fromTemplate'>;
  readonly #clock: DemoClock;
  readonly stop: Cancel;
  /** The time of the last run, in UTC with an offset; null before the first one. */
  lastAt: string | null = null;
  lastResults: object | null = null;

  constructor(store: LocationStore, resources: Pick<ResourceStore, 'fromTemplate'>, clock: DemoClock) {
    this.#store = store;
    this.#resources = resources;
    this.#clock = clock;
    this.stop = every(clock, intervalSeconds * 1000, () => this.run());
  }

  run(): object {
    let resolved = 0;
    for (const location of this.#store.findUnresolved()) {
      const resourceId = createResource(location, this.#resources);
      if (resourceId === null) continue;
      this.#store.replace({ ...location, resource_id: resourceId });
      resolved += 1;
    }
    this.lastAt = this.#clock.zoned().replace('Z', '+00:00');
    this.lastResults = {
      resources_resolved: resolved,
      representations_updated: 0,
      templates_synced: 0,
      locations_synced: 0,
      training_applied: 0,
      training_skipped: 0,
    };
    return this.lastResults;
  }
}
