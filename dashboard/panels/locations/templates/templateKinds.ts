/** The two kinds of templates: form fields, commands and dependents. */
import type { Location } from '#api/managers/location.ts';
import type { LocationTemplate, RepresentationTemplate } from '#api/managers/locationTemplate.ts';
import { nameShape, textShape, type Shape } from '#dashboard/components/form/declared/shape.ts';
import { valueField, type FormField } from '#dashboard/components/form/field.ts';
import {
  resultFromConfirmation,
  resultFromMessage,
  type CommandResult,
} from '#dashboard/managers/commands/commandResult.ts';
import type { Premise } from '#dashboard/managers/commands/premise.ts';
import { sameValue } from '#api/sameJson.ts';
import { locationTemplatePremise, type LocationClient } from '#dashboard/managers/location/locationPremise.ts';
import { locationsTexts, templatesTexts } from '../texts.ts';

export type TemplateKind = 'location' | 'representation';
export type Template = LocationTemplate | RepresentationTemplate;

type FieldName = keyof typeof templatesTexts.fields;
const objectShape: Shape = { kind: 'json', expects: 'object' };
const nameListShape: Shape = { kind: 'list', item: nameShape };

function templateField(name: FieldName, shape: Shape, overrides: Partial<FormField> = {}): FormField {
  const { fields: titles, fieldHints } = templatesTexts;
  return valueField(name, shape, { title: titles[name], description: fieldHints[name] ?? '', ...overrides });
}

/** @param isNew false for a new version of a stored template, which keeps its name */
export function createTemplateFields(kind: TemplateKind, isNew: boolean): readonly FormField[] {
  const fields =
    kind === 'location'
      ? [
          templateField('resource_template_name', textShape),
          templateField('resource_template_overrides', objectShape),
          templateField('default_allow_transfers', { kind: 'boolean' }, { default: true }),
        ]
      : [
          templateField('default_values', objectShape),
          templateField('required_overrides', nameListShape),
          templateField('schema_def', objectShape),
        ];
  return [
    ...(isNew ? [templateField('template_name', nameShape, { required: true })] : []),
    templateField('version', nameShape, isNew ? { default: '1.0.0' } : { required: true }),
    templateField('description', textShape),
    ...fields,
    templateField('tags', nameListShape),
  ];
}

/** @param initialTemplate the template to replace or delete, as the user saw it; `null` for a new one */
function templatePremise(
  client: () => LocationClient,
  kind: TemplateKind,
  name: string,
  initialTemplate: Template | null,
): Premise<readonly Template[]> {
  return locationTemplatePremise<Template>(
    async (options) =>
      kind === 'location'
        ? client().getLocationTemplates({}, options)
        : client().getRepresentationTemplates({}, options),
    name,
    initialTemplate,
  );
}

/** @param initialTemplate the template that another version replaces; `null` for a new template */
export function createSaveTemplateCommand(
  client: () => LocationClient,
  kind: TemplateKind,
  values: Readonly<Record<string, unknown>>,
  initialTemplate: Template | null,
  unknownTemplates: readonly string[] = [],
) {
  const name = initialTemplate?.template_name ?? String(values['template_name']);
  const body = { ...values, template_name: name };
  const locationTemplate = body as LocationTemplate;
  const representationTemplate = body as RepresentationTemplate;
  return {
    premise: templatePremise(client, kind, name, initialTemplate),
    run: (locationClient: LocationClient): Promise<Template> => {
      if (initialTemplate === null)
        return kind === 'location'
          ? locationClient.addLocationTemplate({ body: locationTemplate })
          : locationClient.addRepresentationTemplate({ body: representationTemplate });
      return kind === 'location'
        ? locationClient.initLocationTemplate({ body: locationTemplate })
        : locationClient.initRepresentationTemplate({ body: representationTemplate });
    },
    interpretResponse: (storedTemplate: Template): CommandResult => {
      const differing = Object.entries(body).filter(([key, value]) => !sameValue(storedTemplate[key], value));
      const fields = differing.map(([key]) => templatesTexts.fields[key as FieldName]);
      return resultFromConfirmation(
        fields.length === 0,
        unknownTemplates.length === 0
          ? templatesTexts.saved
          : `${templatesTexts.saved} ${templatesTexts.unknownTemplates(unknownTemplates)}`,
        templatesTexts.unexpectedResponse(fields),
      );
    },
  };
}

export function createDeleteTemplateCommand(
  client: () => LocationClient,
  kind: TemplateKind,
  initialTemplate: Template,
) {
  const nameParameter = { template_name: initialTemplate.template_name };
  return {
    premise: templatePremise(client, kind, initialTemplate.template_name, initialTemplate),
    run: (locationClient: LocationClient) =>
      kind === 'location'
        ? locationClient.deleteLocationTemplate(nameParameter)
        : locationClient.deleteRepresentationTemplate(nameParameter),
    interpretResponse: (response: { readonly message: string }) =>
      resultFromMessage(locationsTexts.page.manager, response),
  };
}

/** Returns the names that no representation template has; none while the templates are unknown. */
export function findUnknownTemplates(
  names: readonly string[],
  templates: readonly RepresentationTemplate[] | undefined,
): readonly string[] {
  if (templates === undefined) return [];
  const known = new Set(templates.map(({ template_name: name }) => name));
  return [...new Set(names)].filter((name) => name !== '' && !known.has(name));
}

/** A role of a location template as it is entered. */
export interface RoleLine {
  readonly role: string;
  readonly template: string;
}

/** Returns the roles of a location template, or the problem of the lines that were entered. */
export function readRoles(
  lines: readonly RoleLine[],
): { readonly roles: Readonly<Record<string, string>> } | { readonly problem: string } {
  const entries = lines
    .map(({ role, template }) => [role.trim(), template.trim()] as const)
    .filter(([role, template]) => role !== '' || template !== '');
  if (entries.some(([role, template]) => role === '' || template === ''))
    return { problem: 'Each role needs a name and a representation template.' };
  const duplicate = entries.find(([role], index) => entries.findIndex(([other]) => other === role) !== index);
  if (duplicate !== undefined) return { problem: `The role “${duplicate[0]}” occurs twice.` };
  return { roles: Object.fromEntries(entries) };
}

/** Returns a problem beyond the validation of each field; `null` if there is none. */
export function findBodyProblem(
  values: Readonly<Record<string, unknown>>,
  storedTemplate: Template | null,
): string | null {
  return storedTemplate !== null && values['version'] === storedTemplate.version
    ? 'Another version is needed: with the same one the stored template stays as it is.'
    : null;
}

/** Returns the names of the locations with a location template, or of the templates with a representation template. */
export function findDependents(
  kind: TemplateKind,
  name: string,
  {
    locations,
    templates,
  }: { readonly locations: readonly Location[]; readonly templates: readonly LocationTemplate[] },
): readonly string[] {
  return kind === 'location'
    ? locations.filter((location) => location.location_template_name === name).map((location) => location.location_name)
    : templates
        .filter((template) => Object.values(template.representation_templates ?? {}).includes(name))
        .map((template) => template.template_name);
}
