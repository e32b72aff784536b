/**
 * Records which endpoints of the tables were requested, and whether each has succeeded and failed at least once. It
 * counts HTTP traffic, so it covers the clients and plain `fetch` alike.
 */
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataApi } from '../../api/managers/data.ts';
import type { Api, Endpoint, ServerKey } from '../../api/client/endpoint.ts';
import { eventApi } from '../../api/managers/event.ts';
import { experimentApi } from '../../api/managers/experiment.ts';
import { locationApi } from '../../api/managers/location.ts';
import { nodeApi } from '../../api/managers/node.ts';
import { resourceApi } from '../../api/managers/resource.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import { unservedEndpoints } from '../../demo/base/unservedEndpoints.ts';
import type { MadsciVersion, Target } from './target.ts';

/** The tables of all servers under test. */
const tables: readonly Api[] = [eventApi, experimentApi, resourceApi, dataApi, workcellApi, locationApi, nodeApi];

/** Endpoint names that succeeded and that failed, by server. */
export type Coverage = Readonly<Record<ServerKey, { readonly passed: Set<string>; readonly refused: Set<string> }>>;

interface RecordedCall {
  readonly server: ServerKey;
  readonly endpoint: string;
  readonly refused: boolean;
}

/** Returns a `fetch` that also records the requested endpoint and whether it succeeded. */
export function countingFetch(target: Target): typeof globalThis.fetch {
  const servers: readonly (readonly [ServerKey, string])[] = [
    ...(Object.entries(target.context) as [ServerKey, string][]),
    ...Object.values(target.nodeUrls).map((url) => ['node', url] as const),
  ];
  const file = join(target.coverageFolder, `${process.pid}.jsonl`);
  return async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const [server, base] = servers.find(([, address]) => url.startsWith(address)) ?? [];
    if (server === undefined || base === undefined) return response;
    const { pathname } = new URL(url);
    const path = pathname.slice(new URL(base).pathname.length - 1);
    const method = (init?.method ?? 'GET').toUpperCase();
    const table = tables.find((api) => api.server === server)?.endpoints ?? {};
    const body = response.ok ? await readJson(response.clone()) : undefined;
    const lines = Object.entries(table)
      .filter(([, endpoint]) => endpoint.method === method && matches(endpoint.path, path))
      .map(([name, endpoint]) => ({ server, endpoint: name, refused: isRefusal(endpoint, response, body) }));
    const text = lines.map((line: RecordedCall) => `${JSON.stringify(line)}\n`).join('');
    if (text !== '') await appendFile(file, text);
    if (response.status === 500) await discardDroppedConnection(base);
    return response;
  };
}

/**
 * Sends a request whose failure does not matter. After a bare 500 uvicorn closes the connection without announcing it,
 * and the next request on it fails. The client's behavior in that case is tested in `api/`.
 */
