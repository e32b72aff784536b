/** The Express app. Its middleware runs in the order of its lines. */
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { relayName } from '../api/lab/relay.ts';
import type { Delivery } from '../api/lab/lab.ts';
import type { IdentityReport } from '../api/lab/settings.ts';
import type { Watch } from './health/watch.ts';
import type { HistoryRecorder } from './history/recorder.ts';
import { clientOf, trustProxy, unnamedProxyWarning } from './http/callers/client.ts';
import { dashboardRoutes, type DashboardDirectory } from './http/files/dashboard.ts';
import { guideRoutes } from './http/files/guide.ts';
import { errorAnswers, sendError } from './http/errors.ts';
import { securityHeaders } from './http/headers.ts';
import { loopbackRole, type RoleOf } from './http/callers/loopbackRole.ts';
import { hostCheck } from './http/callers/hostCheck.ts';
import { reservedNames } from './http/files/paths.ts';
import { rateLimit, relayLimits } from './http/callers/rateLimit.ts';
import type { Visitors } from './http/callers/visitors.ts';
import { requestTarget, requestScope } from './http/requests.ts';
import type { Log } from './logging/log.ts';
import { throttled } from './logging/throttle.ts';
import { relay } from './relay/relay.ts';
import { contextRoute, healthRoute } from './routes/api.ts';
import { docsRoutes } from './routes/docs.ts';
import { managersRoute } from './routes/managers.ts';
import { labHealthRoutes, type ServiceIdentity } from './routes/labHealth.ts';
import { settingsRoute } from './routes/settings.ts';
import type { EffectiveSetting, LabSettings } from './settings/schema/types.ts';

export interface AppParts {
  /** The settings in effect; read at each request, because they change while the service runs. */
  readonly settings: () => LabSettings;
  readonly effective: () => readonly EffectiveSetting[];
  /** `undefined` if the settings do not use an ID from the ID registry. */
  readonly identity: () => IdentityReport | undefined;
  /** The delivery status of the notifications to each webhook. */
  readonly deliveries: () => readonly Delivery[];
  readonly dashboard: () => DashboardDirectory | null;
  readonly watch: Watch;
  readonly history: HistoryRecorder;
  readonly service: ServiceIdentity;
  /** Directory with Swagger UI's files. */
  readonly swaggerUi: string;
  /** Directory with the user guide's pages. */
  readonly help: string;
  readonly visitors: Visitors;
  /** The role of a caller in the relay; by default that of a lab without users. */
  readonly roleOf?: RoleOf | undefined;
  readonly log: Log;
}

export function createApp(parts: AppParts): Express {
  const { settings, watch, history, service, roleOf = loopbackRole } = parts;
  const log = throttled(parts.log);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // API responses are small and always new; files have their own ETags.
  app.enable('case sensitive routing');
  app.set(
    'trust proxy',
    trustProxy(() => settings().trustedProxy),
  );

  app.use(requestScope);
  app.use(requestLog(log));
  app.use(parts.visitors.handler);
  app.use(unnamedProxyWarning(() => settings().trustedProxy, log));
  app.use(securityHeaders);
  app.use(requestTarget);
  app.use(hostCheck(settings));
  app.use(forApi(crossOrigin(settings), isOwnApi));
  app.use(forApi(rateLimit(settings), isOwnApi));
  app.use(
    forApi(
      rateLimit(() => relayLimits(settings())),
      isRelayName,
    ),
  );
  app.use(forApi(noStore));

  app.use(healthRoute(service.version));
  app.use(contextRoute(settings));
  app.use(labHealthRoutes(watch, history, service, () => settings().remoteAccess));
  app.use(settingsRoute(parts));
  app.use(managersRoute(settings, roleOf));
  app.use(relay({ settings, roleOf, log }));
  app.use(docsRoutes(() => apiInfo(settings(), service), parts.swaggerUi));
  app.use('/definition', (_request, response) =>
    sendError(response, 404, 'Not Found: /definition no longer exists; use /context and /lab_health'),
  );
  app.use('/redoc', (_request, response) => sendError(response, 404, 'Not Found: the API is described at /docs'));

  app.use(guideRoutes(parts.help, () => parts.dashboard()?.bundled === true));
  app.use(dashboardRoutes(parts.dashboard));
  app.use(errorAnswers(log));
  return app;
}

/** Applies the handler only to API paths: static files are neither counted nor open to other origins. */
function forApi(handler: RequestHandler, isFor: (name: string) => boolean = () => true): RequestHandler {
  return (request, response, next) => {
    const first = request.path.split('/', 2)[1];
    return reservedNames.some((name) => name === first && isFor(name)) ? handler(request, response, next) : next();
  };
}

/** Pages of other origins must not use the relay with the rights of the person who opened them. */
const isRelayName = (name: string): boolean => name === relayName;
const isOwnApi = (name: string): boolean => name !== relayName;

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * CORS as `LAB_CORS_ALLOWED_ORIGINS` configures it, preflights included; pages can read the headers of the rate limit.
 */
function crossOrigin(settings: () => LabSettings): RequestHandler {
  const handler = cors((_request, done) => {
    const { corsAllowedOrigins } = settings();
    done(null, {
      origin: corsAllowedOrigins.includes('*') ? '*' : [...corsAllowedOrigins],
      methods: ['GET', 'HEAD'],
      exposedHeaders: [
        'Retry-After',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'X-RateLimit-Burst-Limit',
        'X-RateLimit-Burst-Remaining',
      ],
      maxAge: 600,
    });
  });
  return (request, response, next) => {
    const isOurs = request.method !== 'OPTIONS' || request.headers['access-control-request-method'] !== undefined;
    // An OPTIONS request that is not a CORS preflight is an unsupported method of the path.
    return isOurs ? handler(request, response, next) : next();
  };
}

function apiInfo(settings: LabSettings, service: ServiceIdentity) {
  const title = settings.managerName ?? 'Lab Manager';
  return {
    title,
    description: settings.managerDescription ?? `${title}: context and health of the lab`,
    version: service.version,
  };
}

/** Logs one line per request at level DEBUG. */
function requestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    // Afterwards the request may have no socket any more.
    const peer = clientOf(request).address;
    response.once('finish', () =>
      log.debug(`${request.method} ${request.originalUrl} ${response.statusCode}`, {
        peer,
        protocol: request.protocol,
        ms: Math.round(performance.now() - started),
      }),
    );
    next();
  };
}
