/** `GET /context`: where every service of the lab is. */
import type { Router } from 'express';
import { contextFor } from '../http/advertise.ts';
import type { LabSettings } from '../settings/types.ts';
import { apiRoute } from './api.ts';

export function contextRoute(settings: () => LabSettings): Router {
  return apiRoute('/context', (request, response) => {
    const { context, advertisedHost } = settings();
    const { remoteAddress = '', localAddress = '' } = request.socket;
    response.json(contextFor(context, advertisedHost, { peer: remoteAddress, local: localAddress }));
  });
}
