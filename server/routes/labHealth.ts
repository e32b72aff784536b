/** `GET /lab_health`: all managers asked now. `GET /lab_health/history`: what the watch saw, nobody asked. */
import { Router } from 'express';
import type { LabHistory } from '../../api/lab.ts';
import { historyWindowSeconds } from '../health/history.ts';
import type { Watch } from '../health/watch.ts';
import { sendError } from '../http/errors.ts';
import { apiRoute } from './api.ts';

export interface ServiceIdentity {
  readonly version: string;
  /** ISO 8601 UTC. */
  readonly started: string;
}

export function labHealthRoutes(watch: Watch, service: ServiceIdentity): Router {
  const router = Router();
  router.use(
    apiRoute('/lab_health', async (_request, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const body = await watch.labHealth(gone.signal, service.version);
      if (response.destroyed || response.headersSent) return;
      if (body === null) return sendError(response, 503, 'The lab manager is stopping');
      response.json(body);
    }),
    apiRoute('/lab_health/history', (_request, response) => void response.json(labHistoryBody(watch, service))),
  );
  return router;
}

export function labHistoryBody(watch: Watch, service: ServiceIdentity): LabHistory {
  return {
    ...watch.status(),
    service: { name: 'lab-manager', ...service },
    window_seconds: historyWindowSeconds,
    managers: watch.histories(),
  };
}
