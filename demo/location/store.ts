/** The locations and the templates of locations, in the order of adding. */
import type { Location } from '../../api/managers/location.ts';
import type { LocationTemplate, RepresentationTemplate } from '../../api/managers/locationTemplate.ts';
import { TemplateShelf } from './templateShelf.ts';
import { detailedGraph, TransferGraph, type TransferCapabilities } from './transfers.ts';

type RepresentationShelf = TemplateShelf<RepresentationTemplate>;
type LocationShelf = TemplateShelf<LocationTemplate>;

export class LocationStore {
  readonly #locations = new Map<string, Location>();
  readonly #capabilities: TransferCapabilities;
  readonly representationTemplates: RepresentationShelf = new TemplateShelf();
  readonly locationTemplates: LocationShelf = new TemplateShelf();
  #graph = new TransferGraph([]);

  constructor(capabilities: TransferCapabilities) {
    this.#capabilities = capabilities;
  }

  all(): Location[] {
    return [...this.#locations.values()];
  }

  byName(name: string): Location | undefined {
    return this.#locations.get(name);
  }

  byId(id: string): Location | undefined {
    return this.all().find((location) => location.location_id === id);
  }

  /** False where the name or the ID is taken. */
  add(location: Location): boolean {
    if (this.#locations.has(location.location_name) || this.byId(location.location_id) !== undefined) return false;
    this.#locations.set(location.location_name, location);
    return true;
  }

  /** In the place of the one with its name. */
  replace(location: Location): Location {
    this.#locations.set(location.location_name, location);
    return location;
  }

  delete(name: string): boolean {
    return this.#locations.delete(name);
  }

  /** The resource that lies at a location, by the location's name. */
  attach(name: string, resourceId: string | null): Location | undefined {
    const location = this.#locations.get(name);
    return location === undefined ? undefined : this.replace({ ...location, resource_id: resourceId });
  }

  /** Those that wait for their resource template. */
  unresolved(): Location[] {
    return this.all().filter((location) => location.resource_template_name && location.resource_id === null);
  }

  /** The transfers as they were at the last rebuild: the real manager doesn't look each time. */
  get graph(): TransferGraph {
    return this.#graph;
  }

  rebuildGraph(): void {
    this.#graph = new TransferGraph(detailedGraph(this.all(), this.#capabilities));
  }
}
