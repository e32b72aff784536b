/**
 * Serves a table of `api/` as uvicorn and FastAPI serve it: the same status codes, error bodies and headers, a raw 500
 * without CORS headers after which the connection is dropped, and the faults that the lab was asked for.
 */
import express, { type Express, type Request, type Response } from 'express';
import type { Api } from '../../api/client/endpoint.ts';
import type { DemoClock } from '../life/clock.ts';
import { Bytes, InternalFailure, Refusal, type DemoRequest } from './handling.ts';
import { readBody } from '../http/body.ts';
import { rateLimiter, type RateLimit, type Verdict } from '../http/rateLimit.ts';
import { find, routes, type Route } from '../http/routes.ts';
import { checkBody, checkQuery, queryBoolean } from '../http/validation.ts';

/** What a server can be made to do instead of answering; `slow` takes that long first. */
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
  /** The body of `GET /health`, unless there is a handler for it. */
  readonly health?: () => object;
  /** The values of `GET /settings`, unless there is a handler for it. */
  readonly settings?: { readonly title: string; readonly values: () => Readonly<Record<string, unknown>> };
  /** False for nodes. */
  readonly cors: boolean;
  /** Off unless given: everyone is on loopback here, which the real one exempts. */
  readonly rateLimit?: RateLimit;
  readonly fault?: () => ServerFault | null;
}

/** What uvicorn itself adds, whatever became of the answer. */
const serversOwn: ReadonlySet<string> = new Set(['date', 'server']);

/** Ends the connection behind an answer, without having said so: uvicorn's way after an unhandled exception. */
function rawFailure(response: Response): void {
  for (const name of response.getHeaderNames()) if (!serversOwn.has(name)) response.removeHeader(name);
  const { socket } = response;
  response.on('finish', () => socket?.destroySoon());
  response.status(500).type('text/plain; charset=utf-8').end('Internal Server Error');
}

function answer(response: Response, body: unknown): void {
  if (body instanceof Bytes) {
    response.set({ 'Content-Type': body.contentType, ...body.headers });
    response.end(body.bytes);
    return;
  }
  response.set('Content-Type', 'application/json');
  response.end(JSON.stringify(body === undefined ? null : body));
}

function refuse(
  response: Response,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.status(status).set(headers);
  answer(response, body);
}

/** Starlette's CORS middleware: any origin, and only for requests that have one. True where it has answered. */
function cors(request: Request, response: Response): boolean {
  response.set('Vary', 'Origin');
  if (request.headers.origin === undefined) return false;
  response.set('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  response.set({
    'Access-Control-Allow-Methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    'Access-Control-Max-Age': '600',
  });
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) response.set('Access-Control-Allow-Headers', asked);
  response.type('text/plain; charset=utf-8').end('OK');
  return true;
}

/** Carries the fault out; true where nothing is left to do. */
async function disturb(fault: ServerFault | null, parts: ServerParts, response: Response): Promise<boolean> {
  switch (fault?.kind) {
    case 'hang':
      return true;
    case 'error500':
      rawFailure(response);
      return true;
    case 'limit429':
      refuse(
        response,
        429,
        { detail: 'Rate limit exceeded: 300 requests per 60 seconds' },
        {
          'Retry-After': '60',
          'X-RateLimit-Limit': '300',
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(Math.floor(parts.clock.now() / 1000) + 60),
        },
      );
      return true;
    case 'garbage':
      response.set('Content-Type', 'application/json').end('{"healthy": tru');
      return true;
    case 'slow': {
      const { ms } = fault;
      await new Promise<void>((resolve) => {
        parts.clock.after(ms, resolve);
      });
      return false;
    }
    case 'withoutCors':
    case undefined:
      return false;
  }
}

/** `GET /settings`: every value counts as a default here, but for the ID, which is made at the start. */
function settingsAnswer(parts: ServerParts, query: URLSearchParams): object {
  const values = parts.settings?.values() ?? {};
  const own = queryBoolean(query, 'include_defaults', true) ? values : { manager_id: values['manager_id'] };
  if (!queryBoolean(query, 'include_schema', false)) return { settings: own };
  const title = parts.settings?.title ?? '';
  const properties = Object.fromEntries(Object.keys(values).map((key) => [key, { title: key }]));
  return { settings: own, schema: { properties, title, type: 'object' }, schema_title: title };
}

async function handle(
  parts: ServerParts,
  route: Route,
  params: Record<string, string>,
  request: Request,
): Promise<unknown> {
  const query = new URL(request.originalUrl, 'http://demo').searchParams;
  checkQuery(route.endpoint, query);
  const body = await readBody(request);
  const value = checkBody(route.endpoint, body);
  const handler = parts.handlers[route.name];
  if (handler === undefined) {
    if (route.name === 'health' && parts.health !== undefined) return parts.health();
    if (route.name === 'settings') return settingsAnswer(parts, query);
    throw new InternalFailure(`no handler for ${route.name}`);
  }
  const form = body.type === 'form' ? body : { fields: {}, files: [] };
  return handler({ params, query, body: value, fields: form.fields, files: form.files });
}

async function serve(parts: ServerParts, table: readonly Route[], request: Request, response: Response): Promise<void> {
  const found = find(table, request.method, request.path);
  switch (found.kind) {
    case 'none':
      return refuse(response, 404, { detail: 'Not Found' });
    case 'method':
      return refuse(response, 405, { detail: 'Method Not Allowed' }, { Allow: found.allow });
    case 'redirect': {
      const { search } = new URL(request.originalUrl, 'http://demo');
      response
        .status(307)
        .set('Location', `http://${request.headers.host ?? ''}${found.path}${search}`)
        .end();
      return;
    }
    case 'route':
      try {
        answer(response, await handle(parts, found.route, found.params, request));
      } catch (error) {
        if (error instanceof Refusal) refuse(response, error.status, error.body);
        else rawFailure(response);
      }
  }
}

/** The Express app of a manager, or of a node. */
export function managerApp(parts: ServerParts): Express {
  const table = routes(parts.api);
  const limiter: ((client: string) => Verdict | null) | null =
    parts.rateLimit === undefined ? null : rateLimiter(parts.rateLimit, parts.clock);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(async (request, response) => {
    // The date is the host's own: that is how a client can tell that its clock is off.
    response.set({ Server: 'uvicorn', Date: new Date(parts.clock.now()).toUTCString() });
    const fault = parts.fault?.() ?? null;
    if (parts.cors && fault?.kind !== 'withoutCors' && cors(request, response)) return;
    if (await disturb(fault, parts, response)) return;
    const verdict = limiter?.(request.socket.remoteAddress ?? '') ?? null;
    if (verdict !== null) response.set(verdict.headers);
    if (verdict?.detail !== undefined) return refuse(response, 429, { detail: verdict.detail });
    await serve(parts, table, request, response);
  });
  return app;
}
