/** Reads the locations and templates that are sent: the manager's defaults, its order of keys, its rules for names. */
import { newLocation, type Location, type NewLocation } from '../../api/managers/location.ts';
import {
  locationTemplate,
  representationTemplate,
  type LocationTemplate,
  type RepresentationTemplate,
} from '../../api/managers/locationTemplate.ts';
import type { DemoClock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { isUlid, readBody, readOwnership, unprocessable } from '../base/reading.ts';

export interface LocationParts {
  readonly clock: DemoClock;
  readonly random: Random;
}

type Loc = readonly (string | number)[];

/** Letters, also those beyond ASCII, digits and three signs; an ID that is a ULID; representations that aren't null. */
function check(sent: NewLocation, loc: Loc): void {
  const { location_name: name, location_id: id } = sent;
  if (!/^[\p{L}\p{N}_.-]+$/u.test(name)) {
    const msg = `Value error, Location name '${name}' may only contain letters, digits, '_', '.' and '-'`;
    throw unprocessable([...loc, 'location_name'], msg);
  }
  if (id !== undefined && !isUlid(id)) {
    const msg = 'Value error, Encoded ULID has to be exactly 26 characters long.';
    throw unprocessable([...loc, 'location_id'], msg);
  }
}

/** The location as it would be stored; `name` is another word for `location_name`. */
export function readLocation(body: unknown, { random }: LocationParts, loc: Loc = ['body']): Location {
  const named =
    typeof body === 'object' && body !== null && 'name' in body && !('location_name' in body)
      ? { ...body, location_name: body.name }
      : body;
  const sent = readBody(newLocation, named);
  check(sent, loc);
  return {
    location_name: sent.location_name,
    location_id: sent.location_id ?? random.ulid(),
    resource_id: sent.resource_id ?? null,
    description: sent.description ?? null,
    representations: sent.representations ?? {},
    resource_template_name: sent.resource_template_name ?? null,
    resource_template_overrides: sent.resource_template_overrides ?? null,
    allow_transfers: sent.allow_transfers ?? true,
    reservation: sent.reservation ?? null,
    location_template_name: sent.location_template_name ?? null,
    node_bindings: sent.node_bindings ?? null,
    managed_by: sent.managed_by ?? 'lab',
    owner: sent.owner ? readOwnership(sent.owner, [...loc, 'owner']) : null,
  };
}

/** What a template has whatever its kind, around its own fields. */
function template<T extends RepresentationTemplate | LocationTemplate, Own>(sent: T, parts: LocationParts, own: Own) {
  return {
    template_id: sent.template_id ?? parts.random.ulid(),
    template_name: sent.template_name,
    description: sent.description ?? null,
    ...own,
    tags: sent.tags ?? [],
    created_by: sent.created_by ?? null,
    version: sent.version ?? '1.0.0',
    created_at: sent.created_at ?? parts.clock.zoned(),
    updated_at: sent.updated_at ?? null,
  };
}

/** `schema` is another word for `schema_def`. */
export function readRepresentationTemplate(body: unknown, parts: LocationParts): RepresentationTemplate {
  const sent = readBody(representationTemplate, body);
  const alias = sent['schema'];
  return template(sent, parts, {
    default_values: sent.default_values ?? {},
    schema_def: sent.schema_def ?? (typeof alias === 'object' && alias !== null ? { ...alias } : null),
    required_overrides: sent.required_overrides ?? [],
  });
}

export function readLocationTemplate(body: unknown, parts: LocationParts): LocationTemplate {
  const sent = readBody(locationTemplate, body);
  return template(sent, parts, {
    resource_template_name: sent.resource_template_name ?? null,
    resource_template_overrides: sent.resource_template_overrides ?? null,
    representation_templates: sent.representation_templates ?? {},
    default_allow_transfers: sent.default_allow_transfers ?? true,
  });
}
