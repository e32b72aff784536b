/**
 * Checks whether each manager allows the dashboard's page to read its responses and send it JSON, like a browser (Fetch
 * standard, CORS).
 */
import { healthUrl } from '../../health/probe.ts';
import { finding, exchangeTimeoutMs, ofLab, type Check, type Finding } from './check.ts';
import { exchange, type Exchange } from '../../net/exchange.ts';

/** The access of the dashboard's page to one manager. `silent`: it did not respond, so its headers are unknown. */
export type CorsAccess = 'allowed' | 'unreadable' | 'no-commands' | 'silent';

function allowsOrigin(response: Exchange, origin: string): boolean {
  const allowed = response.ok ? response.headers['access-control-allow-origin'] : undefined;
  return allowed === '*' || allowed === origin;
}

/** @param get response to `GET /health` @param preflight response to `OPTIONS` for a `POST` of JSON */
export function corsAccess(get: Exchange, preflight: Exchange, origin: string): CorsAccess {
  if (!get.ok) return 'silent';
  if (!allowsOrigin(get, origin)) return 'unreadable';
  if (!preflight.ok) return 'no-commands';
  const isOk = preflight.status >= 200 && preflight.status < 300;
  const headers = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/\s*,\s*/);
  // POST itself needs no permission (forms use it), but a JSON body does.
  const allowsJson = headers.includes('content-type') || headers.includes('*');
  return isOk && allowsJson && allowsOrigin(preflight, origin) ? 'allowed' : 'no-commands';
}

export function corsFinding(
  managers: readonly { readonly name: string; readonly access: CorsAccess }[],
  origin: string,
): Finding {
  const withAccess = (expected: CorsAccess) =>
    managers.filter(({ access }) => access === expected).map(({ name }) => name);
  const [unreadable, noCommands, unresponsive] = [
    withAccess('unreadable'),
    withAccess('no-commands'),
    withAccess('silent'),
  ];
  const sentences = [
    unreadable.length > 0 ? `A page of ${origin} can’t read the answers of: ${unreadable.join(', ')}.` : '',
    noCommands.length > 0 ? `A page of ${origin} can’t send commands to: ${noCommands.join(', ')}.` : '',
    unresponsive.length > 0 ? `Unknown, because there was no response: ${unresponsive.join(', ')}.` : '',
  ].filter((sentence) => sentence !== '');
  if (unreadable.length + noCommands.length > 0)
    return finding(
      'problem',
      sentences.join(' '),
      `Let these managers allow the origin ${origin} (or *) with the header Content-Type; a proxy before them must pass OPTIONS and these headers on.`,
    );
  if (unresponsive.length === managers.length)
    return finding('unknown', 'No manager answered.', 'Start the managers, then run the checks again.');
  return finding('ok', ['The managers allow requests of the dashboard’s page.', ...sentences].join(' '));
}

/** The origin of this lab manager's pages. */
export function pageOrigin(serverUrl: string): string {
  return new URL(serverUrl).origin;
}

export const cors: Check = {
  id: 'cors',
  title: 'Browser access to managers (CORS)',
  guide: 'troubleshooting.html#browser-access-to-managers-cors',
  why: 'The dashboard runs in the browser and sends its requests directly to the managers: without these headers the browser hides their responses, or does not send commands at all.',
  run: ofLab(async (lab, { health }, signal) => {
    const origin = pageOrigin(lab.serverUrl);
    const results = lab.managers.map(async (manager) => {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      };
      const [get, preflight] = await Promise.all([
        health(manager),
        exchange(healthUrl(manager.url), { method: 'OPTIONS', headers, timeoutMs: exchangeTimeoutMs, signal }),
      ]);
      return { name: manager.name, access: corsAccess(get, preflight, origin) };
    });
    return corsFinding(await Promise.all(results), origin);
  }),
};
