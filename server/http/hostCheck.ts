/**
 * Decision 24, against DNS rebinding: where origins are restricted, a page in this machine's browser may not reach the
 * service under a name of its own choosing.
 */
import type { RequestHandler } from 'express';
import { hostname as machineName } from 'node:os';
import { sendError } from './errors.ts';
import { hostOfHeader, isLoopbackAddress, isLoopbackHost } from './peer.ts';

export interface HostQuestion {
  readonly allowedOrigins: readonly string[];
  /** The peer's IP address. */
  readonly peer: string;
  readonly hostHeader: string | undefined;
  /** `LAB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly machineName: string;
}

/** Whether the request names this service by a name it has. Only loopback peers are asked. */
export function isHostAllowed(question: HostQuestion): boolean {
  if (question.allowedOrigins.includes('*') || !isLoopbackAddress(question.peer)) return true;
  const host = hostOfHeader(question.hostHeader);
  if (host === null) return false;
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
