/**
 * The relay: sends a request to `/managers/<key>/…` on to the manager's address in the settings. `route.ts` decides which
 * requests are relayed, and `headers.ts` which of their headers; this module sends them, within limits.
 */
import type { Request, RequestHandler, Response } from 'express';
import { clock } from '../../api/time/clock.ts';
import type { Role } from '../../api/lab/access.ts';
import { changesPath } from '../../api/lab/changes.ts';
import { idempotencyHeader, relayName } from '../../api/lab/relay.ts';
import { errorText } from '../../api/errorText.ts';
import { isRead } from '../../api/client/endpoint.ts';
import { relayFailureHeader, type RelayFailure } from '../../api/client/relayFailure.ts';
import { contextKey, managerTitle, type ManagerKey } from '../../api/managers.ts';
import { identifyClient } from '../http/callers/client.ts';
import { isCrossOrigin } from '../http/callers/sameOrigin.ts';
import { sendError } from '../http/errors.ts';
import type { Access } from '../access/access.ts';
import { callerKey, type Caller, type IdentifyCaller, type Sender, type IdentifySender } from '../access/sender.ts';
import type { Log } from '../logging/log.ts';
import { StreamError, type StreamFailure } from '../net/streamedExchange.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { finished, pipeline } from 'node:stream';
import { recordCommand } from './recordCommand.ts';
import type { RelayedCommands } from './relayedCommands.ts';
import { headersWithBody, readWhole } from './requestBody.ts';
import { parseFreshness, SharedReads } from './sharedReads.ts';
import { Changes } from './changes.ts';
import { headersForManager } from './headers.ts';
import { Managers, RelayError, type FileResponse, type ManagerRequest } from './managers.ts';
import { BufferedResponse, defaultLimits, MemoryBudget, UnreadQuota, type RelayLimits } from './memory.ts';
import { ReceivedKeys } from './receivedKeys.ts';
import {
  managerUrl,
  findRoute,
  isRelayed,
  refuseAccess,
  type Refusal,
  type RelayRoute,
  type RouteResult,
} from './route.ts';

export interface RelayParts {
  readonly commands: RelayedCommands;
  readonly settings: { readonly value: Pick<LabSettings, 'context' | 'remoteAccess'> };
  readonly identifySender: IdentifySender;
  /** Identifies the current caller of a request, because the caller of an open stream may lose its role. */
  readonly identifyCaller: IdentifyCaller;
  /** Finds commands that may be forged although they come from the same origin. */
  readonly access: Pick<Access, 'tokenProblem'>;
  /** Begins the trace of a request. @returns the headers by which the manager continues it */
  readonly trace: Telemetry['trace'];
  /** Receives one line per command, without throttling. */
  readonly log: Log;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  readonly limits?: Partial<RelayLimits>;
}

const mebibyte = 1024 * 1024;

/** The maximum size of the body of a query, in bytes. */
const maxQueryBytes = mebibyte;

export function relay(parts: RelayParts): RequestHandler {
  const { settings, identifySender, identifyCaller, access, log, stopping, limits } = parts;
  const allLimits = { ...defaultLimits, ...limits };
  const memory = new MemoryBudget(allLimits);
  const unread = new UnreadQuota(allLimits.unreadBytes);
  const managers = new Managers(memory);
  const reads = new SharedReads((managerRequest) => managers.send(managerRequest), memory);
  const keys = new ReceivedKeys();
  const changes = new Changes({ reads, settings, stopping });
  return async (request, response, next) => {
    if (!isRelayed(request.originalUrl)) return next();
    const current = settings.value;
    const sender = identifySender(request);
    if (request.originalUrl === changesPath) {
      const refusal = refuseStream(request, current.remoteAccess, sender.caller?.role ?? null);
      if (refusal !== null) return refuse(response, refusal);
      return changes.open(request, response, () =>
        settings.value.remoteAccess === 'off' ? null : identifyCaller(request),
      );
    }
    const routed = admit(request, current.remoteAccess, sender);
    if (!routed.ok) return refuse(response, routed.refusal);
    const { route } = routed;
    const isCommand = !isRead(route.endpoint);
    const forgery = isCommand ? access.tokenProblem(request) : null;
    if (forgery !== null) return refuse(response, { status: 403, detail: `Forbidden: ${forgery}` });
    const client = callerKey(sender.caller) ?? identifyClient(request).address;
    if (isCommand && keys.isRepeated(client, request.get(idempotencyHeader))) return refuseRepetition(response);
    const address = current.context[contextKey(route.manager)];
    if (address === null)
      return refuse(response, { status: 404, detail: `Not Found: the lab has no ${managerTitle(route.manager)}` });
    const traceHeaders = parts.trace(request, response, {
      manager: route.manager,
      route: `/${relayName}/${route.manager}${route.endpoint.path}`,
      role: sender.caller?.role ?? null,
    });
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    if (isCommand) logCommand(request, response, sender, log);
    // Some endpoints need more time than the service's limit for connections without data.
    request.setTimeout(Math.max(30_000, (route.endpoint.timeoutMs ?? 0) + 10_000));
    try {
      const { signal } = closed;
      const isOfOperator = sender.caller?.role !== 'viewer';
      const origin = { request, client, isOfOperator, signal, traceHeaders };
      const managerRequest = createManagerRequest(route, address, origin);
      const { receiveTimeoutMs } = allLimits;
      const delivery: Delivery = { response, client, unread: isCommand ? null : unread, receiveTimeoutMs };
      if (isCommand) {
        const command = { request, response, sender, managerRequest, route, managers, stopping };
        const recorded = await recordCommand(parts.commands, command);
        const result = sendCommand(recorded.managerRequest, managers, reads, recorded.onResponse);
        await send(delivery, await result.finally(() => changes.onCommand(route.manager)));
      } else if (route.endpoint.response === 'blob') await send(delivery, await managers.send(managerRequest));
      else await sendShared(request, delivery, managerRequest, reads);
    } catch (error) {
      if (!closed.signal.aborted) sendRelayFailure(response, route.manager, address, error);
    }
  };
}

