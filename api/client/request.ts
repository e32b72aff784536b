/** Builds address, headers and body of a request from an endpoint and the parameters of a call. */
import type { Endpoint, QueryValue } from './endpoint.ts';
import type { LabVersion } from '../version.ts';
import { formatJson, stringifyExactJson } from '../exactJson.ts';

/** A request in the form that `fetch` accepts. */
export interface WireRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | null;
}

/** The input of any call: parameters by name, `body`, `files`. */
export type CallInput = Readonly<Record<string, unknown>>;

/**
 * Builds the request of a call. `baseUrl` may have a path; trailing slashes are ignored. Throws a RangeError when a
 * parameter cannot be part of an address.
 */
export function buildRequest(
  endpoint: Endpoint,
  baseUrl: string,
  input: CallInput,
  version: LabVersion | null,
): WireRequest {
  const template = version === '0.7' ? (endpoint.path07 ?? endpoint.path) : endpoint.path;
  const path = fillPath(template, input);
  const query = new URLSearchParams();
  // Only the query parameters that the endpoint declares are sent: the input can be a whole object, such as a location.
  for (const name of Object.keys(endpoint.query?.shape ?? {})) {
    const value = input[name] as QueryValue;
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const { headers, body } = encodeBody(endpoint, input);
  return { url: `${baseUrl.replace(/\/+$/, '')}${path}${search}`, method: endpoint.method, headers, body };
}

function fillPath(template: string, input: CallInput): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    // Reject empty, `.` and `..` segments: even when escaped, they would be normalized to another path.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value))
      throw new RangeError(`"${String(value ?? '')}" as ${name} cannot be part of an address`);
    return encodeURIComponent(value);
  });
}

function encodeBody({ body }: Endpoint, input: CallInput): Pick<WireRequest, 'headers' | 'body'> {
  if (body === undefined || (body.type === 'json' && body.optional && input['body'] === undefined))
    return { headers: {}, body: null };
  if (body.type === 'json')
    return { headers: { 'content-type': 'application/json' }, body: stringifyExactJson(input['body']) };
  const form = new FormData();
  for (const [name, value] of Object.entries((input['body'] ?? {}) as object)) {
    if (value === undefined || value === null) continue;
    form.append(name, formatJson(value));
  }
  for (const [filename, content] of Object.entries((input['files'] ?? {}) as Record<string, Blob>))
    form.append(body.files.part, content, filename);
  // No content type: fetch adds the one with the form's boundary.
  return { headers: {}, body: form };
}
