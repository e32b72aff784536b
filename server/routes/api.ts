/** The routes of the API: one handler for each endpoint in `labApi`. */
import type { ReadonlySignal } from '@preact/signals-core';
import type { RequestHandler } from 'express';
import type { Watch } from '../health/watch.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LabSummaries } from '../fleet/labSummary.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { sendError, sendMethodNotAllowed } from '../http/errors.ts';
import { sendJsonText, sendWhole } from '../http/jsonText.ts';
import { adaptContext } from '../http/callers/advertise.ts';
import { identifyClient } from '../http/callers/client.ts';
import { isThisMachine } from '../net/interfaces.ts';
import type { IdentifySender } from '../access/sender.ts';
import { labManagerDescription, type Health, type LabContext } from '../../api/lab/lab.ts';
import { fleetApi } from '../../api/lab/fleetApi.ts';
import { labApi } from '../../api/lab/labApi.ts';
import { labHealthHandler, labHistoryHandler, type ServiceIdentity, type ServiceOwner } from './labHealth.ts';
import { managersHandler } from './managers.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { settingsHandler, type SettingsParts } from './settings.ts';

const endpoints = { ...labApi.endpoints, ...fleetApi.endpoints };
type EndpointName = keyof typeof endpoints;

export interface ApiParts extends SettingsParts {
  /** Whether only this machine gets the addresses, because no lab is chosen yet. */
  readonly withholdsContext: ReadonlySignal<boolean>;
  readonly lab: LabModel;
  readonly watch: Watch;
  readonly history: HistoryRecorder;
  readonly summaries: LabSummaries;
  readonly fleet: Fleet;
  readonly service: ServiceIdentity;
  readonly owner: { readonly value: ServiceOwner };
  readonly identifySender: IdentifySender;
  readonly telemetry: Telemetry;
}

export function apiRoutes(parts: ApiParts): RequestHandler {
  const { lab, watch, history, summaries, service } = parts;
  const handlers: Readonly<Record<EndpointName, RequestHandler>> = {
    getContext: contextHandler(parts),
    getHealth: healthHandler(service.version, parts.telemetry),
    getLabHealth: labHealthHandler(watch, service.version),
    getLabHealthHistory: labHistoryHandler(lab, history, service, parts.owner),
    getSummary: (request, response) => sendWhole(request, response, summaries.text()),
    getFleetLabs: fleetHandler(parts.fleet),
    getManagers: managersHandler(lab.settings, parts.identifySender),
    getSettings: settingsHandler(parts),
  };
  return exactRoutes(
    (Object.keys(handlers) as readonly EndpointName[]).map((name) => {
      const handler = addressEndpoints.has(name) ? withholdFromOthers(handlers[name], parts) : handlers[name];
      return [endpoints[name].path, handler] as const;
    }),
  );
}

/**
 * Handles GET and HEAD of these paths, with an optional trailing slash; any other method is a 405. One look-up finds the
 * path, because a router would compare it with each.
 */
export function exactRoutes(routes: Iterable<readonly [path: string, handler: RequestHandler]>): RequestHandler {
  const handlers = new Map(routes);
  return (request, response, next) => {
    const { path, method } = request;
    const handler = handlers.get(path) ?? (path.endsWith('/') ? handlers.get(path.slice(0, -1)) : undefined);
    if (handler === undefined) return next();
    if (method !== 'GET' && method !== 'HEAD') return sendMethodNotAllowed(response);
    return handler(request, response, next);
  };
}

/** The response to other machines while an app has no settings. */
const noLabChosen =
  'No lab is chosen in the Lab Manager app of this machine yet, so other machines get no addresses from it. Choose a lab in the app.';

/** Endpoints whose responses contain the addresses of the lab's services. */
const addressEndpoints: ReadonlySet<EndpointName> = new Set([
  'getContext',
  'getLabHealth',
  'getLabHealthHistory',
  'getSummary',
  'getSettings',
]);

function withholdFromOthers(
  handler: RequestHandler,
  { withholdsContext }: Pick<ApiParts, 'withholdsContext'>,
): RequestHandler {
  return (request, response, next) =>
    withholdsContext.value && !isThisMachine(identifyClient(request).address)
      ? sendError(response, 503, noLabChosen)
      : handler(request, response, next);
}

/** `GET /context`: the addresses of the lab's services, encoded once for all clients that get the same ones. */
function contextHandler({ lab: { settings } }: Pick<ApiParts, 'lab'>): RequestHandler {
  let encoded: { readonly context: LabContext; readonly text: string } | null = null;
  return (request, response) => {
    const { context, advertisedHost, serverUrl } = settings.value;
    if (advertisedHost !== null) {
      const { address, isProxied } = identifyClient(request);
      // A client behind a proxy is connected to the proxy, whose address is in LAB_SERVER_URL.
      const local = isProxied ? new URL(serverUrl).hostname : (request.socket.localAddress ?? '');
      return void response.json(adaptContext(context, advertisedHost, { peer: address, local }));
    }
    if (encoded?.context !== context) encoded = { context, text: JSON.stringify(context) };
    sendWhole(request, response, encoded.text);
  };
}

/** `GET /fleet/labs`: one body for all clients, which they revalidate by its ETag. */
function fleetHandler(fleet: Fleet): RequestHandler {
  return (request, response) => {
    const { tag, text } = fleet.snapshot();
    response.setHeader('Cache-Control', 'no-cache').setHeader('ETag', tag);
    if (request.fresh) return void response.status(304).end();
    return sendJsonText(request, response, text);
  };
}

/** `GET /health`: this service runs. */
function healthHandler(version: string, telemetry: Telemetry): RequestHandler {
  const body: Health = { healthy: true, description: labManagerDescription, version };
  const text = JSON.stringify(body);
  return (request, response) => {
    const traces = telemetry.health();
    sendWhole(request, response, traces === null ? text : JSON.stringify({ ...body, ...traces } satisfies Health));
  };
}
