import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fleetApi } from '../../api/lab/fleetApi.ts';
import { labApi } from '../../api/lab/labApi.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { createOpenApiDocument } from './openapi.ts';

const description = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string().min(1), description: z.string().min(1), version: z.string().min(1) }),
  servers: z.array(z.object({ url: z.literal('./') })),
  paths: z.record(
    z.string().startsWith('/'),
    z.strictObject({
      get: z.object({
        operationId: z.string().min(1),
        summary: z.string().min(1),
        description: z.string().min(1),
        parameters: z.array(
          z.object({ name: z.string(), in: z.literal('query'), required: z.literal(false), schema: z.looseObject({}) }),
        ),
        responses: z.record(
          z.string().regex(/^\d{3}$/),
          z.object({
            description: z.string().min(1),
            content: z.object({ 'application/json': z.looseObject({ schema: z.looseObject({}) }) }),
          }),
        ),
      }),
    }),
  ),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});

const rawDocument = createOpenApiDocument({ title: 'Bench 4', description: 'A lab', version: '1.2.3' });
const document = description.parse(rawDocument);

function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : findReferences(inner),
  );
}

describe('the OpenAPI document', () => {
  it('is JSON with the name of the lab', () => {
    expect(JSON.parse(JSON.stringify(rawDocument))).toEqual(rawDocument);
    expect(document.info).toEqual({ title: 'Bench 4', description: 'A lab', version: '1.2.3' });
  });

  it('contains exactly the endpoints', () => {
    const endpoints = Object.values({ ...labApi.endpoints, ...fleetApi.endpoints });
    expect(Object.keys(document.paths).toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
    const ids = Object.values(document.paths).map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('contains everything that it refers to', () => {
    const referenced = findReferences(rawDocument);
    expect(referenced).toContain('#/components/schemas/Error');
    for (const reference of referenced) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1] ?? '';
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
  });

  it.each(labEndpoints)(
    'has an example for $path that matches its schema, and the names of its parameters',
    (endpoint) => {
      endpoint.response.parse(endpoint.example);
      const { parameters, responses } = document.paths[endpoint.path]!.get;
      expect(responses['200']?.content['application/json']).toMatchObject({ example: endpoint.example });
      expect(parameters.map(({ name }) => name)).toEqual(endpoint.parameters.map(({ name }) => name));
      expect('422' in responses).toBe(endpoint.parameters.length > 0);
      expect(responses).toHaveProperty('429');
    },
  );
});
