/** Finds the endpoint of a request and reads the request's body. */
import type { IncomingMessage } from 'node:http';
import { pathParameters, type Api, type Endpoint } from '../../api/client/endpoint.ts';
import type { DemoRequest, UploadedFile } from '../base/handlers.ts';
import { unprocessable } from '../base/parseRequest.ts';
import { parseExactJson } from '../../api/exactJson.ts';

/** An endpoint with the pattern of its path. */
export interface Route {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
}

/** Sorts `/location/import` before `/location/{location_name}`. */
const sortKey = (path: string) => path.replaceAll(/\{\w+\}/g, '~');

/** Returns the routes of a table. */
export function routes(api: Api): readonly Route[] {
  return Object.entries(api.endpoints)
    .map(([name, endpoint]) => {
      const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
      return { name, endpoint, pattern };
    })
    .toSorted((a, b) => (sortKey(a.endpoint.path) < sortKey(b.endpoint.path) ? -1 : 1));
}

/** Returns the decoded parameters of a path. */
export function pathParameterValues({ endpoint, pattern }: Route, path: string): Record<string, string> {
  const values = pattern.exec(path)?.slice(1) ?? [];
  const names = pathParameters(endpoint.path);
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
}

async function readBytes(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads fields and files of a form with the runtime's `formData` instead of busboy, last released in 2022: a lab's files are small. */
async function readForm(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<ReceivedBody> {
  const data = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  for (const [name, value] of data) {
    if (typeof value === 'string') fields[name] = value;
    else {
      const content = new Uint8Array(await value.arrayBuffer());
      files.push({ filename: value.name, contentType: value.type, bytes: content });
    }
  }
  return { body: undefined, fields, files };
}

/** The body of a request: a JSON value, or a form. */
type ReceivedBody = Pick<DemoRequest, 'body' | 'fields' | 'files'>;

/** Reads a JSON value or a form; other content gives a 422. */
export async function readRequestBody(request: IncomingMessage): Promise<ReceivedBody> {
  const bytes = await readBytes(request);
  const contentType = request.headers['content-type'] ?? '';
  try {
    if (/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(contentType)) {
      return await readForm(bytes, contentType);
    }
    const body: unknown = bytes.length === 0 ? undefined : parseExactJson(bytes.toString('utf8'));
    return { body, fields: {}, files: [] };
  } catch {
    throw unprocessable(['body'], 'Input should be JSON or a form');
  }
}
