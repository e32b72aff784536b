/** The Express app. Middleware runs in the order in which it is registered here. */
import cors from 'cors';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { clock } from '../api/time/clock.ts';
import { relayName } from '../api/lab/relay.ts';
import type { Access } from './access/access.ts';
import { callerKey, type IdentifyCaller } from './access/sender.ts';
import { identifyClient, trustProxy, warnOfUnconfiguredProxy } from './http/callers/client.ts';
import { dashboardRoutes, type DashboardDirectory } from './http/files/dashboard.ts';
import { guideRoutes } from './http/files/guide.ts';
import { errorHandler, sendError } from './http/errors.ts';
import { securityHeaders } from './http/headers.ts';
import { checkHost } from './http/callers/hostCheck.ts';
import { isApiPath } from './http/files/paths.ts';
import { rateLimit, relayRateLimit } from './http/callers/rateLimit.ts';
import type { RecentClients } from './http/callers/recentClients.ts';
import { checkRequestTarget, inOrder, requestScope } from './http/requests.ts';
import type { Log } from './logging/log.ts';
import type { LabMetrics } from './metrics/labMetrics.ts';
import type { RelayedCommands } from './relay/relayedCommands.ts';
import { relay } from './relay/relay.ts';
import { apiRoutes, type ApiParts } from './routes/api.ts';
import { docsRoutes } from './routes/docs.ts';
import { safetyStopRoutes } from './routes/safetyStop.ts';
import { sessionRoutes } from './routes/session.ts';
import type { ServiceIdentity } from './routes/labHealth.ts';
import { metricsRoute } from './routes/metrics.ts';
import type { SafetyStops } from './safetyStop/safetyStops.ts';
import type { LabSettings } from './settings/schema/types.ts';

export interface AppParts extends ApiParts {
  readonly dashboard: { readonly value: DashboardDirectory | null };
  readonly access: Access;
  readonly identifyCaller: IdentifyCaller;
  readonly metrics: LabMetrics;
  /** Records relayed commands. */
  readonly relayedCommands: RelayedCommands;
  readonly safetyStops: SafetyStops;
  /** Directory with Swagger UI's files. */
  readonly swaggerUi: string;
  /** Directory with the user guide's pages. */
  readonly help: string;
  readonly recentClients: RecentClients;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  readonly log: Log;
  /** For lines that any client can cause. */
  readonly throttledLog: Log;
}

export function createApp(parts: AppParts): Express {
  const { lab, metrics, service, access, telemetry, throttledLog: log } = parts;
  const { settings } = lab;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // API responses are small and always new; files have their own ETags.
  app.enable('case sensitive routing');
  app.set(
    'trust proxy',
    trustProxy(() => settings.value.trustedProxy),
  );

  app.use(
    inOrder(
      requestScope,
      requestLog(log, metrics),
      parts.recentClients.handler,
      warnOfUnconfiguredProxy(() => settings.value.trustedProxy, log),
      securityHeaders,
      checkRequestTarget,
      checkHost(settings),
      checkApiPaths(settings, (request) => callerKey(parts.identifySender(request).caller)),
    ),
  );
  app.use(apiRoutes(parts));
  app.use(safetyStopRoutes(parts));
  app.use(
    relay({
      settings,
      identifySender: parts.identifySender,
      identifyCaller: parts.identifyCaller,
      access,
      commands: parts.relayedCommands,
      trace: (...input) => telemetry.trace(...input),
      log: parts.log,
      stopping: parts.stopping,
    }),
  );
  app.use(metricsRoute(metrics, settings));
  app.use(sessionRoutes(parts.access));
  app.use(docsRoutes(() => apiInfo(settings.value, service), parts.swaggerUi));
  app.use('/definition', (_request, response) =>
    sendError(response, 404, 'Not Found: /definition no longer exists; use /context and /lab_health'),
  );
  app.use('/redoc', (_request, response) => sendError(response, 404, 'Not Found: the API is described at /docs'));

  app.use(guideRoutes(parts.help, () => parts.dashboard.value?.isBundled === true));
  app.use(dashboardRoutes(parts.dashboard, () => settings.value.labName));
  app.use(errorHandler(log));
  return app;
}

/** CORS, rate limit and `Cache-Control` of API paths, by their first segment. */
function checkApiPaths(
  settings: { readonly value: LabSettings },
  identifyUser: (request: Request) => string | null,
): RequestHandler {
  const readingLimit = rateLimit(settings, identifyUser);
  const shared = inOrder(crossOrigin(settings), rateLimit(settings, identifyUser), noStore);
  // Their response depends on the caller: pages of other origins must not read it.
  const sameOrigin = new Map<string, RequestHandler>([
    // Limited separately: a sign-in must be possible while pages of the same address use up the limit of the API.
    ['session', inOrder(rateLimit(settings, identifyUser), noStore)],
    // Only its readings: a press is never limited below one that starts a stop.
    [
      'safety_stop',
      inOrder(
        (request, response, next) =>
          request.method === 'GET' || request.method === 'HEAD' ? readingLimit(request, response, next) : next(),
        noStore,
      ),
    ],
    [relayName, inOrder(relayRateLimit(settings, identifyUser), noStore)],
  ]);
  return (request, response, next) => {
    if (!isApiPath(request.path)) return next();
    const handler = sameOrigin.get(request.path.split('/', 2)[1] ?? '') ?? shared;
    return handler(request, response, next);
  };
}

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

const exposedHeaders = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Burst-Limit',
  'X-RateLimit-Burst-Remaining',
].join();

/**
 * CORS as `LAB_CORS_ALLOWED_ORIGINS` configures it, preflights included; pages can read the headers of the rate limit.
 */
function crossOrigin(settings: { readonly value: LabSettings }): RequestHandler {
  const handler = cors((_request, done) => {
    const { corsAllowedOrigins } = settings.value;
    const origin = corsAllowedOrigins.includes('*') ? '*' : [...corsAllowedOrigins];
    done(null, { origin, methods: ['GET', 'HEAD'], exposedHeaders, maxAge: 600 });
  });
  return (request, response, next) => {
    // An OPTIONS request that is not a preflight gets a 405 from the path's route.
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    return request.method === 'OPTIONS' && !isPreflight ? next() : handler(request, response, next);
  };
}

function apiInfo(settings: LabSettings, service: ServiceIdentity) {
  const title = settings.labName ?? 'Lab Manager';
  return {
    title,
    description: settings.managerDescription ?? `${title}: context and health of the lab`,
    version: service.version,
  };
}

/** Counts each request, and logs one line at level DEBUG. */
function requestLog(log: Log, metrics: LabMetrics): RequestHandler {
  return (request, response, next) => {
    const started = clock.monotonic();
    // Read now, because the request may have lost its socket when the response finishes.
    const peer = identifyClient(request).address;
    response.once('finish', () => {
      metrics.countRequest(response.statusCode);
      log.debug(`${request.method} ${request.originalUrl} ${response.statusCode}`, {
        peer,
        protocol: request.protocol,
        ms: Math.round(clock.monotonic() - started),
      });
    });
    next();
  };
}
