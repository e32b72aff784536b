/** Which endpoint of a table a request is for, with the answers of Starlette's router where it is for none. */
import { pathParameters, type Api, type Endpoint } from '../../api/client/endpoint.ts';

export interface Route {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
}

type Found =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Record<string, string> }
  /** The path exists, but not with this method. */
  | { readonly kind: 'method'; readonly allow: string }
  | { readonly kind: 'none' };

const escaped = (text: string) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);

function pattern(path: string): RegExp {
  return new RegExp(`^${escaped(path).replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
}

/** `/location/import` comes before `/location/{location_name}`: fixed words first, in the order of the path. */
function rank(path: string): string {
  return path
    .split('/')
    .map((part) => (part.startsWith('{') ? '~' : ' '))
    .join('');
}

/** The routes of a table. */
export function routes(api: Api): readonly Route[] {
  return Object.entries(api.endpoints)
    .map(([name, endpoint]) => ({ name, endpoint, pattern: pattern(endpoint.path) }))
    .toSorted((a, b) => rank(a.endpoint.path).localeCompare(rank(b.endpoint.path)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}

/** `path` as it is in the request, still encoded. */
export function find(table: readonly Route[], method: string, path: string): Found {
  const samePath = table.filter((route) => route.pattern.test(path));
  const route = samePath.find((candidate) => candidate.endpoint.method === method);
  if (route !== undefined) {
    const values = route.pattern.exec(path)?.slice(1) ?? [];
    const names = pathParameters(route.endpoint.path);
    return {
      kind: 'route',
      route,
      params: Object.fromEntries(names.map((name, index) => [name, decoded(values[index] ?? '')])),
    };
  }
  const other = samePath[0];
  if (other !== undefined) return { kind: 'method', allow: other.endpoint.method };
  return { kind: 'none' };
}
