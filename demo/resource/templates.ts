/** Resource templates: creating resources from them, and serving them. */
import type { JsonObject } from '../../api/client/wire.ts';
import { isObject } from '../../api/client/wire.ts';
import { ErrorResponse } from '../base/handlers.ts';
import { newRow, readModel, type Model, type ModelParts } from './models.ts';
import type { Row } from './row.ts';
import type { ResourceTable } from './table.ts';
import { serve } from './view.ts';

export interface Template {
  readonly name: string;
  readonly metadata: TemplateMetadata;
  /** The resource that the template creates. */
  readonly defaults: JsonObject;
  /** The template as a resource row, for list responses. */
  readonly row: Row;
  readonly updatedAt: string;
}

interface TemplateMetadata {
  readonly description: string;
  readonly required_overrides: readonly string[];
  readonly tags: readonly string[];
  readonly created_by: string | null;
  readonly version: string;
}

export interface NewTemplate extends Partial<{
  [Field in keyof TemplateMetadata]: TemplateMetadata[Field] | null | undefined;
}> {
  readonly template_name: string;
  readonly resource: JsonObject;
}

const defaultMetadata: TemplateMetadata = {
  description: '',
  required_overrides: [],
  tags: [],
  created_by: null,
  version: '1.0.0',
};

/** Returns the changed metadata; null or missing values keep the old value. */
function mergeMetadata(
  metadata: TemplateMetadata,
  updates: Partial<Record<keyof TemplateMetadata, unknown>>,
): TemplateMetadata {
  const received = Object.keys(defaultMetadata).map((name) => [name, updates[name as keyof TemplateMetadata]] as const);
  return { ...metadata, ...Object.fromEntries(received.filter(([, value]) => value !== undefined && value !== null)) };
}

/** Returns whether a value exists at a dotted path. */
function hasPath(values: JsonObject, path: string): boolean {
  let value: unknown = values;
  for (const part of path.split('.')) value = isObject(value) ? value[part] : undefined;
  return value !== undefined;
}

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
    return this.#templates.get(name);
  }

  /** Creates the template; replaces one with the same name. */
  create({ template_name: name, resource, ...metadata }: NewTemplate): Template {
    return this.#store(name, mergeMetadata(defaultMetadata, metadata), resource);
  }

  /**
   * Updates the template's fields, and those of the resource that it creates.
   * @throws ErrorResponse 500 for an unknown template
   */
  update(name: string, updates: JsonObject): Template {
    const template = this.#templates.get(name);
    if (template === undefined) throw new ErrorResponse(500, 'No row was found when one was required');
    const resource = Object.entries(updates).filter(([key]) => !Object.hasOwn(defaultMetadata, key));
    return this.#store(name, mergeMetadata(template.metadata, updates), {
      ...template.defaults,
      ...Object.fromEntries(resource),
    });
  }

  delete(name: string): boolean {
    return this.#templates.delete(name);
  }

  /**
   * Returns the model of a new resource.
   * @throws ErrorResponse 400 if a required value is missing
   */
  createModel({ name, metadata, defaults }: Template, resourceName: string, overrides: JsonObject): Model {
    const values = { ...defaults, ...overrides, resource_name: resourceName, template_name: name };
    const missing = metadata.required_overrides.filter((field) => !hasPath(values, field));
    if (missing.length > 0) throw new ErrorResponse(400, `Missing required fields: ${missing.join(', ')}`);
    return readModel(values, this.#models);
  }

  /** Returns the template as an entry of the list: a resource with the template's fields. */
  toListEntry({ name, metadata, defaults, row }: Template): object {
    const resource = serve(row, { listChildren: () => [] });
    return { ...resource, template_name: name, ...metadata, default_values: defaults };
  }

  /** Returns the template alone: its fields, the default values, and when it was created and updated. */
  toInfo({ name, metadata, defaults, row, updatedAt }: Template): object {
    const times = { created_at: row.created_at, updated_at: updatedAt };
    return { template_name: name, ...metadata, default_values: defaults, ...times };
  }

  #store(name: string, metadata: TemplateMetadata, resource: JsonObject): Template {
    const model = readModel(resource, this.#models);
    const { resource_id: _id, ...columns } = model.columns;
    const children = resource['children'] === undefined ? {} : { children: resource['children'] };
    const now = this.#table.now();
    const template = { name, metadata, defaults: { ...columns, ...children }, row: newRow(model, now), updatedAt: now };
    this.#templates.set(name, template);
    return template;
  }
}
