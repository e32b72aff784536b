/**
 * Finds the endpoint of a relayed request. Pure: the policy that decides, from the endpoint tables in `api/managers/`
 * alone, which requests may reach a manager.
 */
import { relayName, type RemoteAccess } from '../../api/lab/relay.ts';
import type { Role } from '../../api/lab/access.ts';
import { listEndpoints } from '../../api/managers/tables.ts';
import { isRead, type Endpoint } from '../../api/client/endpoint.ts';
import { managerKeys, managerTitle, type ManagerKey } from '../../api/managers.ts';

export interface RelayRoute {
  readonly manager: ManagerKey;
  readonly endpoint: Endpoint;
  /** The path below the manager's address, encoded again from its decoded segments. */
  readonly path: string;
  /** The query as received, with its question mark; empty if there is none. */
  readonly search: string;
}

export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** The methods of the path, for a 405. */
  readonly allow?: string;
}

export type RouteResult =
  { readonly ok: true; readonly route: RelayRoute } | { readonly ok: false; readonly refusal: Refusal };

interface Template {
  readonly endpoint: Endpoint;
  /** The segments of the endpoint's path: literal text, or `null` for a parameter. */
  readonly segments: readonly (string | null)[];
}

const templates: ReadonlyMap<ManagerKey, readonly Template[]> = new Map(
  managerKeys.map((manager) => [manager, listEndpoints(manager).flatMap(createTemplates)]),
);

function createTemplates(endpoint: Endpoint): Template[] {
  const paths = endpoint.path07 === undefined ? [endpoint.path] : [endpoint.path, endpoint.path07];
  return paths.map((path) => ({ endpoint, segments: parseSegments(path) }));
}

function parseSegments(path: string): (string | null)[] {
  return path
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? null : segment));
}

/** Whether a request target is below `/managers/`, spelled exactly so. */
export function isRelayed(target: string): boolean {
  return target.startsWith(`/${relayName}/`);
}

/** Whether the path of a request target cannot be decoded, or the target has a fragment. */
function isMalformed(target: string): boolean {
  return target.includes('#') || decode(target.split('?', 1)[0] ?? '') === null;
}

/**
 * The endpoint that a request addresses. Only paths with as many segments as an endpoint has are decoded: the exceptions
 * for 3,000 segments took 50 ms.
 * @param target the raw target of the request, which `isRelayed` accepts
 */
export function findRoute(method: string, target: string): RouteResult {
  const query = target.indexOf('?');
  const rawPath = query < 0 ? target : target.slice(0, query);
  const search = query < 0 ? '' : target.slice(query);
  const [rawKey = '', ...raw] = rawPath.slice(relayName.length + 2).split('/');
  if (isMalformed(target)) return refuse(400, 'The path of this request cannot be decoded');
  const manager = managerKeys.find((key) => key === rawKey);
  if (manager === undefined)
    return refuse(404, `Not Found: no manager of this name; the managers are ${managerKeys.join(', ')}`);
  const candidates = (templates.get(manager) ?? []).filter(({ segments }) => segments.length === raw.length);
  const path = candidates.length === 0 ? [] : raw.map(decodeSegment).filter((segment) => segment !== null);
  const matching = candidates.filter((template) => matches(template, raw, path));
  if (matching.length === 0)
    return refuse(404, `Not Found: the ${managerTitle(manager)} has no such endpoint that is relayed`);
  const best = bestMatch(matching.filter(({ endpoint }) => endpoint.method === method));
  if (best === undefined) {
    const allow = [...new Set(matching.map(({ endpoint }) => endpoint.method))].join(', ');
    return { ok: false, refusal: { status: 405, detail: 'Method Not Allowed', allow } };
  }
  return {
    ok: true,
    route: { manager, endpoint: best.endpoint, path: `/${path.map(encodeURIComponent).join('/')}`, search },
  };
}

function refuse(status: number, detail: string): RouteResult {
  return { ok: false, refusal: { status, detail } };
}

/** Literal segments must match without decoding, so that an encoded name is not another spelling of it. */
function matches({ segments }: Template, raw: readonly string[], path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) => segment === null || (segment === path[index] && segment === raw[index]))
  );
}

/** Prefers literal segments, as the manager's own routes do: `/location/init` is not the location with the name `init`. */
function bestMatch(candidates: readonly Template[]): Template | undefined {
  const literals = ({ segments }: Template) => segments.filter((segment) => segment !== null).length;
  return candidates.toSorted((a, b) => literals(b) - literals(a))[0];
}

/** A decoded segment; `null` if a manager could parse it as several segments, or as `..`, even after decoding twice. */
function decodeSegment(raw: string): string | null {
  const segment = decode(raw);
  if (segment === null || segment === '' || /[/\\]/.test(segment)) return null;
  const twice = decode(segment) ?? segment;
  return /^\.{1,2}$/.test(twice) || /[/\\]/.test(twice) ? null : segment;
}

function decode(raw: string): string | null {
  try {
    const text = decodeURIComponent(raw);
    return /\p{Cc}/u.test(text) ? null : text;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The address of a request: always below the manager's own, whatever the path contains. */
export function managerUrl({ path, search }: Pick<RelayRoute, 'path' | 'search'>, address: string): URL {
  return new URL(`${address.replace(/\/+$/, '')}${path}${search}`);
}

/** The admin command of a route, and its node, decoded; `null` for another route. A command to all nodes has no node. */
export function parseAdminCommand({
  manager,
  path,
}: RelayRoute): { readonly command: string; readonly node: string | null } | null {
  const [, admin, command = '', node] = path.split('/');
  if (manager !== 'workcell' || admin !== 'admin') return null;
  return { command, node: node === undefined ? null : decodeURIComponent(node) };
}

/** Why a person may not send a request to this endpoint; `null` if it is allowed. */
export function refuseAccess(mode: RemoteAccess, role: Role | null, endpoint: Endpoint | null): Refusal | null {
  if (mode === 'off')
    return { status: 404, detail: 'Not Found: this lab manager relays nothing; LAB_REMOTE_ACCESS turns it on' };
  if (role === null)
    return { status: 401, detail: 'Unauthorized: only signed-in users may use the managers through this lab manager' };
  if (endpoint === null || isRead(endpoint)) return null;
  if (mode === 'view')
    return {
      status: 403,
      detail: `Forbidden to ${endpoint.purpose}: LAB_REMOTE_ACCESS is view, which relays no commands`,
    };
  if (role === 'viewer')
    return { status: 403, detail: `Forbidden to ${endpoint.purpose}: a viewer may send no commands` };
  return null;
}
