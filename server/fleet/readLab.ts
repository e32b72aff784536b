/**
 * Reads one lab of the fleet: the summary, or only the health of the managers if its lab manager has no summary. The response
 * is untrusted, and its clock may be wrong, so all times are converted to this machine's clock.
 */
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { clock } from '../../api/time/clock.ts';
import { labSummary, type LabSummary } from '../../api/lab/fleet.ts';
import { labStates } from '../../api/states.ts';
import { healthInLabHealth } from '../attached/reportedHealth.ts';
import { getLabState } from '../lab/labState.ts';
import { cleanText } from '../logging/text.ts';
import { boundedObject, type JsonBounds, type JsonObject } from '../net/foreignJson.ts';
import type { NameLookup } from '../net/nameLookup.ts';
import { requestJson, type RequestOptions } from '../net/requestJson.ts';

/** A lab as read; `version` is `null` for a lab manager without a summary. */
export interface ReadLab extends Omit<LabSummary, 'service' | 'now'> {
  readonly version: string | null;
}

export type LabReading = { readonly lab: ReadLab } | { readonly reason: string };

/** Timeout of `/lab_health`, in ms: MADSci's own lab manager checks all of its managers for each request. */
const healthTimeoutMs = 15_000;
const maxBytes = 256 * 1024;
/** Maximum length of a text, in characters. */
const maxText = 200;
const bounds: JsonBounds = { depth: 4, members: 64, values: 400, text: maxText, allText: 32_000 };

/** The schema of a received summary: an invalid field, as from a newer version, makes only that field unknown. */
const { shape } = labSummary;
const received = z.extend(labSummary, {
  lab_name: orElse(shape.lab_name, null),
  state: orElse(z.enum(labStates), 'unknown'),
  since: orElse(shape.since, null),
  managers: orElse(shape.managers.check(z.refine((counts) => counts === null || counts.healthy <= counts.total)), null),
  nodes: orElse(shape.nodes, null),
  in_need: orElse(shape.in_need, undefined),
  needs: orElse(shape.needs, undefined),
  workflows: orElse(shape.workflows, null),
  incidents: orElse(shape.incidents, null),
  safety_stop: orElse(shape.safety_stop, null),
  stops_read: orElse(shape.stops_read, false),
});

export interface LabRequest {
  /** Base address of the lab manager. */
  readonly url: string;
  /** Whether `/summary` is requested first; without it only the health of the managers is. */
  readonly requestsSummary: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly lookup: NameLookup;
}

/** Never rejects. */
export async function readLab({ url, requestsSummary, timeoutMs, signal, lookup }: LabRequest): Promise<LabReading> {
  // No bounds here: the schema of a summary limits it already, and a second pass would be measurable with a thousand labs.
  const summaryOptions: RequestOptions = { maxBytes, lookup, reduce: (body: JsonObject) => body };
  const summary = requestsSummary ? await requestJson(`${url}summary`, timeoutMs, signal, summaryOptions) : null;
  if (summary?.ok) {
    const lab = readSummary(summary.body, clock.now());
    if (lab !== null) return { lab };
  } else if (summary?.status === undefined && summary !== null) return { reason: summary.reason };
  // MADSci's own lab manager has no summary, and an earlier version of this one responds with its dashboard.
  const healthOptions: RequestOptions = {
    ...summaryOptions,
    reduce: (body: JsonObject) => boundedObject(body, bounds, ['managers']),
  };
  const health = await requestJson(`${url}lab_health`, healthTimeoutMs, signal, healthOptions);
  if (!health.ok) return { reason: health.reason };
  const lab = readHealth(health.body);
  return lab === null ? { reason: 'its answer is neither a summary nor the health of a lab' } : { lab };
}

/** Clock differences are rounded to this, in ms. */
const clockStepMs = 5000;

/** @param now in ms since the epoch @returns `null` if the body is not a summary */
function readSummary(body: JsonObject, now: number): ReadLab | null {
  const parsed = received.safeParse(body);
  const sentAt = parsed.success ? Date.parse(parsed.data.now) : Number.NaN;
  if (!parsed.success || Number.isNaN(sentAt)) return null;
  const { service, now: _now, incidents, needs, safety_stop: stop, ...lab } = parsed.data;
  // Response times vary. Rounding keeps the order of labs that changed at the same time.
  const correctionMs = clockStepMs * Math.round((now - sentAt) / clockStepMs);
  /** A time by this machine's clock, not in the future. */
  const toLocalTime = (iso: string): string | null => {
    const at = Date.parse(iso);
    return Number.isNaN(at) ? null : new Date(Math.min(now, at + correctionMs)).toISOString();
  };
  const clean = (text: string | null): string | null => (text === null ? null : cleanText(text, maxText));
  const last = incidents?.last ?? null;
  const from = last === null ? null : toLocalTime(last.from);
  return {
    ...lab,
    lab_name: clean(lab.lab_name),
    version: clean(service.version),
    since: lab.since === null ? null : toLocalTime(lab.since),
    ...(needs && { needs: { ...needs, first: clean(needs.first) } }),
    incidents: incidents && {
      ...incidents,
      last:
        last === null || from === null
          ? null
          : {
              name: cleanText(last.name, maxText),
              reason: clean(last.reason),
              from,
              to: last.to === null ? null : toLocalTime(last.to),
            },
    },
    safety_stop: stop && { ...stop, at: stop.at === null ? null : toLocalTime(stop.at), machine: clean(stop.machine) },
  };
}

/** Reads the body of `/lab_health`; the lab's state follows from its counts. @returns `null` if the body is invalid */
function readHealth(body: JsonObject): ReadLab | null {
  const health = healthInLabHealth(body);
  if (health === null) return null;
  const total = health.size;
  const healthy = [...health.values()].filter(Boolean).length;
  const states = [...health.values()].map((isHealthy) => (isHealthy ? ('healthy' as const) : ('unhealthy' as const)));
  return {
    version: null,
    lab_name: null,
    state: getLabState(states, true),
    since: null,
    managers: { healthy, total },
    nodes: null,
    workflows: null,
    incidents: null,
    safety_stop: null,
    stops_read: false,
  };
}
