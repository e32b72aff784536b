/** Premises of commands on locations and their templates, compared with the manager's current state. */
import type { Client } from '#api/client/client.ts';
import type { Location, locationApi } from '#api/managers/location.ts';
import { sameJson } from '#api/sameJson.ts';
import { evaluateDifferences, samePremise, type Premise } from '../commands/premise.ts';
import { sameValue } from '#api/sameJson.ts';
import type { ResourceIndex } from '../resource/resourceIndex.ts';
import { findDifferences } from './locationFields.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

/** Differences of a location from the state that was confirmed. */
const texts = {
  nothing: 'nothing',
  resource: (shown: string, now: string) => `Attached: ${shown} was shown; now ${now}.`,
};
export const missingLocation = 'The location manager no longer has this location.';

export type LocationClient = Client<typeof locationApi>;

/** The part of a location that a command depends on. */
type LocationFacet = 'resource' | 'all' | { readonly representation: string };

/** @param getResourceName returns the name of a resource by its ID */
export function locationPremise(
  client: () => Pick<LocationClient, 'findLocation'>,
  shownLocation: Location,
  facet: LocationFacet,
  getResourceName: (resource: string) => string = (id) => id,
): Premise<Location> {
  const contentText = (id: string | null | undefined): string =>
    id === null || id === undefined || id === '' ? texts.nothing : getResourceName(id);
  return {
    read: async (options) => client().findLocation({ location_id: shownLocation.location_id }, options),
    evaluate: (current) => {
      if (facet === 'resource') {
        const [previous, after] = [contentText(shownLocation.resource_id), contentText(current.resource_id)];
        return evaluateDifferences(previous === after ? [] : [texts.resource(previous, after)]);
      }
      if (facet === 'all') {
        const changes = findDifferences(shownLocation, { ...current, representations: current.representations ?? {} });
        return evaluateDifferences(
          changes.map(({ field }) => `Its ${field.replaceAll('_', ' ').replace('.', ' for ')} has changed.`),
        );
      }
      const node = facet.representation;
      const [previous, after] = [shownLocation.representations?.[node], current.representations?.[node]];
      return evaluateDifferences(
        sameValue(previous, after) ? [] : [`The representation for ${node} is ${stringifyExactJson(after)} now.`],
      );
    },
    missing: missingLocation,
  };
}

export interface AttachedResource {
  readonly id: string;
  readonly name: string;
  /** The container of the resource; `null` at the top level. */
  readonly parent: string | null;
}

export function toAttachedResource(id: string, { byId, findPath }: ResourceIndex): AttachedResource {
  const row = byId.get(id);
  return { id, name: row?.name ?? id, parent: row === undefined ? null : (findPath(row).at(-1)?.name ?? null) };
}

/** Returns another location that has the resource attached. */
export function findOtherLocation(
  all: readonly Location[] | null,
  resource: string,
  location: string | null,
): Location | null {
  return all?.find((candidate) => candidate.resource_id === resource && candidate.location_id !== location) ?? null;
}

/** Reads a resource; rejects with a MissingObjectError if it is no longer in the lab. */
export type ReadResource = (
  resource: AttachedResource,
  options: Parameters<Premise<unknown>['read']>[0],
) => Promise<unknown>;

/**
 * A resource can be at only one location, which MADSci doesn't enforce. Its location manager accepts any text as the ID of
 * a resource, also that of a removed one.
 * @param shownLocation the location as it was shown; only its name if it is being added
 */
export function attachPremise(
  client: () => Pick<LocationClient, 'getLocations'>,
  shownLocation: Location | { readonly location_name: string },
  resource: AttachedResource | null,
  readResource: ReadResource,
): Premise<readonly Location[]> {
  return {
    read: async (options) => {
      const resourceRead = resource === null ? null : readResource(resource, options);
      const [all] = await Promise.all([client().getLocations({}, options), resourceRead]);
      return all;
    },
    evaluate: (all) => {
      const id = 'location_id' in shownLocation ? shownLocation.location_id : null;
      const stored = all.find((candidate) =>
        id === null ? candidate.location_name === shownLocation.location_name : candidate.location_id === id,
      );
      if (id === null && stored !== undefined)
        return { kind: 'refused', reason: `A location “${shownLocation.location_name}” already exists.` };
      if (id !== null && stored === undefined) return { kind: 'refused', reason: missingLocation };
      const attached = stored?.resource_id ?? '';
      if (attached !== '' && attached !== resource?.id)
        return { kind: 'refused', reason: texts.resource(texts.nothing, attached) };
      if (resource === null) return samePremise;
      const otherLocation = findOtherLocation(all, resource.id, id);
      if (otherLocation !== null)
        return {
          kind: 'changed',
          title: `“${resource.name}” is at “${otherLocation.location_name}”. Move it?`,
          differences: [
            `“${resource.name}” is detached from “${otherLocation.location_name}” first: it can be at only one location.`,
          ],
          action: 'Move it here',
        };
      if (resource.parent === null) return samePremise;
      return {
        kind: 'changed',
        title: `“${resource.name}” is in a container. Attach it?`,
        differences: [
          `“${resource.name}” is in “${resource.parent}”, and stays in it: attaching it does not take it out.`,
        ],
        action: 'Attach it',
      };
    },
  };
}

interface NamedTemplate {
  readonly template_name: string;
}

/** @param shownTemplate the template that is replaced or deleted; `null` if a new one is added */
export function locationTemplatePremise<Template extends NamedTemplate>(
  read: Premise<readonly Template[]>['read'],
  name: string,
  shownTemplate: Template | null,
): Premise<readonly Template[]> {
  return {
    read,
    evaluate: (all) => {
      const stored = all.find(({ template_name }) => template_name === name);
      if (shownTemplate === null)
        return stored === undefined ? samePremise : { kind: 'refused', reason: `A template “${name}” already exists.` };
      if (stored === undefined) return { kind: 'refused', reason: `The template “${name}” no longer exists.` };
      return evaluateDifferences(sameJson(shownTemplate, stored) ? [] : [`The template “${name}” has changed.`]);
    },
  };
}
