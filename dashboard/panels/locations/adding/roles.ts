/** What a location template asks for: a node for each role, and the values that its representation needs. Pure. */
import { isObject, type JsonObject } from '../../../../api/client/wire.ts';
import type { LocationTemplate, RepresentationTemplate } from '../../../../api/managers/locationTemplate.ts';
import { valueField, type FormField } from '../../../components/form/field.ts';
import { shapeOfSchema } from '../../../components/form/declared/jsonSchema.ts';
import { anything, typed } from '../../../components/form/declared/shape.ts';

interface Role {
  readonly role: string;
  /** The name of its representation template. */
  readonly template: string;
  /** `null` where the location manager has no such template yet. */
  readonly known: RepresentationTemplate | null;
  readonly fields: readonly FormField[];
}

/** The type of a value by the template's JSON Schema, which the manager keeps but doesn't hold anybody to. */
function typeOf(schema: JsonObject | null | undefined, name: string) {
  const properties = schema?.['properties'];
  const own = isObject(properties) ? properties[name] : undefined;
  return isObject(own) ? shapeOfSchema(own, schema ?? own) : typed(anything);
}

function descriptionOf(schema: JsonObject | null | undefined, name: string): string {
  const properties = schema?.['properties'];
  const own = isObject(properties) ? properties[name] : undefined;
  return isObject(own) && typeof own['description'] === 'string' ? own['description'] : '';
}

/** The fields of a representation: what must be given first, then what has a default. */
function valueFields({
  default_values: defaults,
  required_overrides: required,
  schema_def: schema,
}: Pick<RepresentationTemplate, 'default_values' | 'required_overrides' | 'schema_def'>): readonly FormField[] {
  const names = [...new Set([...(required ?? []), ...Object.keys(defaults ?? {})])];
  return names.map((name): FormField => {
    const { shape, nullable, unit } = typeOf(schema, name);
    const isRequired = (required ?? []).includes(name);
    return valueField(name, shape, {
      description: descriptionOf(schema, name),
      nullable,
      unit,
      required: isRequired,
      default: isRequired ? null : (defaults?.[name] ?? null),
    });
  });
}

export function rolesOf(template: LocationTemplate, known: readonly RepresentationTemplate[]): readonly Role[] {
  return Object.entries(template.representation_templates ?? {}).map(([role, name]) => {
    const found = known.find((one) => one.template_name === name) ?? null;
    return { role, template: name, known: found, fields: found === null ? [] : valueFields(found) };
  });
}

/** The node that was chosen for two roles; `null` where there is none. */
export function boundTwice(bindings: Readonly<Record<string, string>>): string | null {
  const nodes = Object.values(bindings);
  return nodes.find((node, index) => node !== '' && nodes.indexOf(node) !== index) ?? null;
}
