/** The common part of all API paths, and the two endpoints that only report known data: `/context` and `/health`. */
import { Router, type RequestHandler } from 'express';
import { sendMethodNotAllowed } from '../http/errors.ts';
import { contextFor } from '../http/callers/advertise.ts';
import { clientOf } from '../http/callers/client.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { labManagerDescription, type Health } from '../../api/lab/lab.ts';

/** Handles GET and HEAD, with an optional trailing slash; any other method is a 405. */
export function apiRoute(path: string, handler: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: false });
  router.get(path, handler);
  router.all(path, (_request, response) => sendMethodNotAllowed(response));
  return router;
}

/** `GET /context`: the addresses of the lab's services. */
export function contextRoute(settings: () => LabSettings): Router {
  return apiRoute('/context', (request, response) => {
    const { context, advertisedHost, serverUrl } = settings();
    const { address, proxied } = clientOf(request);
    // Through a proxy the client reached the proxy's address, which is in LAB_SERVER_URL; our own is the one that the
    // proxy uses.
    const local = proxied ? new URL(serverUrl).hostname : (request.socket.localAddress ?? '');
    response.json(contextFor(context, advertisedHost, { peer: address, local }));
  });
}

/** `GET /health`: this service runs. */
export function healthRoute(version: string): Router {
  const body: Health = { healthy: true, description: labManagerDescription, version };
  return apiRoute('/health', (_request, response) => void response.json(body));
}