async function discardDroppedConnection(base: string): Promise<void> {
  try {
    await (await globalThis.fetch(base)).arrayBuffer();
  } catch {
    // The failed request has discarded the connection.
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (!(response.headers.get('content-type') ?? '').includes('json')) return undefined;
  try {
    return await response.json();
  } catch {
    return undefined; // Invalid JSON; this does not count as a refusal.
  }
}

function isRefusal({ refusal }: Endpoint, response: Response, body: unknown): boolean {
  if (!response.ok || body === 'unknown') return true;
  const fields = typeof body === 'object' && body !== null ? (body as { success?: unknown; status?: unknown }) : {};
  return fields.success === false || fields.status === 'unknown' || (refusal?.safeParse(body).success ?? false);
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

export async function readCoverage(folder: string): Promise<Coverage> {
  const coverage = Object.fromEntries(
    tables.map(({ server }) => [server, { passed: new Set<string>(), refused: new Set<string>() }]),
  ) as Coverage;
  for (const file of await readdir(folder)) {
    const lines = (await readFile(join(folder, file), 'utf8')).trim().split('\n');
    for (const line of lines) {
      const { server, endpoint, refused } = JSON.parse(line) as RecordedCall;
      coverage[server][refused ? 'refused' : 'passed'].add(endpoint);
    }
  }
  return coverage;
}

/** Endpoints that never succeed on the real managers of the suite, and why. */
const alwaysFailing: Readonly<Record<string, string>> = {
  getSessionReport: 'it always fails with an internal error in 0.8.1',
  createBackup: 'it needs mongodump and a real MongoDB',
};

/** Endpoints that respond with status 200 to every request, and how. */
const neverRefuses: Readonly<Record<string, string>> = {
  checkLock: 'an unknown ID is not locked',
  getActionHistory: 'an unknown ID has one result of status unknown',
};

/** The same for 0.7.1. */
const neverRefuses07: Readonly<Record<string, string>> = {
  getLocations: 'it takes no parameter, and ignores one',
};

/** Returns whether the endpoint is missing in an older lab; there it must refuse every request. */
const isAbsent = ({ since }: Endpoint, madsci: MadsciVersion) => madsci === '0.7.1' && since !== undefined;

const unservedNames: Readonly<Partial<Record<ServerKey, readonly string[]>>> = unservedEndpoints;

/** Returns the tables that the suite requests: in a lab with older parts only theirs; in the demo lab only what it serves. */
export function requestedTables({ madsci, kind }: Pick<Target, 'madsci' | 'kind'>): readonly Api[] {
  if (kind === 'demo') {
    return tables.map(({ server, endpoints }) => {
      const isServed = (name: string) => unservedNames[server]?.includes(name) !== true;
      return { server, endpoints: Object.fromEntries(Object.entries(endpoints).filter(([name]) => isServed(name))) };
    });
  }
  return madsci === '0.8.1' ? tables : [workcellApi, locationApi, nodeApi];
}

/** Returns whether the endpoint has no parameters to refuse, or accepts all of them. */
function cannotRefuse(name: string, endpoint: Endpoint): boolean {
  if (name in neverRefuses) return true;
  return !endpoint.path.includes('{') && endpoint.query === undefined && endpoint.body === undefined;
}

/** Returns the names of a table's endpoints that are not covered yet. */
export function findMissing(
  { server, endpoints }: Api,
  coverage: Coverage,
  madsci: MadsciVersion,
): { passed: string[]; refused: string[]; unexpected: string[] } {
  const all: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints);
  const { passed, refused } = coverage[server];
  const names = (matchesEndpoint: (name: string, endpoint: Endpoint) => boolean) =>
    all.filter((entry) => matchesEndpoint(...entry)).map(([name]) => name);
  return {
    passed: names((name, endpoint) => returnsValidResponse(name, endpoint, madsci) && !passed.has(name)),
    refused: names((name, endpoint) => refuses(name, endpoint, madsci) && !refused.has(name)),
    unexpected: names((name, endpoint) => isAbsent(endpoint, madsci) && passed.has(name)),
  };
}

const returnsValidResponse = (name: string, endpoint: Endpoint, madsci: MadsciVersion) =>
  !(name in alwaysFailing) && !isAbsent(endpoint, madsci);

function refuses(name: string, endpoint: Endpoint, madsci: MadsciVersion): boolean {
  if (madsci === '0.7.1' && name in neverRefuses07) return false;
  return isAbsent(endpoint, madsci) || !cannotRefuse(name, endpoint);
}

/** Returns one line per server: the number of endpoints, and how many of them have succeeded and refused. */
export function coverageTable(target: Pick<Target, 'kind' | 'madsci'>, coverage: Coverage): string {
  const { kind, madsci } = target;
  const rows = requestedTables(target).map((api) => {
    const endpoints: readonly (readonly [string, Endpoint])[] = Object.entries(api.endpoints);
    const all = endpoints.filter((entry) => returnsValidResponse(...entry, madsci)).length;
    const refusing = endpoints.filter((entry) => refuses(...entry, madsci)).length;
    const missing = findMissing(api, coverage, madsci);
    const countText = `${all - missing.passed.length}/${all}`;
    const refused = `${refusing - missing.refused.length}/${refusing}`;
    return `  ${api.server.padEnd(12)}${countText.padStart(9)}${refused.padStart(11)}`;
  });
  const head = `  ${''.padEnd(12)}${'answered'.padStart(9)}${'refused'.padStart(11)}`;
  return [`Endpoints covered, ${kind} lab (MADSci ${madsci}):`, head, ...rows].join('\n');
}
