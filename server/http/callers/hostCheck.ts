/**
 * Protects against DNS rebinding: if origins are restricted, a page in a browser on the lab's network cannot reach the
 * service under an arbitrary host name.
 */
import { isLoopbackHost } from '#api/hosts.ts';
import type { RequestHandler } from 'express';
import { isIP } from 'node:net';
import { hostname as machineName } from 'node:os';
import type { LabSettings } from '../../settings/schema/types.ts';
import { sendError } from '../errors.ts';
import { parseHostHeader } from '../../net/peer.ts';

export type HostSettings = Pick<LabSettings, 'corsAllowedOrigins' | 'serverUrl' | 'advertisedHost' | 'allowedHosts'>;

/**
 * Whether the request's Host is a name of this service. Any IP address is accepted: rebinding needs a name. Every peer is
 * checked, because the misused browser may run on any machine.
 */
export function isHostAllowed(hostHeader: string | undefined, settings: HostSettings, machine: string): boolean {
  if (settings.corsAllowedOrigins.includes('*')) return true;
  const host = parseHostHeader(hostHeader)?.replace(/\.$/, '') ?? null;
  if (host === null) return false;
  if (isIP(host) !== 0 || isLoopbackHost(host)) return true;
  const shortName = machine.split('.', 1)[0] ?? machine;
  const ownHosts = [
    machine,
    shortName,
    `${shortName}.local`,
    new URL(settings.serverUrl).hostname,
    settings.advertisedHost ?? '',
    ...settings.allowedHosts,
  ];
  return ownHosts.some((name) => name.replace(/\.$/, '').toLowerCase() === host);
}

export function checkHost(settings: { readonly value: HostSettings }): RequestHandler {
  const machine = machineName();
  return (request, response, next) => {
    if (isHostAllowed(request.headers.host, settings.value, machine)) return next();
    sendError(
      response,
      421,
      'This lab manager is not served under that host name; use its address, LAB_SERVER_URL, or add the name to LAB_ALLOWED_HOSTS',
    );
  };
}
