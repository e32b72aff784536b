/** The resources of the lab: the table, its templates, and what the rest of the lab needs of them. */
import type { JsonObject } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import { pop, push, setChild, type SentChild } from './containers.ts';
import type { ChildKey } from './childKeys.ts';
import { OperationError } from './errors.ts';
import { readModel, type Model, type ModelParts } from './model.ts';
import { find, hierarchy } from './query.ts';
import type { Row } from './row.ts';
import { ResourceTable } from './table.ts';
import { Templates } from './templates.ts';
import { serve, type Served } from './view.ts';
import { add, newRow } from './writes.ts';

/** What the location manager, the workcell and the nodes need of the resource manager. */
export interface Resources {
  get(id: string): Served | undefined;
  /** Adds a resource of any type and answers its ID. */
  add(resource: JsonObject): string;
  /** The one that is there already, or a new one; undefined where the template isn't known or can't be filled. */
  fromTemplate(template: string, name: string, overrides: JsonObject): string | undefined;
  hierarchy(id: string): object | undefined;
  /** Moves the resource on top of a stack or into a slot; false where it can't be. */
  push(container: string, child: string): boolean;
  /** Takes the next resource out; undefined where there is none. */
  pop(container: string): string | undefined;
  setQuantity(id: string, quantity: number): void;
}

export class ResourceStore implements Resources {
  readonly table: ResourceTable;
  readonly templates: Templates;
  readonly models: ModelParts;
  readonly clock: DemoClock;

  constructor(clock: DemoClock, models: ModelParts) {
    this.clock = clock;
    this.models = models;
    this.table = new ResourceTable(clock, models.random);
    this.templates = new Templates(this.table, models);
  }

  view(row: Row): Served {
    return serve(row, this.table);
  }

  read(body: unknown, loc?: readonly string[]): Model {
    return readModel(body, this.models, loc);
  }

  get(id: string): Served | undefined {
    const row = this.table.get(id);
    return row === undefined ? undefined : this.view(row);
  }

  add(resource: JsonObject): string {
    return this.table.atomically(() => add(this.table, this.read(resource))).resource_id;
  }

  /** Throws where the template isn't known or something is missing. */
  createFromTemplate(name: string, resourceName: string, overrides: JsonObject, stored = true): Row {
    const template = this.templates.get(name);
    if (template === undefined) throw new OperationError(`Template '${name}' not found`);
    const { base_type: type, resource_class: kind } = template.row;
    const known = find(this.table, {
      resource_class: kind,
      base_type: type,
      ...overrides,
      resource_name: typeof overrides['resource_name'] === 'string' ? overrides['resource_name'] : resourceName,
    });
    const [only] = known;
    if (only !== undefined && known.length === 1) return only;
    const model = this.templates.make(template, resourceName, overrides);
    return stored ? this.table.atomically(() => add(this.table, model)) : newRow(model, this.table.now());
  }

  fromTemplate(template: string, name: string, overrides: JsonObject): string | undefined {
    try {
      return this.createFromTemplate(template, name, overrides).resource_id;
    } catch (error) {
      if (error instanceof OperationError) return undefined;
      throw error;
    }
  }

  hierarchy(id: string): object | undefined {
    return hierarchy(this.table, id);
  }

  push(container: string, child: SentChild): boolean {
    return this.#tried(() => push(this.table, container, child)) !== undefined;
  }

  pop(container: string): string | undefined {
    return this.#tried(() => pop(this.table, container))?.[0].resource_id;
  }

  setChild(container: string, key: ChildKey, child: SentChild): boolean {
    return this.#tried(() => setChild(this.table, container, key, child)) !== undefined;
  }

  setQuantity(id: string, quantity: number): void {
    const row = this.table.get(id);
    if (row !== undefined) this.table.put({ ...row, quantity });
  }

  #tried<T>(change: () => T): T | undefined {
    try {
      return this.table.atomically(change);
    } catch (error) {
      if (error instanceof OperationError) return undefined;
      throw error;
    }
  }
}
