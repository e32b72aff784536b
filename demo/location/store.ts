/** The locations in the order of adding, and the templates of locations and of their representations. */
import { newLocation, type Location } from '../../api/managers/location.ts';
import type { LocationTemplate, RepresentationTemplate } from '../../api/managers/locationTemplate.ts';
import type { Random } from '../base/random.ts';
import { readBody, readOwnership, unprocessable } from '../base/parseRequest.ts';
import { transferEdges, type Edge } from './transfers.ts';

/** Returns the location to store. Throws a 422 for an invalid body. */
export function readLocation(body: unknown, random: Random): Location {
  const location = readBody(newLocation, body);
  if (!/^[\p{L}\p{N}_.-]+$/u.test(location.location_name)) {
    const msg = `Location name '${location.location_name}' may only contain letters, digits, '_', '.' and '-'`;
    throw unprocessable(['body', 'location_name'], msg);
  }
  return {
    location_name: location.location_name,
    location_id: location.location_id ?? random.ulid(),
    resource_id: location.resource_id ?? null,
    description: location.description ?? null,
    representations: location.representations ?? {},
    resource_template_name: location.resource_template_name ?? null,
    resource_template_overrides: location.resource_template_overrides ?? null,
    allow_transfers: location.allow_transfers ?? true,
    reservation: location.reservation ?? null,
    location_template_name: location.location_template_name ?? null,
    node_bindings: location.node_bindings ?? null,
    managed_by: location.managed_by ?? 'lab',
    owner: location.owner ? readOwnership(location.owner) : null,
  };
}

export class LocationStore {
  readonly #locations = new Map<string, Location>();
  readonly representationTemplates = new Map<string, RepresentationTemplate>();
  readonly locationTemplates = new Map<string, LocationTemplate>();

  all(): Location[] {
    return [...this.#locations.values()];
  }

  byName(name: string): Location | undefined {
    return this.#locations.get(name);
  }

  byId(id: string): Location | undefined {
    return this.all().find((location) => location.location_id === id);
  }

  /** Returns false if the name or the ID exists. */
  add(location: Location): boolean {
    if (this.#locations.has(location.location_name) || this.byId(location.location_id) !== undefined) return false;
    this.#locations.set(location.location_name, location);
    return true;
  }

  replace(location: Location): Location {
    this.#locations.set(location.location_name, location);
    return location;
  }

  delete(name: string): void {
    this.#locations.delete(name);
  }

  /** Returns the locations with a resource template but no resource yet. */
  findUnresolved(): Location[] {
    return this.all().filter((location) => location.resource_template_name && location.resource_id === null);
  }

  /** Returns every transfer that a node can make in one step. */
  edges(): Edge[] {
    return transferEdges(this.all());
  }
}