/** Returns the route of a request, or why the caller may not send it. */
function admit(request: Request, mode: LabSettings['remoteAccess'], { caller }: Sender): RouteResult {
  const role = caller?.role ?? null;
  const routed = findRoute(request.method, request.originalUrl);
  // A path that cannot be decoded gets a 400 for every client. For any other path, a client without a role learns nothing.
  const isDecodable = routed.ok || routed.refusal.status !== 400;
  const earlyRefusal = (isDecodable ? refuseAccess(mode, role, null) : null) ?? refuseOtherOrigin(request);
  if (earlyRefusal !== null) return { ok: false, refusal: earlyRefusal };
  if (!routed.ok) return routed;
  const { endpoint } = routed.route;
  const refusal = refuseAccess(mode, role, endpoint) ?? refuseBody(request, endpoint.body?.type);
  return refusal === null ? routed : { ok: false, refusal };
}

function refuseOtherOrigin({ headers }: Request): Refusal | null {
  if (!isCrossOrigin(headers)) return null;
  return { status: 403, detail: 'Forbidden: this request comes from a page of another origin' };
}

/** Why a request gets no stream of changes. */
function refuseStream(request: Request, mode: LabSettings['remoteAccess'], role: Role | null): Refusal | null {
  const refusal = refuseAccess(mode, role, null) ?? refuseOtherOrigin(request);
  if (refusal !== null || request.method === 'GET') return refusal;
  return { status: 405, detail: 'Method Not Allowed', allow: 'GET' };
}

/**
 * Refuses a body whose media type the endpoint does not accept. `text/plain` is refused because a form of another origin
 * can send it without a preflight. Forms without files may use either encoding.
 */
function refuseBody({ headers }: Request, type: 'json' | 'multipart' | undefined): Refusal | null {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === undefined || !hasBody) return null;
  const expected =
    type === 'json'
      ? /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
      : /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\s*(?:;|$)/i;
  if (expected.test(headers['content-type'] ?? '')) return null;
  return {
    status: 415,
    detail: `Unsupported Media Type: this request needs a body that is ${type === 'json' ? 'JSON' : 'a form'}`,
  };
}

/** Creates the request to the manager. A body is omitted if the endpoint has none. */
function createManagerRequest(
  route: RelayRoute,
  address: string,
  {
    request,
    client,
    isOfOperator,
    signal,
    traceHeaders,
  }: Pick<ManagerRequest, 'client' | 'isOfOperator' | 'signal'> & {
    readonly request: Request;
    readonly traceHeaders: Readonly<Record<string, string>>;
  },
): ManagerRequest {
  const { manager, endpoint } = route;
  const hasBody = endpoint.body !== undefined;
  return {
    manager,
    client,
    isOfOperator,
    endpoint,
    url: managerUrl(route, address),
    headers: { ...headersForManager(request.headers, hasBody), ...traceHeaders },
    body: hasBody ? request : null,
    signal,
  };
}

/** Invalidates the shared reads before and after the command, because the manager may apply it at any time in between. */
async function sendCommand(
  managerRequest: ManagerRequest,
  managers: Managers,
  reads: SharedReads,
  onResponse: (response: BufferedResponse | FileResponse) => void | Promise<void>,
): Promise<BufferedResponse | FileResponse> {
  reads.invalidate(managerRequest.manager);
  const response = await managers.send(managerRequest).finally(() => reads.invalidate(managerRequest.manager));
  await onResponse(response);
  return response;
}

/** How a response is sent to its client. */
interface Delivery {
  readonly response: Response;
  readonly client: string;
  /** `null` for commands, whose responses must not be refused. */
  readonly unread: UnreadQuota | null;
  readonly receiveTimeoutMs: number;
}

