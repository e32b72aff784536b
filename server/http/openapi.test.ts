import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fleetApi } from '../../api/lab/fleetApi.ts';
import { labApi } from '../../api/lab/labApi.ts';
import { labEndpoints, type DocumentedEndpoint } from '../../api/lab/labDocs.ts';
import { safetyStopApi } from '../../api/lab/safetyStopApi.ts';
import { safetyStopEndpoints } from '../../api/lab/safetyStopDocs.ts';
import { createOpenApiDocument } from './openapi.ts';

const description = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string().min(1), description: z.string().min(1), version: z.string().min(1) }),
  servers: z.array(z.object({ url: z.literal('./') })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(
      z.enum(['get', 'post']),
      z.object({
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
    ),
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
    const endpoints = Object.values({ ...labApi.endpoints, ...fleetApi.endpoints, ...safetyStopApi.endpoints });
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
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

  it.each([...labEndpoints, ...safetyStopEndpoints] as readonly DocumentedEndpoint[])(
    'has an example for $method $path that matches its schema, and the names of its parameters',
    (endpoint) => {
      endpoint.response.parse(endpoint.example);
      const method = endpoint.method === 'GET' ? 'get' : 'post';
      const { parameters, responses } = document.paths[endpoint.path]![method]!;
      expect(responses['200']?.content['application/json']).toMatchObject({ example: endpoint.example });
      expect(parameters.map(({ name }) => name)).toEqual(endpoint.parameters.map(({ name }) => name));
      expect('422' in responses).toBe(endpoint.parameters.length > 0);
      expect(responses).toHaveProperty(method === 'get' ? '429' : '403');
    },
  );
});
