/** Premises of commands on resources and their templates, compared with the manager's current state. */
import type { Client } from '#api/client/client.ts';
import type { resourceApi } from '#api/managers/resource.ts';
import { ManagerError } from '#api/client/managerError.ts';
import {
  listChildren,
  type Resource,
  type ResourceTemplate,
  type ResourceVersion,
} from '#api/managers/resourceTypes.ts';
import { sameJson } from '#api/sameJson.ts';
import { evaluateDifferences, MissingObjectError, samePremise, type Premise } from '../commands/premise.ts';
import { formatAmount } from './amount.ts';
import type { ResourceIndex } from './resourceIndex.ts';
import { toResourceRow, toResourceRows, type ResourceRow } from './resourceRow.ts';
import { resourceTexts } from './texts.ts';
import { isSameUnit } from './units.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

const texts = resourceTexts.changed;

/** The part of a resource that a command depends on. */
export type Facet =
  | 'quantity'
  | 'capacity'
  | 'lock'
  /** Its container and its key there. */
  | 'place'
  /** All descendants. */
  | 'contents'
  /** The child that a pop removes. */
  | 'end'
  /** The child with this key. */
  | { readonly key: string }
  /** The place with this key must be empty, except for the resource with the ID; `place` is its displayed name. */
  | { readonly freeKey: string; readonly exceptId: string; readonly place: string }
  | { readonly attribute: string }
  | { readonly field: 'name' | 'cls' | 'description' };

/** A resource as it was shown for the confirmation. */
export interface ShownResource {
  readonly row: ResourceRow;
  readonly index: ResourceIndex;
}

type Reader = Pick<Client<typeof resourceApi>, 'getResource' | 'queryHistory'>;
type ReadOptions = Parameters<Premise<Resource>['read']>[0];

/** Returns the child that a pop removes: the last of a stack, the first of a queue or slot. */
export function findNextToPop<Child>(type: string, children: readonly Child[]): Child | undefined {
  return type === 'stack' ? children.at(-1) : children[0];
}

const formatValue = (value: unknown): string => (value === undefined ? texts.none : stringifyExactJson(value));

function describeDifference(field: string, previous: string, after: string): string[] {
  return previous === after ? [] : [texts.differs(field, previous, after)];
}

function contentDifferences(previousRows: readonly ResourceRow[], currentRows: readonly ResourceRow[]): string[] {
  const missingFrom = (rows: readonly ResourceRow[]) => {
    const ids = new Set(rows.map(({ id }) => id));
    return ({ id }: ResourceRow): boolean => !ids.has(id);
  };
  return [
    ...currentRows.filter(missingFrom(previousRows)).map(({ name }) => texts.added(name)),
    ...previousRows.filter(missingFrom(currentRows)).map(({ name }) => texts.gone(name)),
  ];
}

/** An amount without its unit could be wrong by a factor of 1,000; amounts that look equal are given with all digits. */
function describeAmounts(
  field: 'quantity' | 'capacity',
  { unit: shownUnit, [field]: shown }: ResourceRow,
  { unit: currentUnit, [field]: current }: ResourceRow,
): string[] {
  if (shown === current && (shown === null || isSameUnit(shownUnit, currentUnit))) return [];
  const format = (value: number | null, unit: string, formatNumber: typeof formatAmount): string =>
    value === null ? texts.none : formatNumber(value, unit);
  const [previous, after] = [format(shown, shownUnit, formatAmount), format(current, currentUnit, formatAmount)];
  return previous === after
    ? [texts.differs(texts[field], format(shown, shownUnit, exactAmount), format(current, currentUnit, exactAmount))]
    : [texts.differs(texts[field], previous, after)];
}
const exactAmount = (value: number, unit: string): string => `${value} ${unit}`.trim();

/** Returns the differences of a resource as sentences. */
export function resourceDifferences(
  { row, index }: ShownResource,
  resource: Resource,
  facets: readonly Facet[],
): string[] {
  const current = toResourceRow(resource);
  const descendants = toResourceRows([resource]).filter(({ id }) => id !== row.id);
  const children = current.children.flatMap((id) => descendants.find((descendant) => descendant.id === id) ?? []);
  const getName = (id: string | null): string =>
    id === null
      ? 'the top level'
      : (index.byId.get(id)?.name ?? descendants.find((descendant) => descendant.id === id)?.name ?? id);

  return facets.flatMap((facet) => {
    switch (facet) {
      case 'quantity':
      case 'capacity':
        return describeAmounts(facet, row, current);
      case 'lock':
        return describeDifference('Locked by', row.lockedBy ?? texts.none, current.lockedBy ?? texts.none);
      case 'place':
        if (row.parentId === current.parentId && (row.key === current.key || row.parentId === null)) return [];
        return describeDifference(
          'Place',
          texts.placeOf(getName(row.parentId), row.key),
          texts.placeOf(getName(current.parentId), current.key),
        );
      case 'contents':
        return contentDifferences(index.listDescendants(row), descendants);
      case 'end': {
        const previous = findNextToPop(row.type, index.getChildren(row));
        const after = findNextToPop(row.type, children);
        return previous?.id === after?.id ? [] : [texts.end(previous?.name ?? texts.none, after?.name ?? texts.none)];
      }
      default: {
        if ('attribute' in facet) {
          const [previous, after] = [row.attributes[facet.attribute], current.attributes[facet.attribute]];
          return sameJson(previous, after)
            ? []
            : [texts.differs(facet.attribute, formatValue(previous), formatValue(after))];
        }
        if ('freeKey' in facet) return [];
        if ('field' in facet)
          return describeDifference(texts.fields[facet.field], row[facet.field], current[facet.field]);
        const previous = index.getChildren(row).find(({ key }) => key === facet.key);
        const after = children.find(({ key }) => key === facet.key);
        return previous?.id === after?.id
          ? []
          : [texts.differs(texts.key(facet.key), previous?.name ?? texts.none, after?.name ?? texts.none)];
      }
    }
  });
}

