/** The endpoints of both kinds of templates. */
import type { locationApi } from '../../api/managers/location.ts';
import type { locationTemplateEndpoints } from '../../api/managers/locationTemplate.ts';
import { Refusal, type DemoRequest } from '../base/handling.ts';
import type { ManagerHandlers } from '../base/parts.ts';
import { readLocationTemplate, readRepresentationTemplate, type LocationParts } from './reading.ts';
import type { LocationStore } from './store.ts';
import type { ShelvedTemplate, TemplateShelf } from './templateShelf.ts';

type TemplateHandlers = Pick<ManagerHandlers<typeof locationApi>, keyof typeof locationTemplateEndpoints>;

function shelfHandlers<T extends ShelvedTemplate>(
  kind: string,
  shelf: TemplateShelf<T>,
  parts: LocationParts,
  read: (body: unknown, parts: LocationParts) => T,
) {
  const nameOf = ({ params }: DemoRequest) => params['template_name'] ?? '';
  const notFound = (name: string) => new Refusal(404, `${kind} template '${name}' not found`);
  return {
    all: () => shelf.all(),
    get(request: DemoRequest) {
      const template = shelf.get(nameOf(request));
      if (template === undefined) throw notFound(nameOf(request));
      return template;
    },
    add({ body }: DemoRequest) {
      const template = read(body, parts);
      if (shelf.add(template)) return template;
      throw new Refusal(409, `${kind} template '${template.template_name}' already exists`);
    },
    init: ({ body }: DemoRequest) => shelf.ensure(read(body, parts), parts.clock.zoned()),
    delete(request: DemoRequest) {
      const name = nameOf(request);
      if (!shelf.delete(name)) throw notFound(name);
      return { message: `${kind} template '${name}' deleted successfully` };
    },
  };
}

export function templateHandlers(store: LocationStore, parts: LocationParts): TemplateHandlers {
  const representation = shelfHandlers(
    'Representation',
    store.representationTemplates,
    parts,
    readRepresentationTemplate,
  );
  const location = shelfHandlers('Location', store.locationTemplates, parts, readLocationTemplate);
  return {
    getRepresentationTemplates: representation.all,
    getRepresentationTemplate: representation.get,
    addRepresentationTemplate: representation.add,
    initRepresentationTemplate: representation.init,
    deleteRepresentationTemplate: representation.delete,
    getLocationTemplates: location.all,
    getLocationTemplate: location.get,
    addLocationTemplate: location.add,
    initLocationTemplate: location.init,
    deleteLocationTemplate: location.delete,
  };
}
