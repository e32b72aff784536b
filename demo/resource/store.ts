/** The lab's resources: the table, the templates, and the operations that the rest of the lab uses. */
import type { JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import { ErrorResponse } from '../base/handlers.ts';
import { add, newRow, readModel, type Model, type ModelParts } from './models.ts';
import { pop, push } from './operations.ts';
import type { Row } from './row.ts';
import { ResourceTable } from './table.ts';
import { Templates } from './templates.ts';
import { serve, type ServedResource } from './view.ts';

const kinds = ['plate', 'tube', 'tip_rack', 'reservoir'] as const;

/** Returns the result; undefined if the operation is refused. */
function tryOrUndefined<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    if (error instanceof ErrorResponse) return undefined;
    throw error;
  }
}

export class ResourceStore {
  readonly table: ResourceTable;
  readonly templates: Templates;
  readonly clock: DemoClock;
  readonly #models: ModelParts;

  constructor(clock: DemoClock, models: ModelParts) {
    this.clock = clock;
    this.#models = models;
    this.table = new ResourceTable(clock);
    this.templates = new Templates(this.table, models);
  }

  view(row: Row): ServedResource {
    return serve(row, this.table);
  }

  read(body: unknown): Model {
    return readModel(body, this.#models);
  }

  get(id: string): ServedResource | undefined {
    const row = this.table.get(id);
    return row === undefined ? undefined : this.view(row);
  }

  findByName(name: string): Row | undefined {
    return [...this.table.all()].find((row) => row.resource_name === name);
  }

  /** Adds a resource of any type and returns its ID. */
  add(resource: JsonObject): string {
    return add(this.table, this.read(resource)).resource_id;
  }

  /** Returns the resource with this name and kind, or creates it; refused if the template or a value is missing. */
  createFromTemplate(name: string, resourceName: string, overrides: JsonObject, isStored = true): Row {
    const template = this.templates.get(name);
    if (template === undefined) throw new ErrorResponse(400, `Template '${name}' not found`);
    const model = this.templates.createModel(template, resourceName, overrides);
    const { resource_class: kind, base_type: type } = model.columns;
    const existing = this.findByName(resourceName);
    if (existing !== undefined && existing.resource_class === kind && existing.base_type === type) return existing;
    return isStored ? add(this.table, model) : newRow(model, this.table.now());
  }

  /** Creates a resource and returns its ID; undefined if the template is unknown or can't be filled. */
  fromTemplate(template: string, name: string, overrides: JsonObject): string | undefined {
    return tryOrUndefined(() => this.createFromTemplate(template, name, overrides).resource_id);
  }

  /** Moves the resource onto a stack or into a slot; returns false if that fails. */
  push(container: string, child: string): boolean {
    return tryOrUndefined(() => push(this.table, container, child)) !== undefined;
  }

  /** Removes and returns the next resource; undefined if there is none. */
  pop(container: string): string | undefined {
    return tryOrUndefined(() => pop(this.table, container))?.[0].resource_id;
  }

  /** Returns whether another client has a lock that hasn't expired. */
  isLockedFor(row: Row, client: string): boolean {
    const isLocked = row.locked_until !== null && Date.parse(`${row.locked_until}Z`) > this.clock.now();
    return isLocked && row.locked_by !== client;
  }

  /** Locks the resource, or renews the client's lock. Locks are advisory: no operation checks them. */
  lock(row: Row, seconds: number, client: string): Row {
    const until = new Date(this.clock.now() + seconds * 1000).toISOString().replace('Z', '000');
    return this.table.put({ ...row, locked_until: until, locked_by: client });
  }

  /**
   * Adds resources for tests of the dashboard with a large store room: three of four are loose assets, the others
   * reagents.
   */
  addMany(count: number): void {
    for (let index = 0; index < count; index++) {
      const resource_name = `stock_${String(index).padStart(5, '0')}`;
      if (index % 4 === 3) {
        const quantity = Math.round(this.#models.random.between(0, 100));
        const base_type = 'continuous_consumable';
        this.add({ base_type, resource_name, resource_class: 'reagent', quantity, capacity: 100 });
      } else {
        this.add({ base_type: 'asset', resource_name, resource_class: kinds[index % kinds.length] ?? 'plate' });
      }
    }
  }
}