/**
 * Reads a resource for a premise.
 * @throws MissingObjectError if it is no longer in the lab
 */
export async function readPresentResource(
  reader: Reader,
  { id, name }: Pick<ResourceRow, 'id' | 'name'>,
  options: Partial<ReadOptions> = {},
): Promise<Resource> {
  // The manager logs an error for a lookup of a removed resource, but not for its history. A manager whose history can't
  // be read still reports a removed resource.
  const [last] = await reader.queryHistory({ body: { resource_id: id, limit: 1 } }, options).catch(() => []);
  if (last?.change_type === 'Removed') throw new MissingObjectError(texts.missing(name));
  try {
    return await reader.getResource({ resource_id: id }, options);
  } catch (error) {
    if (error instanceof ManagerError && error.status === 404)
      throw new MissingObjectError(texts.missing(name), { cause: error });
    throw error;
  }
}

/** Returns why the place that a command needs is not free; `null` if it is. */
function findOccupied(resource: Resource, facets: readonly Facet[]): string | null {
  for (const facet of facets) {
    if (typeof facet === 'string' || !('freeKey' in facet)) continue;
    const occupant = listChildren(resource).find(
      ({ child }) => child.key === facet.freeKey && child.resource_id !== facet.exceptId,
    );
    if (occupant !== undefined) return texts.occupied(facet.place, occupant.child.resource_name);
  }
  return null;
}

/** @param parts each resource with the facets that the command depends on; the first one is the one that changes */
export function resourcePremise(
  client: () => Reader,
  ...parts: readonly (readonly [shown: ShownResource, facets: readonly Facet[]])[]
): Premise<readonly Resource[]> {
  return {
    read: async (options) => {
      const reader = client();
      return Promise.all(parts.map(([{ row }]) => readPresentResource(reader, row, options)));
    },
    evaluate: (resources) => {
      const current = parts.flatMap(([shownResource, facets], index) => {
        const resource = resources[index];
        return resource === undefined ? [] : [{ shownResource, facets, resource }];
      });
      const occupied = current
        .map(({ resource, facets }) => findOccupied(resource, facets))
        .find((text) => text !== null);
      if (occupied !== undefined) return { kind: 'refused', reason: occupied };
      return evaluateDifferences(
        current.flatMap(({ shownResource, resource, facets }) => resourceDifferences(shownResource, resource, facets)),
      );
    },
  };
}

/** The premise that a resource to restore, or to add under a known ID, doesn't exist in the lab yet. */
export function absencePremise(
  client: () => Pick<Client<typeof resourceApi>, 'queryHistory'>,
  id: string,
): Premise<readonly ResourceVersion[]> {
  return {
    // The manager logs an error for a lookup of a resource that doesn't exist, but not for its history.
    read: (options) => client().queryHistory({ body: { resource_id: id, limit: 1 } }, options),
    evaluate: ([last]) =>
      last === undefined || last.change_type === 'Removed'
        ? samePremise
        : { kind: 'refused', reason: 'It is in the lab again.' },
  };
}

type TemplateReader = Pick<Client<typeof resourceApi>, 'getTemplates'>;

const findTemplate = (all: readonly ResourceTemplate[], name: string): ResourceTemplate | undefined =>
  all.find((template) => template.template_name === name);

/**
 * The premise that the template exists unchanged. The whole list is read, because MADSci can't find a name with capitals
 * directly.
 */
export function templatePremise(
  client: () => TemplateReader,
  name: string,
  shownTemplate: ResourceTemplate | null,
): Premise<readonly ResourceTemplate[]> {
  return {
    read: (options) => client().getTemplates({}, options),
    evaluate: (all) => {
      const stored = findTemplate(all, name);
      if (stored === undefined) return { kind: 'refused', reason: texts.noTemplate(name) };
      const fields = [...new Set([...Object.keys(shownTemplate ?? {}), ...Object.keys(stored)])];
      // The timestamps change with every write, the other fields only with an edit.
      const differing = fields.filter(
        (field) => field !== 'updated_at' && shownTemplate !== null && !sameJson(shownTemplate[field], stored[field]),
      );
      return evaluateDifferences(differing.map((field) => texts.templateField(field)));
    },
  };
}

/** A new template would silently replace one of the same name. */
export function newTemplatePremise(client: () => TemplateReader, name: string): Premise<readonly ResourceTemplate[]> {
  return {
    read: (options) => client().getTemplates({}, options),
    evaluate: (all) =>
      findTemplate(all, name) === undefined ? samePremise : { kind: 'refused', reason: texts.templateExists(name) },
  };
}
