/**
 * `GET /lab_health`: checks all managers now. `GET /lab_health/history`: the watch's observations, without new checks.
 */
import { hostname } from 'node:os';
import type { Request, RequestHandler } from 'express';
import type { LabHealth, LabHistory, ManagerHealth, ManagerStatus } from '../../api/lab/lab.ts';
import type { Watch } from '../health/watch.ts';
import type { LabModel } from '../lab/labModel.ts';
import { recentHours, type HistoryWindow } from '../history/labHistory.ts';
import { maxHours, type HistoryRecorder } from '../history/recorder.ts';
import { identifyClient } from '../http/callers/client.ts';
import { isLoopbackAddress } from '../net/peer.ts';
import { sendError } from '../http/errors.ts';
import { parseNumberQuery } from '../http/queryParameters.ts';
import {
  joinItems,
  encodeWithFallback,
  joinMembers,
  sendJsonText,
  sendWhole,
  encodeWithMember,
  mergeObjectTexts,
} from '../http/jsonText.ts';

export interface ServiceIdentity {
  readonly version: string;
  /** ISO 8601 UTC. */
  readonly started: string;
}

export type ServiceOwner = NonNullable<LabHistory['owner']>;

export function labHealthHandler(watch: Watch, version: string): RequestHandler {
  return async (request, response) => {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const body = await watch.labHealth(closed.signal, version);
    if (response.destroyed || response.headersSent) return;
    if (body === null) return sendError(response, 503, 'The lab manager is stopping');
    sendWhole(request, response, labHealthText(body));
  };
}

export function labHistoryHandler(
  lab: LabModel,
  history: HistoryRecorder,
  service: ServiceIdentity,
  owner: { readonly value: ServiceOwner },
): RequestHandler {
  return (request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const hours = parseNumberQuery(query, 'hours', { min: 1, max: maxHours });
    if (!hours.ok) return void response.status(422).json({ detail: [hours.problem] });
    const past = history.getWindow(hours.value ?? recentHours);
    const { remoteAccess, fleet, unsetAddresses } = lab.settings.value;
    const remote = remoteAccess === 'off' ? {} : { remote_access: remoteAccess };
    const labs = fleet.length === 0 ? {} : { fleet: fleet.length };
    const addresses = unsetAddresses.length === 0 ? {} : { unset_addresses: [...unsetAddresses] };
    const body = {
      ...recentLab(lab, past, service),
      client: clientMachine(request),
      ...(isLocalProgram(request) ? { owner: owner.value } : {}),
      ...remote,
      ...labs,
      ...addresses,
    };
    return sendJsonText(request, response, labHistoryText(body, past));
  };
}

/** The client's machine, which pages include in the records of commands. */
function clientMachine(request: Request): string {
  const { address } = identifyClient(request);
  return isLoopbackAddress(address) ? hostname() : address;
}

/** Whether a program on this machine sends the request: pages of other sites can read what a browser may. */
function isLocalProgram(request: Request): boolean {
  const isFromPage = request.get('origin') !== undefined || request.get('sec-fetch-site') !== undefined;
  return !isFromPage && isLoopbackAddress(identifyClient(request).address);
}

/** The reason in an entry that replaces a manager's response. */
const notEncodable = 'its answer cannot be written as JSON';

/** The body of `/lab_health`, each entry encoded separately: one manager's response cannot break the others' entries. */
export function labHealthText(body: LabHealth): string {
  const fallback: ManagerHealth = { healthy: false, description: notEncodable };
  const entries = Object.entries(body.managers).map(
    ([key, entry]) => [key, encodeWithFallback(entry, fallback)] as const,
  );
  return encodeWithMember({ ...body }, 'managers', joinMembers(entries));
}

/** The response without the fields of the history, which are encoded separately. */
interface RecentLab extends Omit<LabHistory, 'managers'> {
  readonly managers: readonly ManagerStatus[];
}

/** The body of `/lab_health/history`, encoded in the same way. */
export function labHistoryText(body: RecentLab, past: HistoryWindow): string {
  const { lab, managers } = encodePast(past);
  const entries = body.managers.map((manager) => {
    const fallback = { ...manager, health: { healthy: false, description: notEncodable } };
    return mergeObjectTexts(encodeWithFallback(manager, fallback), managers.get(manager.manager) ?? '{"changes":[]}');
  });
  return mergeObjectTexts(encodeWithMember({ ...body }, 'managers', joinItems(entries)), lab);
}

interface EncodedPast {
  readonly lab: string;
  readonly managers: ReadonlyMap<string, string>;
}
/** The encoded texts, for all pages that show the same window. */
const pastTexts = new WeakMap<HistoryWindow, EncodedPast>();

function encodePast(past: HistoryWindow): EncodedPast {
  const cached = pastTexts.get(past);
  if (cached !== undefined) return cached;
  const { incidents, maintenance, watched, managers } = past;
  const text: EncodedPast = {
    lab: JSON.stringify({ incidents, past_maintenance: maintenance, watched }),
    managers: new Map(
      [...managers].map(([key, { changes, availability, bars }]) => [
        key,
        JSON.stringify({ changes, availability, bars }),
      ]),
    ),
  };
  pastTexts.set(past, text);
  return text;
}

/** The current state of the lab. */
function recentLab(lab: LabModel, past: HistoryWindow, service: ServiceIdentity): RecentLab {
  return {
    ...lab.currentStatus(),
    service: { name: 'lab-manager', ...service },
    window_seconds: past.windowSeconds,
  };
}
