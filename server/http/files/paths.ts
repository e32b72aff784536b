/** Classifies a request's path. Pure: the policy that separates API names, hidden files and the dashboard. */
import type { Endpoint } from '#api/client/endpoint.ts';
import { accessApi } from '#api/lab/access.ts';
import { fleetApi } from '#api/lab/fleetApi.ts';
import { labApi } from '#api/lab/labApi.ts';
import { safetyStopApi } from '#api/lab/safetyStopApi.ts';

const tables = [labApi, fleetApi, accessApi, safetyStopApi];
const endpoints = tables.flatMap((table) => Object.values<Endpoint>(table.endpoints));
const endpointNames = endpoints.map(({ path }) => path.split('/')[1] ?? '');
/** Names that never fall back to the dashboard: a mistyped API address must not return a page. */
export const reservedNames: readonly string[] = [
  ...new Set(endpointNames),
  'metrics',
  'docs',
  'redoc',
  'openapi.json',
  'definition',
];

/** Pages of the dashboard whose address is also the first part of an endpoint's. */
const pageNames: ReadonlySet<string> = new Set(['fleet']);

/**
 * The maximum length in characters and number of segments: each segment costs a file system lookup and a `../` in every
 * link.
 */
const maxPathLength = 2048;
const maxSegments = 32;
export const pathTooLong = 'The path of this request is too long';

export type PathKind =
  /** Longer or deeper than any file or page of a dashboard. */
  | { readonly kind: 'long' }
  /** The path cannot be decoded, or contains a control character. */
  | { readonly kind: 'malformed' }
  /** The path starts with one of the API's names. */
  | { readonly kind: 'reserved'; readonly name: string }
  /** Dotfiles and path traversal: never served, never a page. */
  | { readonly kind: 'hidden' }
  /** The last segment has an extension: a file, or 404. */
  | { readonly kind: 'asset' }
  /** A page of the dashboard. */
  | { readonly kind: 'page' };

/** Classifies the raw path of a request target, query excluded. */
export function classifyPath(rawPath: string): PathKind {
  if (rawPath.length > maxPathLength || rawPath.split('/').length > maxSegments) return { kind: 'long' };
  const path = decode(rawPath);
  if (path === null) return { kind: 'malformed' };
  const segments = path.split(/[/\\]/).filter((segment) => segment !== '');
  const first = segments[0];
  const reserved = reservedNames.find((name) => name === first);
  if (reserved !== undefined && !(pageNames.has(reserved) && segments.length === 1))
    return { kind: 'reserved', name: reserved };
  if (segments.some((segment) => segment.startsWith('.')) || path.includes('\\')) return { kind: 'hidden' };
  if (/\.[A-Za-z0-9]{1,12}$/.test(segments.at(-1) ?? '')) return { kind: 'asset' };
  return { kind: 'page' };
}

/** Whether the first segment of the path, without decoding, is a name of the API. False for a page of the same name. */
export function isApiPath(path: string): boolean {
  const end = path.indexOf('/', 1);
  const first = path.slice(1, end < 0 ? undefined : end);
  if (!reservedNames.includes(first)) return false;
  return !pageNames.has(first) || (end >= 0 && /[^/]/.test(path.slice(end)));
}

/** The name of the API that the path contains below its first segment, as behind a proxy that leaves a prefix in it. */
export function findApiNameBelowPrefix(path: string): string | null {
  const [, second = ''] = path.split('/', 3).slice(1);
  return reservedNames.includes(second) && !pageNames.has(second) ? second : null;
}

function decode(rawPath: string): string | null {
  try {
    const path = decodeURIComponent(rawPath);
    return /\p{Cc}/u.test(path) ? null : path;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
