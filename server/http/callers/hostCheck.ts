/**
 * Against DNS rebinding: where origins are restricted, a page in this machine's browser may not reach the
 * service under a name of its own choosing.
 */
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { RequestHandler } from 'express';
import { isIP } from 'node:net';
import { hostname as machineName } from 'node:os';
import { clientOf } from './client.ts';
import { sendError } from '../errors.ts';
import { hostOfHeader, isLoopbackAddress } from './peer.ts';

export interface HostQuestion {
  readonly allowedOrigins: readonly string[];
  /** IP address of the connection's peer: the proxy where there is one. */
  readonly peer: string;
  /** A trusted proxy speaks for another machine. */
  readonly proxied: boolean;
  readonly hostHeader: string | undefined;
  /** `LAB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly machineName: string;
}

/**
 * Whether the request names this service by a name it has. Only loopback peers are asked. A proxy on this machine is one
 * of them: whatever it says of its client, a page in this machine's browser could say as well. For other machines the proxy
 * may be reached by address too; rebinding needs a name.
 */
export function isHostAllowed(question: HostQuestion): boolean {
  if (question.allowedOrigins.includes('*') || !isLoopbackAddress(question.peer)) return true;
  const host = hostOfHeader(question.hostHeader);
  if (host === null) return false;
  if (question.proxied && isIP(host) !== 0) return true;
  const own = [question.machineName, `${question.machineName}.local`, new URL(question.serverUrl).hostname];
  return isLoopbackHost(host) || own.some((name) => name.replace(/^\[|\]$/g, '').toLowerCase() === host);
}

export function hostCheck(
  settings: () => { corsAllowedOrigins: readonly string[]; serverUrl: string },
): RequestHandler {
  const machine = machineName();
  return (request, response, next) => {
    const { corsAllowedOrigins, serverUrl } = settings();
    const allowed = isHostAllowed({
      allowedOrigins: corsAllowedOrigins,
      peer: request.socket.remoteAddress ?? '',
      proxied: clientOf(request).proxied,
      hostHeader: request.headers.host,
      serverUrl,
      machineName: machine,
    });
    if (allowed) return next();
    sendError(
      response,
      421,
      'This lab manager is not served under that host name; use localhost or its LAB_SERVER_URL',
    );
  };
}