async function sendShared(
  request: Request,
  delivery: Delivery,
  managerRequest: ManagerRequest,
  reads: SharedReads,
): Promise<void> {
  const { response } = delivery;
  const body = managerRequest.body === null ? null : await readWhole(request, maxQueryBytes);
  const headers = body === null ? managerRequest.headers : headersWithBody(managerRequest.headers, body);
  const freshness = parseFreshness(request.headers['cache-control']);
  const { response: managerResponse, etag, ageMs } = await reads.read({ ...managerRequest, body, headers }, freshness);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Age', String(Math.round(ageMs / 1000)));
  if (managerResponse.status !== 200) return send(delivery, managerResponse);
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match'] !== etag) return send(delivery, managerResponse);
  managerResponse.release();
  response.status(304).end();
}

/** @throws RelayError if the client has to receive earlier responses first */
async function send(
  { response, client, unread, receiveTimeoutMs }: Delivery,
  managerResponse: BufferedResponse | FileResponse,
): Promise<void> {
  const isBuffered = managerResponse instanceof BufferedResponse;
  const onReceived = isBuffered && unread ? unread.add(client, managerResponse.body.length) : () => undefined;
  if (onReceived === null) {
    if (isBuffered) managerResponse.release();
    throw new RelayError(503, 'earlier answers of this client are not received yet; try again in a moment');
  }
  response.status(managerResponse.status);
  // Express would add a charset to the type.
  for (const [name, value] of Object.entries(managerResponse.headers)) response.setHeader(name, value);
  if (isBuffered) {
    const timeout = clock.setTimeout(() => response.destroy(), receiveTimeoutMs);
    // Also if the client has disconnected already: `close` is not emitted again.
    finished(response, () => {
      clock.clearTimeout(timeout);
      onReceived();
      managerResponse.release();
    });
    return void response.end(managerResponse.body);
  }
  await new Promise<void>((resolve, reject) =>
    pipeline(managerResponse.body, response, (error) => (error ? reject(error) : resolve())),
  );
}

function refuse(response: Response, { status, detail, allow }: Refusal): void {
  if (allow !== undefined) response.setHeader('Allow', allow);
  response.setHeader(relayFailureHeader, 'refused' satisfies RelayFailure);
  sendError(response, status, detail);
}

/** The first request with this key may have been executed, and its response is lost. */
function refuseRepetition(response: Response): void {
  response.setHeader(relayFailureHeader, 'lost' satisfies RelayFailure);
  const reason = 'the command was received before, and its response was lost: it is not sent again';
  sendError(response, 409, reason, { reason });
}

/** How each failure is reported: its status, and whether the manager may have received the request. */
const failureResponses: Readonly<
  Record<StreamFailure, { readonly status: number; readonly relayFailure: RelayFailure }>
> = {
  unreachable: { status: 502, relayFailure: 'unreachable' },
  timeout: { status: 504, relayFailure: 'timeout' },
  lost: { status: 502, relayFailure: 'lost' },
  tooLong: { status: 502, relayFailure: 'lost' },
  tooMuch: { status: 413, relayFailure: 'refused' },
  aborted: { status: 400, relayFailure: 'refused' },
  invalid: { status: 400, relayFailure: 'refused' },
};

function findFailureResponse(error: unknown): (typeof failureResponses)[StreamFailure] | null {
  if (error instanceof RelayError)
    return { status: error.status, relayFailure: error.status === 503 ? 'refused' : 'lost' };
  return error instanceof StreamError ? failureResponses[error.failure] : null;
}

function sendRelayFailure(response: Response, manager: ManagerKey, address: string, error: unknown): void {
  const report = findFailureResponse(error);
  if (report === null) throw error;
  // The client must not take the part that is already sent for a complete response.
  if (response.headersSent) return void response.socket?.destroy();
  const { status, relayFailure } = report;
  response.setHeader(relayFailureHeader, relayFailure);
  if (status === 503) response.setHeader('Retry-After', '1');
  // The unread rest of the body would be parsed as the next request.
  if (error instanceof StreamError && (error.failure === 'tooMuch' || error.failure === 'aborted'))
    response.setHeader('Connection', 'close');
  const reason = errorText(error).replace(/^Failed to connect: /, '');
  sendError(response, status, `${managerTitle(manager)} at ${address}: ${reason}`, { reason });
}

function logCommand(request: Request, response: Response, { caller, expiredCaller }: Sender, log: Log): void {
  const [path] = request.originalUrl.split('?');
  const describe = ({ name, role, via }: Caller, suffix = '') => `“${name}” (${role}, ${via}${suffix})`;
  const sender = caller
    ? describe(caller)
    : expiredCaller
      ? describe(expiredCaller, ', expired')
      : 'a client that is not signed in';
  const command = `Relayed ${request.method} ${path} for ${sender} from ${identifyClient(request).address}`;
  const logOutcome = (): void =>
    log.info(
      `${command}: ${response.headersSent ? response.statusCode : 'the client disconnected before the response'}`,
    );
  // If the client disconnects, the event is emitted outside the request's async context.
  response.once('close', AsyncLocalStorage.bind(logOutcome));
}
