/** The endpoints of the resource manager's templates. */
import { resourceApi } from '../../api/managers/resource.ts';
import { resourceTemplateEndpoints } from '../../api/managers/resourceTemplate.ts';
import { Refusal, type DemoRequest } from '../base/handling.ts';
import type { ManagerHandlers } from '../base/parts.ts';
import { readBody } from '../base/reading.ts';
import { refusing } from './errors.ts';
import type { ResourceStore } from './store.ts';
import type { Template } from './templates.ts';

type TemplateHandlers = Pick<ManagerHandlers<typeof resourceApi>, keyof typeof resourceTemplateEndpoints>;

const nameOf = ({ params }: DemoRequest) => params['template_name'] ?? '';

export function templateHandlers(store: ResourceStore): TemplateHandlers {
  const { templates } = store;
  const endpoints = resourceTemplateEndpoints;
  const view = (template: Template) => templates.view(template);
  const notFound = (name: string) => new Refusal(404, `Template '${name}' not found`);

  function known(request: DemoRequest): Template {
    const template = templates.get(nameOf(request));
    if (template === undefined) throw notFound(nameOf(request));
    return template;
  }

  return {
    createTemplate({ body }) {
      const sent = readBody(endpoints.createTemplate.body.schema, body);
      return view(
        refusing(() =>
          templates.create({
            name: sent.template_name,
            resource: sent.resource,
            description: sent.description,
            required: sent.required_overrides,
            tags: sent.tags,
            createdBy: sent.created_by,
            version: sent.version,
          }),
        ),
      );
    },
    queryTemplates: ({ body }) => templates.query(readBody(endpoints.queryTemplates.body.schema, body)).map(view),
    getTemplates: () => templates.all().map(view),
    getTemplateCategories() {
      const categories: Record<string, string[]> = {};
      for (const { row } of templates.all()) (categories[row.base_type] ??= []).push(row.resource_name);
      return categories;
    },
    getTemplate: (request) => view(known(request)),
    getTemplateInfo: (request) => templates.info(known(request)),
    updateTemplate(request) {
      const { updates } = readBody(endpoints.updateTemplate.body.schema, request.body);
      return view(refusing(() => templates.update(nameOf(request), updates)));
    },
    deleteTemplate(request) {
      const name = nameOf(request);
      if (!templates.delete(name)) throw notFound(name);
      return { message: `Template '${name}' deleted successfully` };
    },
    createFromTemplate: (request) => createdFromTemplate(store, request),
  };
}

function createdFromTemplate(store: ResourceStore, request: DemoRequest) {
  const sent = readBody(resourceTemplateEndpoints.createFromTemplate.body.schema, request.body);
  const { resource_name: name, overrides, add_to_database: stored } = sent;
  try {
    const row = refusing(() => store.createFromTemplate(nameOf(request), name, overrides ?? {}, stored ?? true), 400);
    return store.view(row);
  } catch (error) {
    // A model that refuses is a ValueError to the real manager, which it answers as any other: 400 with a text.
    if (error instanceof Refusal && error.status === 422) throw new Refusal(400, error.message);
    throw error;
  }
}
