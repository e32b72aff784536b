/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { dataApi } from './managers/data.ts';
import { pathParameters, type Api, type Endpoint } from './client/endpoint.ts';
import { eventApi } from './managers/event.ts';
import { experimentApi } from './managers/experiment.ts';
import { locationApi } from './managers/location.ts';
import { nodeApi } from './managers/node.ts';
import { resourceApi } from './managers/resource.ts';
import { workcellApi } from './managers/workcell.ts';

const form = z.object({
  any: z.optional(z.boolean()),
  base_type: z.optional(z.string()),
  list: z.optional(z.boolean()),
  required: z.optional(z.array(z.string())),
  properties: z.optional(z.array(z.string())),
});
const operation = z.strictObject({
  path: z.optional(z.array(z.string())),
  query: z.optional(z.object({ required: z.array(z.string()), optional: z.array(z.string()) })),
  body: z.optional(z.object({ type: z.string(), required: z.boolean(), forms: z.array(form) })),
});
const spec = z.object({ madsci: z.literal('0.8.1'), endpoints: z.record(z.string(), operation) });
type Operation = z.infer<typeof operation>;

const files = import.meta.glob<unknown>('./specs/*.json', { eager: true, import: 'default' });
const apis: readonly Api[] = [eventApi, experimentApi, resourceApi, dataApi, workcellApi, locationApi, nodeApi];

/** A node's paths contain the names of its actions and file arguments; the table has one path with parameters instead. */
function generalizeRoute(route: string): string {
  return route
    .replace(/\/action\/test_\w+/, '/action/{action_name}')
    .replace(/\/upload\/\w+$/, '/upload/{file_argument}');
}

function readSpec(server: string): Map<string, Operation> {
  const { endpoints } = spec.parse(files[`./specs/${server}.json`]);
  const all = new Map<string, Operation>();
  for (const [route, operations] of Object.entries(endpoints)) {
    const previous = all.get(generalizeRoute(route));
    const forms = [...(previous?.body?.forms ?? []), ...(operations.body?.forms ?? [])];
    all.set(
      generalizeRoute(route),
      operations.body === undefined ? operations : { ...operations, body: { ...operations.body, forms } },
    );
  }
  return all;
}

const formatRoute = ({ method, path }: Endpoint) => `${method} ${path}`;
const rows = apis.flatMap((api) =>
  Object.entries(api.endpoints).map(([name, endpoint]) => ({ server: api.server, name, endpoint })),
);

/** The fields of an object schema: all, and the required ones. */
function listFields(schema: z.ZodMiniType): { all: string[]; required: string[] } {
  const { shape } = schema as z.ZodMiniObject;
  const all = Object.keys(shape).toSorted();
  return { all, required: all.filter((key) => !z.safeParse(shape[key]!, undefined).success) };
}

/** The bodies of a schema: one, or one per type. */
function listBodies(schema: z.ZodMiniType): { type: string | null; all: string[]; required: string[] }[] {
  const { def } = schema as unknown as { def: { type: string; options?: z.ZodMiniType[]; element?: z.ZodMiniType } };
  if (def.type === 'array' && def.element) return listBodies(def.element);
  if (def.type === 'union') return (def.options ?? []).flatMap(listBodies);
  if (def.type !== 'object') return [];
  const { base_type } = (schema as z.ZodMiniObject).shape;
  const literal = base_type as unknown as { def?: { values?: unknown[] } } | undefined;
  const [type] = literal?.def?.values ?? [];
  return [{ type: typeof type === 'string' ? type : null, ...listFields(schema) }];
}

/** Fields that the manager accepts although its OpenAPI file does not declare them: aliases and extra fields. */
const undeclared: Readonly<Record<string, readonly string[]>> = {
  'event addEvent': ['event_id'],
};

describe('the endpoint tables compared with MADSci’s own description', () => {
  it.each(rows)('$server $name exists', ({ server, endpoint }) => {
    expect([...readSpec(server).keys()]).toContain(formatRoute(endpoint));
  });

  it.each(rows)('$server $name sends only described parameters, and all required ones', ({ server, endpoint }) => {
    const endpointInSpec = readSpec(server).get(formatRoute(endpoint));
    if (server !== 'node') expect(pathParameters(endpoint.path)).toEqual(endpointInSpec?.path ?? []);
    const query = endpoint.query === undefined ? { all: [], required: [] } : listFields(endpoint.query);
    const known = [...(endpointInSpec?.query?.required ?? []), ...(endpointInSpec?.query?.optional ?? [])];
    expect(known).toEqual(expect.arrayContaining(query.all));
    expect(query.required).toEqual(endpointInSpec?.query?.required ?? []);
  });

  it.each(rows)('$server $name sends only described fields, and all required ones', ({ server, name, endpoint }) => {
    const bodyInSpec = readSpec(server).get(formatRoute(endpoint))?.body;
    if (bodyInSpec === undefined) {
      expect(endpoint.body).toBeUndefined();
      return;
    }
    expect(endpoint.body?.type).toBe(bodyInSpec.type === 'application/json' ? 'json' : 'multipart');
    const body = endpoint.body!;
    if (body.type === 'json') expect(body.optional ?? false).toBe(!bodyInSpec.required);
    // The specification states no fields.
    if (bodyInSpec.forms.every(({ any }) => any)) return;
    const parts = body.type === 'multipart' ? [body.files.part] : [];
    for (const ourForm of listBodies(body.type === 'json' ? body.schema : body.fields)) {
      const matchingForms = bodyInSpec.forms.filter(
        (variant) => !variant.any && (!ourForm.type || !variant.base_type || variant.base_type === ourForm.type),
      );
      expect(matchingForms).not.toEqual([]);
      const known = new Set([
        ...matchingForms.flatMap((variant) => variant.properties ?? []),
        ...(undeclared[`${server} ${name}`] ?? []),
      ]);
      expect([...ourForm.all, ...parts].filter((key) => !known.has(key))).toEqual([]);
      // Our schema requires the fields that all variants require; a schema of one type requires that type's fields.
      const needed = (matchingForms[0]?.required ?? []).filter((key) =>
        matchingForms.every((variant) => variant.required?.includes(key)),
      );
      expect([...ourForm.required, ...parts]).toEqual(expect.arrayContaining(needed));
    }
  });
});

/** Query parameters that our tables omit, with the reason. */
const omittedParameters: Readonly<Record<string, string>> = {
  csv_format: 'the page creates its own CSV files',
  save_to_file: 'writes on the manager’s host',
  output_path: 'writes on the manager’s host',
};

describe('the endpoints that MADSci serves', () => {
  it.each(apis)('are all in the table of $server', ({ server, endpoints }) => {
    const coveredRoutes = new Set(Object.values(endpoints).map(formatRoute));
    const missing = [...readSpec(server).keys()].filter((route) => !coveredRoutes.has(route));
    expect(missing).toEqual([]);
  });

  it.each(rows)(
    '$server $name supports every query parameter that is not in the list of exceptions',
    ({ server, endpoint }) => {
      const supported = endpoint.query === undefined ? [] : listFields(endpoint.query).all;
      const unusedParameters = (readSpec(server).get(formatRoute(endpoint))?.query?.optional ?? []).filter(
        (key) => !supported.includes(key),
      );
      expect(unusedParameters.filter((key) => !(key in omittedParameters))).toEqual([]);
    },
  );
});
