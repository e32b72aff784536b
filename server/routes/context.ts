/** `GET /context`: where every service of the lab is. */
import type { Router } from 'express';
import { contextFor } from '../http/callers/advertise.ts';
import { clientOf } from '../http/callers/client.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { apiRoute } from './api.ts';

export function contextRoute(settings: () => LabSettings): Router {
  return apiRoute('/context', (request, response) => {
    const { context, advertisedHost, serverUrl } = settings();
    const { address, proxied } = clientOf(request);
    // Through a proxy it reached the proxy's address, which is LAB_SERVER_URL's; ours is the one the proxy uses.
    const local = proxied ? new URL(serverUrl).hostname : (request.socket.localAddress ?? '');
    response.json(contextFor(context, advertisedHost, { peer: address, local }));
  });
}
