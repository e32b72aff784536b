/** Generates OpenAPI 3.1 from the table of endpoints and its zod schemas. */
import { toJSONSchema } from 'zod';
import { labEndpoints, type DocumentedEndpoint } from '../../api/lab/labDocs.ts';
import { safetyStopEndpoints } from '../../api/lab/safetyStopDocs.ts';
import { errorResponse } from '../../api/lab/lab.ts';

export interface ApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

const endpoints: readonly DocumentedEndpoint[] = [...labEndpoints, ...safetyStopEndpoints];

/** The parts that are the same for every lab; created once, because the schemas take 5 ms. */
let commonParts: Record<string, unknown> | null = null;

/** The document. `servers` is relative, so that a base path of a proxy is respected. */
export function createOpenApiDocument(info: ApiInfo): Record<string, unknown> {
  commonParts ??= {
    paths: Object.fromEntries(endpoints.map(({ path }) => [path, describePath(path)])),
    components: { schemas: { Error: toOpenApiSchema(errorResponse) } },
  };
  return {
    openapi: '3.1.0',
    info: { title: info.title, description: info.description, version: info.version },
    servers: [{ url: './' }],
    ...commonParts,
  };
}

function describePath(path: string): Record<string, unknown> {
  const operations = endpoints.filter((endpoint) => endpoint.path === path);
  return Object.fromEntries(operations.map((endpoint) => [endpoint.method.toLowerCase(), describeOperation(endpoint)]));
}

function describeOperation(endpoint: DocumentedEndpoint): Record<string, unknown> {
  const { body } = endpoint;
  const failures: [string, string][] =
    endpoint.method === 'GET'
      ? [['429', 'Too many requests']]
      : [
          ['401', 'The caller is not signed in'],
          ['403', 'The caller may not send this request'],
          ...Object.entries(endpoint.errors ?? {}),
        ];
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
    ...(body?.type === 'json' && {
      requestBody: { required: false, content: { 'application/json': { schema: toOpenApiSchema(body.schema) } } },
    }),
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
