/**
 * Serves a table of `api/` with the observable behaviour of the real managers: status codes, CORS headers, and a raw
 * 500 without CORS headers after which the connection is closed. Also simulates the requested faults.
 */
import express, { type Express, type Request, type Response } from 'express';
import type { Api } from '../../api/client/endpoint.ts';
import type { DemoClock } from '../base/clock.ts';
import { Bytes, InternalFailure, ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import { readBoolean } from '../base/parseRequest.ts';
import { pathParameterValues, readRequestBody, routes, type Route } from './requests.ts';
import { stringifyExactJson } from '../../api/exactJson.ts';

/** A simulated fault of a server; `slow` delays the response by `ms`. */
export type ServerFault =
  | { readonly kind: 'hang' }
  | { readonly kind: 'error500' }
  | { readonly kind: 'limit429' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'withoutCors' };

export interface ServerParts {
  readonly api: Api;
  readonly handlers: Readonly<Record<string, ((request: DemoRequest) => unknown) | undefined>>;
  readonly clock: DemoClock;
  /** The body of `GET /health`; missing for nodes. */
  readonly health?: () => object;
  /** The values of `GET /settings`; missing for nodes. */
  readonly settings?: () => Readonly<Record<string, unknown>>;
  /** False for nodes. */
  readonly cors: boolean;
  readonly fault?: () => ServerFault | null;
}

/** Ends the connection after the response, as uvicorn does after an unhandled exception. */
function rawFailure(response: Response): void {
  response.removeHeader('Access-Control-Allow-Origin');
  const { socket } = response;
  response.on('finish', () => socket?.destroySoon());
  response.status(500).type('text/plain; charset=utf-8').end('Internal Server Error');
}

function respond(response: Response, body: unknown): void {
  if (body instanceof Bytes) response.set('Content-Type', body.contentType).end(body.bytes);
  else response.set('Content-Type', 'application/json').end(stringifyExactJson(body));
}

function refuse(response: Response, status: number, body: unknown): void {
  respond(response.status(status), body);
}

/** Allows any origin, only for requests with an `Origin`. Returns true for a preflight, which is handled here. */
function handleCors(request: Request, response: Response): boolean {
  response.set('Vary', 'Origin');
  if (request.headers.origin === undefined) return false;
  response.set('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') return false;
  response.set('Access-Control-Allow-Methods', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
  response.set('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '');
  response.type('text/plain; charset=utf-8').end('OK');
  return true;
}

/** Simulates the fault; returns true if the request needs no other response. */
async function simulateFault(fault: ServerFault | null, clock: DemoClock, response: Response): Promise<boolean> {
  switch (fault?.kind) {
    case 'hang':
      return true;
    case 'error500':
      rawFailure(response);
      return true;
    case 'limit429':
      response.set('Retry-After', '60');
      refuse(response, 429, { detail: 'Rate limit exceeded: 300 requests per 60 seconds' });
      return true;
    case 'garbage':
      response.set('Content-Type', 'application/json').end('{"healthy": tru');
      return true;
    case 'slow': {
      const { ms } = fault;
      await new Promise<void>((resolve) => {
        clock.after(ms, resolve);
      });
      return false;
    }
    default:
      return false;
  }
}

/**
 * Returns the body of `GET /settings`: every value counts as a default, except for the ID, which is generated at the
 * start.
 */
function settingsBody(values: Readonly<Record<string, unknown>>, query: URLSearchParams): object {
  const settings = readBoolean(query, 'include_defaults', true) ? values : { manager_id: values['manager_id'] };
  if (!readBoolean(query, 'include_schema', false)) return { settings };
  const properties = Object.fromEntries(Object.keys(values).map((key) => [key, { title: key }]));
  return { settings, schema: { properties, type: 'object' } };
}

async function handle(parts: ServerParts, route: Route, request: Request): Promise<unknown> {
  const query = new URL(request.originalUrl, 'http://demo').searchParams;
  if (route.name === 'health' && parts.health !== undefined) return parts.health();
  if (route.name === 'settings' && parts.settings !== undefined) return settingsBody(parts.settings(), query);
  const handler = parts.handlers[route.name];
  if (handler === undefined) throw new InternalFailure(`no handler for ${route.name}`);
  return handler({ params: pathParameterValues(route, request.path), query, ...(await readRequestBody(request)) });
}

async function serve(parts: ServerParts, table: readonly Route[], request: Request, response: Response): Promise<void> {
  const matching = table.filter(({ pattern }) => pattern.test(request.path));
  const route = matching.find(({ endpoint }) => endpoint.method === request.method);
  if (route === undefined) {
    if (matching.length === 0) refuse(response, 404, { detail: 'Not Found' });
    else refuse(response, 405, { detail: 'Method Not Allowed' });
    return;
  }
  try {
    respond(response, await handle(parts, route, request));
  } catch (error) {
    if (error instanceof ErrorResponse) refuse(response, error.status, error.body);
    else rawFailure(response);
  }
}

/** Returns the Express app of a manager or a node. */
export function managerApp(parts: ServerParts): Express {
  const table = routes(parts.api);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(async (request, response) => {
    // Clients detect a wrong clock by comparing this date with theirs.
    response.set({ Server: 'uvicorn', Date: new Date(parts.clock.now()).toUTCString() });
    const fault = parts.fault?.() ?? null;
    if (parts.cors && fault?.kind !== 'withoutCors' && handleCors(request, response)) return;
    if (await simulateFault(fault, parts.clock, response)) return;
    await serve(parts, table, request, response);
  });
  return app;
}
