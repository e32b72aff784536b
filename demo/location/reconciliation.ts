/**
 * Reconciliation: gives locations the resources that they wait for once their template is known, and fills what their
 * representations lack. It happens every 30 seconds and when it is asked for.
 */
import type { Location } from '../../api/managers/location.ts';
import type { LocationTemplate } from '../../api/managers/locationTemplate.ts';
import { every, type Cancel, type DemoClock } from '../base/clock.ts';
import type { Resources } from '../resource/store.ts';
import type { LocationStore } from './store.ts';

export const intervalSeconds = 30;

/** What the location manager needs of the resource manager. */
export type LocationResources = Pick<Resources, 'fromTemplate' | 'get' | 'hierarchy'>;

/** The resource for a location, made from its template; null where that isn't known. */
export function makeResource(location: Location, resources: LocationResources): string | null {
  const { resource_template_name: template, location_name: name, resource_template_overrides: overrides } = location;
  return template ? (resources.fromTemplate(template, name, overrides ?? {}) ?? null) : null;
}

/** The representations with the defaults of their templates for what they lack; undefined where they lack nothing. */
function completed(store: LocationStore, location: Location, template: LocationTemplate): Location | undefined {
  const representations = { ...location.representations };
  let changed = false;
  for (const [role, name] of Object.entries(template.representation_templates ?? {})) {
    const node = location.node_bindings?.[role];
    const known = store.representationTemplates.get(name);
    if (node === undefined || known === undefined) continue;
    const current = representations[node];
    const own: Record<string, unknown> = typeof current === 'object' && current !== null ? { ...current } : {};
    if (Object.keys(known.default_values ?? {}).every((key) => Object.hasOwn(own, key))) continue;
    representations[node] = { ...known.default_values, ...own };
    changed = true;
  }
  return changed ? { ...location, representations } : undefined;
}

export class Reconciliation {
  readonly #store: LocationStore;
  readonly #resources: LocationResources;
  readonly #clock: DemoClock;
  readonly #cancel: Cancel;
  #last: { readonly at: string; readonly results: object } | null = null;

  constructor(store: LocationStore, resources: LocationResources, clock: DemoClock) {
    this.#store = store;
    this.#resources = resources;
    this.#clock = clock;
    this.#cancel = every(clock, intervalSeconds * 1000, () => this.run());
  }

  /** When it last ran, in UTC with an offset; null before the first time. */
  get lastAt(): string | null {
    return this.#last?.at ?? null;
  }

  get lastResults(): object | null {
    return this.#last?.results ?? null;
  }

  /** Only locations without their resource are looked at, for representations too. */
  run(): object {
    let [resolved, updated] = [0, 0];
    for (const location of this.#store.unresolved()) {
      const made = makeResource(location, this.#resources);
      const withResource = made === null ? location : this.#store.replace({ ...location, resource_id: made });
      if (made !== null) resolved += 1;
      const template = this.#store.locationTemplates.get(location.location_template_name ?? '');
      const complete = template === undefined ? undefined : completed(this.#store, withResource, template);
      if (complete === undefined) continue;
      this.#store.replace(complete);
      updated += 1;
    }
    if (resolved + updated > 0) this.#store.rebuildGraph();
    const results = {
      resources_resolved: resolved,
      representations_updated: updated,
      templates_synced: 0,
      locations_synced: 0,
      training_applied: 0,
      training_skipped: 0,
    };
    this.#last = { at: this.#clock.zoned().replace('Z', '+00:00'), results };
    return results;
  }

  stop(): void {
    this.#cancel();
  }
}
