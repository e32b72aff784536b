/** Creates the new resource of a line from its type or a template, within the manager's limits. */
import { toNumber } from '#api/exactJson.ts';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import type { AddTarget } from '../operations/addChild.ts';
import {
  isUsableTemplate,
  getSpecType,
  buildOverrides,
  createSpecBody,
  getValueAt,
  type ResourceSpec,
} from '../operations/resourceSpec.ts';
import { isContainer } from '#dashboard/managers/resource/resourceRow.ts';
import { deriveRowIds, createPlateParts, type Container } from './container.ts';
import type { FileLine } from './fileLine.ts';
import { isSameUnit } from '#dashboard/managers/resource/units.ts';
import { importTexts } from './texts.ts';

const texts = importTexts.problems;

export interface NewResource {
  readonly body: ResourceBody;
  readonly to: AddTarget;
}

type NewResourcePlan =
  | {
      readonly resource: NewResource;
      readonly type: string;
      /** Unit of the stored amount; `null` without an amount. */
      readonly unit: string | null;
      readonly container: Container | null;
    }
  | { readonly problem: string };

interface CreationContext {
  readonly templates: readonly ResourceTemplate[];
  readonly defaultType: string | null;
}

/** Maximum number of rows, columns or layers. The manager stores a table row per well, so larger plates take too long. */
const maxSize = 100;

export function createNewResource(
  line: FileLine,
  id: string,
  to: AddTarget,
  { templates, defaultType }: CreationContext,
): NewResourcePlan {
  const input = fieldValues(line);
  const spec = createSpec(line, input, templates, defaultType);
  if ('problem' in spec) return spec;
  const type = getSpecType(spec);
  const body = createSpecBody(spec, { id, name: line.name }) as ResourceBody & Record<string, unknown>;
  const ownUnit = getValueAt(body, 'attributes.unit');
  const unit = type.endsWith('consumable') ? line.unit : null;
  const problems = [...unitProblems(ownUnit, unit), ...bodyProblems(type, body)];
  if (problems.length > 0) return { problem: problems.join(' ') };
  const sizes = { rows: toSize(body['rows']), columns: toSize(body['columns']), layers: toSize(body['layers']) };
  // A template's plate may be filled already, so the manager creates its parts.
  const parts = 'type' in spec ? createPlateParts({ id, name: line.name, type }, sizes) : null;
  const container: Container | null = isContainer({ type })
    ? {
        id,
        name: line.name,
        type,
        rows: sizes.rows,
        columns: sizes.columns,
        capacity: toNumber(body.capacity),
        row: null,
        rowIds: (layer) =>
          'type' in spec && layer < Math.max(1, sizes.layers) ? deriveRowIds(id, type, sizes.rows, layer) : [],
      }
    : null;
  // MADSci 0.8.1 ignores the field `unit` of a resource, so the unit is an attribute.
  const unitAttribute = unit === null || ownUnit ? {} : { attributes: { ...body.attributes, unit } };
  const requestBody = { ...body, ...unitAttribute, ...(parts === null ? {} : { children: parts }) };
  return { resource: { body: requestBody as ResourceBody, to }, type, unit, container };
}
function unitProblems(attributeUnit: unknown, unit: string | null): readonly string[] {
  return unit !== null && attributeUnit && !isSameUnit(String(attributeUnit), unit)
    ? [texts.otherUnit(unit, String(attributeUnit))]
    : [];
}
const toSize = (value: unknown): number => toNumber(value) ?? 0;

function fieldValues(line: FileLine): Record<string, unknown> {
  const values = {
    resource_class: line.cls,
    resource_description: line.description,
    quantity: line.quantity,
    capacity: line.capacity,
    rows: line.rows,
    columns: line.columns,
    layers: line.layers,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function createSpec(
  line: FileLine,
  values: Record<string, unknown>,
  templates: readonly ResourceTemplate[],
  defaultType: string | null,
): ResourceSpec | { readonly problem: string } {
  const attributes = Object.keys(line.attributes).length === 0 ? {} : { attributes: line.attributes };
  // An exported line contains all values and an ID; its template is only its origin and may no longer exist.
  const isExported = line.id !== null && line.type !== null;
  const template = templates.find(
    (candidate) => isUsableTemplate(candidate) && candidate.template_name === line.template?.toLowerCase(),
  );
  if (template !== undefined && !isExported && (line.type === null || line.type === template.base_type)) {
    const defaults = template.default_values ?? {};
    const inheritedAttributes = getValueAt(defaults, 'attributes');
    const allAttributes = {
      ...(typeof inheritedAttributes === 'object' ? inheritedAttributes : {}),
      ...line.attributes,
    };
    const ownValues = { ...values, ...(Object.keys(allAttributes).length === 0 ? {} : { attributes: allAttributes }) };
    const completeValues = { ...defaults, ...buildOverrides(defaults, ownValues), resource_name: line.name };
    const missing = (template.required_overrides ?? []).filter(
      (path) => getValueAt(completeValues, path) === undefined,
    );
    return missing.length > 0 ? { problem: texts.templateNeeds(missing) } : { template, values: ownValues };
  }
  const type = line.type ?? (line.template === null ? defaultType : null);
  if (type === null)
    return {
      problem:
        line.template === null
          ? 'It has neither a type nor a template.'
          : `No template “${line.template}” that can be used.`,
    };
  const templateReference = line.template === null ? {} : { template_name: line.template };
  return { type, values: { ...values, ...attributes, ...templateReference } };
}

function bodyProblems(type: string, body: Record<string, unknown>): readonly string[] {
  const [quantity, capacity] = [toNumber(body['quantity']), toNumber(body['capacity'])];
  const isConsumableType = type.endsWith('consumable');
  const requiredSizes =
    type === 'row' ? ['columns'] : type === 'grid' ? ['rows', 'columns'] : ['rows', 'columns', 'layers'];
  const findings: readonly (readonly [isProblem: boolean, text: string])[] = [
    [/^(row|grid|voxel_grid)$/.test(type) && !requiredSizes.every((size) => isValidSize(body[size])), texts.sizes],
    [quantity !== null && !isConsumableType && body['template_name'] === undefined, texts.noQuantity(type)],
    [
      type === 'discrete_consumable' && [quantity, capacity].some((value) => value !== null && value % 1 !== 0),
      texts.whole,
    ],
    [isConsumableType && quantity !== null && capacity !== null && quantity > capacity, texts.overCapacity],
  ];
  return findings.flatMap(([isProblem, text]) => (isProblem ? [text] : []));
}
const isValidSize = (value: unknown): boolean => toSize(value) >= 1 && toSize(value) <= maxSize;
