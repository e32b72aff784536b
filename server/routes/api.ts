/** The routes of the API: one handler for each endpoint in `labApi`. */
import { Router, type RequestHandler } from 'express';
import type { Watch } from '../health/watch.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LabSummaries } from '../fleet/labSummary.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { sendMethodNotAllowed } from '../http/errors.ts';
import { sendJsonText } from '../http/jsonText.ts';
import { adaptContext } from '../http/callers/advertise.ts';
import { identifyClient } from '../http/callers/client.ts';
import type { IdentifySender } from '../access/sender.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { labManagerDescription, type Health } from '../../api/lab/lab.ts';
import { fleetApi } from '../../api/lab/fleetApi.ts';
import { labApi } from '../../api/lab/labApi.ts';
import { labHealthHandler, labHistoryHandler, type ServiceIdentity, type ServiceOwner } from './labHealth.ts';
import { managersHandler } from './managers.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { settingsHandler, type SettingsParts } from './settings.ts';

const endpoints = { ...labApi.endpoints, ...fleetApi.endpoints };
type EndpointName = keyof typeof endpoints;

export interface ApiParts extends SettingsParts {
  /** The settings in effect; read at each request, because they change while the service runs. */
  readonly settings: () => LabSettings;
  readonly watch: Watch;
  readonly history: HistoryRecorder;
  readonly summaries: LabSummaries;
  readonly fleet: Fleet;
  readonly service: ServiceIdentity;
  readonly owner: () => ServiceOwner;
  readonly identifySender: IdentifySender;
  readonly telemetry: Telemetry;
}

export function apiRoutes(parts: ApiParts): Router {
  const { watch, history, summaries, service } = parts;
  const handlers: Readonly<Record<EndpointName, RequestHandler>> = {
    getContext: contextHandler(parts.settings),
    getHealth: healthHandler(service.version, parts.telemetry),
    getLabHealth: labHealthHandler(watch, service.version),
    getLabHealthHistory: labHistoryHandler(watch, history, service, parts.settings, parts.owner),
    getSummary: (_request, response) => void response.type('json').send(summaries.text()),
    getFleetLabs: fleetHandler(parts.fleet),
    getManagers: managersHandler(parts.settings, parts.identifySender),
    getSettings: settingsHandler(parts),
  };
  const router = Router();
  for (const [name, handler] of Object.entries(handlers))
    router.use(apiRoute(endpoints[name as EndpointName].path, handler));
  return router;
}

/** Handles GET and HEAD, with an optional trailing slash; any other method is a 405. */
export function apiRoute(path: string, handler: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: false });
  router.get(path, handler);
  router.all(path, (_request, response) => sendMethodNotAllowed(response));
  return router;
}

/** `GET /context`: the addresses of the lab's services. */
function contextHandler(settings: () => LabSettings): RequestHandler {
  return (request, response) => {
    const { context, advertisedHost, serverUrl } = settings();
    const { address, isProxied } = identifyClient(request);
    // A client behind a proxy is connected to the proxy, whose address is in LAB_SERVER_URL.
    const local = isProxied ? new URL(serverUrl).hostname : (request.socket.localAddress ?? '');
    response.json(adaptContext(context, advertisedHost, { peer: address, local }));
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
  return (_request, response) => void response.json({ ...body, ...telemetry.health() } satisfies Health);
}
