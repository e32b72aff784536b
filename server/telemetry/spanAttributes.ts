/**
 * The names and attributes of the spans, by the semantic conventions of HTTP servers. Queries, which may contain
 * secrets, and names of users are left out.
 */
import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_CLIENT_ADDRESS,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_HEADER,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Request, Response } from 'express';
import type { Role } from '../../api/lab/access.ts';
import { relayFailureHeader, type RelayFailure } from '../../api/client/relayFailure.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { identifyClient } from '../http/callers/client.ts';
import { tryParseUrl } from '../../api/url.ts';

/** The properties of a relayed request that are known when it starts. */
export interface RelayedRequest {
  readonly manager: ManagerKey;
  /** The path with the names of its parameters in braces. */
  readonly route: string;
  /** `null` for a safety stop without a sign-in. */
  readonly role: Role | null;
}

/** The name of a span, without the IDs in the path, so that there are only a few different names. */
export function spanName({ method }: Pick<Request, 'method'>, { route }: RelayedRequest): string {
  return `${method} ${route}`;
}

export function startAttributes(request: Request, { manager, route, role }: RelayedRequest): Attributes {
  const [path = ''] = request.originalUrl.split('?', 1);
  return {
    [ATTR_HTTP_REQUEST_METHOD]: request.method,
    [ATTR_HTTP_ROUTE]: route,
    [ATTR_URL_SCHEME]: request.protocol,
    [ATTR_URL_PATH]: path,
    [ATTR_NETWORK_PROTOCOL_VERSION]: request.httpVersion,
    [ATTR_CLIENT_ADDRESS]: identifyClient(request).address,
    ...serverAttributes(request),
    'madsci.manager': manager,
    ...(role === null ? {} : { 'user.roles': [role] }),
  };
}

/** The host and port by which the client addressed this service. */
function serverAttributes({ protocol, host }: Pick<Request, 'protocol' | 'host'>): Attributes {
  const url = tryParseUrl(`${protocol}://${host ?? ''}`);
  if (url === null) return {};
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { [ATTR_SERVER_ADDRESS]: url.hostname, [ATTR_SERVER_PORT]: port };
}

/** The attributes from the response. Only failures of this service or of a manager are errors, not refused requests. */
export function endAttributes(response: Response): { readonly attributes: Attributes; readonly isError: boolean } {
  if (!response.headersSent) return { attributes: { [ATTR_ERROR_TYPE]: 'aborted' }, isError: false };
  const { statusCode } = response;
  const failureHeader = response.getHeader(relayFailureHeader);
  const failure = failureHeader === ('refused' satisfies RelayFailure) ? undefined : failureHeader;
  const age = response.getHeader('Age');
  const isError = statusCode >= 500;
  return {
    attributes: {
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: statusCode,
      // A positive age means that the response was shared, and that the manager received no request.
      ...(age === undefined ? {} : { [ATTR_HTTP_RESPONSE_HEADER('age')]: [String(age)] }),
      ...(isError ? { [ATTR_ERROR_TYPE]: String(failure ?? statusCode) } : {}),
    },
    isError,
  };
}
