/** `GET /lab_health`: all managers asked now. `GET /lab_health/history`: what the watch saw, nobody asked. */
import { hostname } from 'node:os';
import { Router, type Request } from 'express';
import type { LabHealth, LabHistory, ManagerHealth, ManagerHistory } from '../../api/lab/lab.ts';
import { historyWindowSeconds } from '../health/history.ts';
import type { Watch } from '../health/watch.ts';
import { mostHours, type HistoryRecorder, type LabPast } from '../history/recorder.ts';
import { clientOf } from '../http/callers/client.ts';
import { isLoopbackAddress } from '../http/callers/peer.ts';
import { sendError } from '../http/errors.ts';
import { numberQuery } from '../http/numberQuery.ts';
import { arrayText, encodedOr, objectText, withMember } from '../http/outgoing/jsonText.ts';
import { apiRoute } from './api.ts';

export interface ServiceIdentity {
  readonly version: string;
  /** ISO 8601 UTC. */
  readonly started: string;
}

export function labHealthRoutes(watch: Watch, history: HistoryRecorder, service: ServiceIdentity): Router {
  const router = Router();
  router.use(
    apiRoute('/lab_health', async (_request, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const body = await watch.labHealth(gone.signal, service.version);
      if (response.destroyed || response.headersSent) return;
      if (body === null) return sendError(response, 503, 'The lab manager is stopping');
      response.type('json').send(labHealthText(body));
    }),
    apiRoute('/lab_health/history', (request, response) => {
      const query = new URL(request.url, 'http://localhost').searchParams;
      const hours = numberQuery(query, 'hours', { least: 1, most: mostHours });
      if (!hours.ok) return void response.status(422).json({ detail: [hours.problem] });
      const past = hours.value === null ? null : history.past(hours.value);
      const body = { ...labHistoryBody(watch, service, past), client: machineOf(request) };
      response.type('json').send(labHistoryText(body));
    }),
  );
  return router;
}

/** Stated by pages where they record a command. */
function machineOf(request: Request): string {
  const { address } = clientOf(request);
  return isLoopbackAddress(address) ? hostname() : address;
}

/** Why an entry isn't what the manager said. */
const notEncodable = 'its answer cannot be written as JSON';

/** The body of `/lab_health`, each entry encoded on its own: one manager's can't take down what is said of the others. */
export function labHealthText(body: LabHealth): string {
  const standIn: ManagerHealth = { healthy: false, description: notEncodable };
  const entries = Object.entries(body.managers).map(([key, entry]) => [key, encodedOr(entry, standIn)] as const);
  return withMember({ ...body }, 'managers', objectText(entries));
}

/** The body of `/lab_health/history`, likewise. */
export function labHistoryText(body: LabHistory): string {
  const entries = body.managers.map((manager) => {
    const standIn: ManagerHistory = { ...manager, health: { healthy: false, description: notEncodable } };
    return encodedOr(manager, standIn);
  });
  return withMember({ ...body }, 'managers', arrayText(entries));
}

/** @param past of a window that was asked for; the last two hours without it */
export function labHistoryBody(watch: Watch, service: ServiceIdentity, past: LabPast | null = null): LabHistory {
  return {
    ...watch.status(),
    service: { name: 'lab-manager', ...service },
    window_seconds: past?.windowSeconds ?? historyWindowSeconds,
    managers: watch.histories().map((manager) => ({ ...manager, ...past?.managers.get(manager.manager) })),
    ...(past === null ? {} : { incidents: past.incidents, past_maintenance: past.maintenance, watched: past.watched }),
  };
}
