// cspell:ignore ealth danagers
import { describe, expect, it, vi } from 'vitest';
import { buildRequest } from '../../api/client/request.ts';
import { isRead, pathParameters, type Endpoint } from '../../api/client/endpoint.ts';
import { listEndpoints } from '../../api/managers/tables.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import { findRoute, isRelayed, refuseAccess } from './route.ts';

const everyEndpoint = managerKeys.flatMap((manager) =>
  listEndpoints(manager).map(
    (endpoint) => [`${manager}: ${endpoint.method} ${endpoint.path}`, manager, endpoint] as const,
  ),
);

/** The target of a call of the dashboard's client, with the same text for every parameter. */
function formatTarget(manager: ManagerKey, endpoint: Endpoint, value: string): string {
  const input = Object.fromEntries(pathParameters(endpoint.path).map((name) => [name, value]));
  return buildRequest(endpoint, `/managers/${manager}`, input, null).url;
}

function getStatus(method: string, target: string): number {
  const result = findRoute(method, target);
  return result.ok ? 200 : result.refusal.status;
}

describe('findRoute', () => {
  it.each(everyEndpoint)('finds %s with any text as a parameter', (_name, manager, endpoint) => {
    for (const value of ['01JAR5', 'a b', 'ä:?#&=%', 'a.b', '...', '~']) {
      const result = findRoute(endpoint.method, formatTarget(manager, endpoint, value));
      if (!result.ok) throw new Error(result.refusal.detail);
      const { route } = result;
      expect([route.manager, route.endpoint.method, route.endpoint.path]).toEqual([
        manager,
        endpoint.method,
        endpoint.path,
      ]);
      expect(`/managers/${manager}${route.path}`).toBe(formatTarget(manager, endpoint, value));
    }
  });

  it('never has to decide between a read and a command of the same method and path', () => {
    const seen = new Map<string, boolean>();
    for (const [, manager, endpoint] of everyEndpoint) {
      const key = `${manager} ${endpoint.method} ${endpoint.path.replaceAll(/\{\w+\}/g, '{}')}`;
      expect(seen.get(key) ?? isRead(endpoint)).toBe(isRead(endpoint));
      seen.set(key, isRead(endpoint));
    }
  });

  it('prefers the literal path to a parameter', () => {
    const result = findRoute('POST', '/managers/resource/resource/query');
    expect(result.ok && result.route.endpoint.path).toBe('/resource/query');
  });

  it('decodes a path of thousands of segments once, not each segment', () => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent');
    expect(getStatus('GET', `/managers/workcell/${'%25z/'.repeat(3100)}`)).toBe(404);
    expect(decode).toHaveBeenCalledOnce();
  });

  it('returns the query unchanged', () => {
    const result = findRoute('GET', '/managers/event/events?number=5&x=a%2Fb%20c');
    expect(result.ok && [result.route.path, result.route.search]).toEqual(['/events', '?number=5&x=a%2Fb%20c']);
  });

  it.each([
    '/managers/event/',
    '/managers/event',
    '/managers/event/health/',
    '/managers/event//health',
    '/managers//event/health',
    '/managers/event/nothing',
    '/managers/Event/health',
    '/managers/lab/health',
    '/managers/node/admin/lock',
    '/managers/__proto__/health',
    '/managers/constructor/health',
    '/managers/event/../workcell/state',
    '/managers/event/%2e%2e/health',
    '/managers/event/./health',
    '/managers/event/%2E/health',
    '/managers/workcell/workflow/..',
    '/managers/workcell/workflow/%2e%2e',
    '/managers/workcell/workflow/.%2e',
    '/managers/workcell/workflow/%252e%252e',
    '/managers/workcell/node/a%2Fb',
    '/managers/workcell/node/a%252fb',
    '/managers/workcell/node/a%5cb',
    '/managers/workcell/node/a\\b',
    '/managers/workcell/node/..\\..',
    '/managers/event/%68ealth',
    '/managers/event/health%20',
    '/managers/event/health;x=1',
    '/managers/event/health%3f',
    '/managers/event/openapi.json',
    '/managers/event/docs',
  ])('finds no route for %s', (target) => {
    for (const method of ['GET', 'POST', 'DELETE']) expect(getStatus(method, target)).toBe(404);
  });

  it.each(['%', '%zz', '%c3%28', 'a%00', 'a%0d%0aX: 1', 'a#b'])('rejects the parameter %s', (parameter) => {
    expect(getStatus('GET', `/managers/workcell/node/${parameter}`)).toBe(400);
  });

  it('names the allowed methods of a known path', () => {
    expect(findRoute('PUT', '/managers/location/location')).toEqual({
      ok: false,
      refusal: { status: 405, detail: 'Method Not Allowed', allow: 'GET, POST' },
    });
    expect(getStatus('HEAD', '/managers/event/health')).toBe(405);
  });
});

describe('isRelayed', () => {
  it.each([
    ['/managers/event/health', true],
    ['/managers', false],
    ['//managers/event/health', false],
    ['/%6danagers/event/health', false],
    ['/x/../managers/event/health', false],
    ['http://127.0.0.1/managers/event/health', false],
    ['\\managers/event/health', false],
  ])('returns $1 for %s', (target, expected) => {
    expect(isRelayed(target)).toBe(expected);
  });
});

describe('refuseAccess', () => {
  const endpoints = listEndpoints('workcell');
  const read = endpoints.find(isRead) ?? null;
  const command = endpoints.find((endpoint) => !isRead(endpoint)) ?? null;

  it.each([
    ['off', 'administrator', 404, 404],
    ['view', null, 401, 401],
    ['view', 'viewer', null, 403],
    ['view', 'administrator', null, 403],
    ['operate', null, 401, 401],
    ['operate', 'viewer', null, 403],
    ['operate', 'operator', null, null],
    ['operate', 'administrator', null, null],
  ] as const)(
    'returns for remote access %s and the role %s the status %s for a read and %s for a command',
    (mode, role, ...expected) => {
      expect([read?.method, command?.method]).toEqual(['GET', 'POST']);
      expect([read, command].map((endpoint) => refuseAccess(mode, role, endpoint)?.status ?? null)).toEqual(expected);
    },
  );
});
