/**
 * Templates. Look-ups turn the name into lower case and the creation doesn't: one with capitals is listed, but can
 * never be read, changed or deleted.
 */
import type { JsonObject } from '../../api/client/wire.ts';
import { OperationError } from './errors.ts';
import { readModel, type Model, type ModelParts } from './model.ts';
import { isContainer, type Row } from './row.ts';
import type { ResourceTable } from './table.ts';
import { serve } from './view.ts';
import { newRow } from './writes.ts';

export interface Template {
  readonly name: string;
  readonly row: Row;
  readonly description: string;
  readonly required: readonly string[];
  readonly tags: readonly string[];
  readonly createdBy: string | null;
  readonly version: string;
  /** The resource that it makes, children with their IDs included: made twice, the second takes those of the first. */
  readonly defaults: JsonObject;
  readonly updatedAt: string;
}

export interface NewTemplate {
  readonly name: string;
  readonly resource: unknown;
  readonly description?: string | null | undefined;
  readonly required?: readonly string[] | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly createdBy?: string | null | undefined;
  readonly version?: string | null | undefined;
}

/** The model's own fields as JSON, children by position or key. */
function dump(model: Model, isChild: boolean): JsonObject {
  const { resource_id: id, ...columns } = model.columns;
  const children = model.children?.map(([key, child]) => [
    key,
    dump({ ...child, columns: { ...child.columns } }, true),
  ]);
  const form = isContainer(columns.base_type) ? { children: Object.fromEntries(children ?? []) as JsonObject } : {};
  const values: JsonObject = { ...columns, ...form, ...(isChild ? { resource_id: id } : {}) };
  if (!/^(container|collection|pool)$/.test(columns.base_type) && children !== undefined) {
    const places: unknown[] = [];
    for (const [key, child] of children) places[Number(key)] = child;
    values['children'] = Array.from(places, (child) => child ?? null);
  }
  return values;
}

/** What stands at a name with dots. */
function has(values: unknown, path: string): boolean {
  let found: unknown = values;
  for (const part of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return false;
    found = (found as JsonObject)[part];
  }
  return true;
}

/** The fields whose change in the template changes what it makes. */
const resourceFields = /^(resource_name|base_type|resource_class|capacity|rows|columns|layers|quantity|attributes)$/;

export class Templates {
  readonly #table: ResourceTable;
  readonly #models: ModelParts;
  readonly #templates = new Map<string, Template>();

  constructor(table: ResourceTable, models: ModelParts) {
    this.#table = table;
    this.#models = models;
  }

  all(): Template[] {
    return [...this.#templates.values()];
  }

  get(name: string): Template | undefined {
    return this.#templates.get(name.toLowerCase());
  }

  /** The same name replaces. */
  create(wanted: NewTemplate): Template {
    const model = readModel(wanted.resource, this.#models, ['body', 'resource']);
    const now = this.#table.now();
    const template: Template = {
      name: wanted.name,
      row: { ...newRow(model, now), template_name: wanted.name },
      description: wanted.description ?? '',
      required: wanted.required ?? [],
      tags: wanted.tags ?? [],
      createdBy: wanted.createdBy ?? null,
      version: wanted.version ?? '1.0.0',
      defaults: dump(model, false),
      updatedAt: now,
    };
    this.#templates.delete(wanted.name);
    this.#templates.set(wanted.name, template);
    return template;
  }

  /** Changes the fields that exist, the template's and the resource's; others are ignored. */
  update(name: string, updates: JsonObject): Template {
    const before = this.get(name);
    if (before === undefined) throw new OperationError('No row was found when one was required');
    const own = Object.fromEntries(Object.entries(updates).filter(([key]) => Object.hasOwn(before.row, key)));
    const made = Object.fromEntries(Object.entries(updates).filter(([key]) => resourceFields.test(key)));
    const { description, required_overrides: required, tags, created_by: createdBy, version } = updates;
    const template = {
      ...before,
      row: { ...before.row, ...own },
      ...(typeof description === 'string' ? { description } : {}),
      ...(Array.isArray(required) ? { required: required.map(String) } : {}),
      ...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
      ...(typeof createdBy === 'string' ? { createdBy } : {}),
      ...(typeof version === 'string' ? { version } : {}),
      defaults: { ...before.defaults, ...made },
      updatedAt: this.#table.now(),
    };
    this.#templates.set(before.name, template);
    return template;
  }

  delete(name: string): boolean {
    return this.#templates.delete(name.toLowerCase());
  }

  /** Those of a type, a creator, and with any of the tags. */
  query(wanted: {
    readonly base_type?: string | null | undefined;
    readonly tags?: readonly string[] | null | undefined;
    readonly created_by?: string | null | undefined;
  }): Template[] {
    const { base_type: type, tags, created_by: by } = wanted;
    return this.all().filter(
      (template) =>
        (!type || template.row.base_type === type) &&
        (!by || template.createdBy === by) &&
        (!tags || tags.length === 0 || tags.some((tag) => template.tags.includes(tag))),
    );
  }

  /** The model of a new resource; what is missing is refused with a reason. */
  make(template: Template, name: string, overrides: JsonObject): Model {
    const values: JsonObject = {
      ...template.defaults,
      ...overrides,
      resource_name: name,
      template_name: template.name.toLowerCase(),
      base_type: template.row.base_type,
    };
    delete values['resource_id'];
    const missing = template.required.filter((field) => !has(values, field));
    if (missing.length > 0) {
      throw new OperationError(`Missing required fields: [${missing.map((field) => `'${field}'`).join(', ')}]`);
    }
    return readModel(values, this.#models);
  }

  /** As the lists serve it: a resource with the template's fields. */
  view(template: Template): object {
    const bare = { childrenOf: () => [], newId: () => this.#table.newId() };
    return {
      ...serve(template.row, bare),
      template_name: template.name,
      description: template.description,
      default_values: template.defaults,
      required_overrides: template.required,
      tags: template.tags,
      created_by: template.createdBy,
      version: template.version,
    };
  }

  info(template: Template): object {
    return {
      template_name: template.name,
      description: template.description,
      required_overrides: template.required,
      tags: template.tags,
      created_by: template.createdBy,
      version: template.version,
      default_values: template.defaults,
      created_at: template.row.created_at,
      updated_at: template.updatedAt,
    };
  }
}
