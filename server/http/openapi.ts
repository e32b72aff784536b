/** Generates OpenAPI 3.1 from the table of endpoints and its zod schemas. */
import { toJSONSchema } from 'zod';
import { labEndpoints, type DocumentedEndpoint } from '../../api/lab/labDocs.ts';
import { errorResponse } from '../../api/lab/lab.ts';

export interface ApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

/** The document. `servers` is relative, so that a base path of a proxy is respected. */
export function createOpenApiDocument(info: ApiInfo): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: { title: info.title, description: info.description, version: info.version },
    servers: [{ url: './' }],
    paths: Object.fromEntries(
      labEndpoints.map((endpoint: DocumentedEndpoint) => [endpoint.path, { get: describeOperation(endpoint) }]),
    ),
    components: { schemas: { Error: toOpenApiSchema(errorResponse) } },
  };
}

function describeOperation(endpoint: DocumentedEndpoint): Record<string, unknown> {
  const failures: [string, string][] = [['429', 'Too many requests']];
  if (endpoint.parameters.length > 0) failures.push(['422', 'A query parameter has a value that is not allowed']);
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: endpoint.parameters.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: false,
      description: parameter.description,
      schema: parameter.schema,
    })),
    responses: {
      '200': {
        description: 'Successful response',
        content: { 'application/json': { schema: toOpenApiSchema(endpoint.response), example: endpoint.example } },
      },
      ...Object.fromEntries(
        failures.map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
}

function toOpenApiSchema(schema: DocumentedEndpoint['response']): Record<string, unknown> {
  const { $schema: _, ...rest } = toJSONSchema(schema, { io: 'output' });
  return rest;
}
