/** The summary of a lab that its lab manager serves, and the list of labs that one lab manager has read. */
import * as z from 'zod/mini';
import { labAppearances, labStates, nodeStates, type StateAppearance } from '../states.ts';

/**
 * State of a lab among many, the most urgent first. `stopped`: a safety stop is in effect; `unreachable`: its lab manager does
 * not respond; `incidents`: its managers are healthy, but something else needs a person, such as a node in error.
 */
export const fleetStates = [
  'stopped',
  'unreachable',
  'failed',
  'down',
  'incidents',
  'degraded',
  'unknown',
  'starting',
  'maintenance',
  'healthy',
] as const;
export type FleetState = (typeof fleetStates)[number];

export const fleetAppearances: Readonly<Record<FleetState, StateAppearance>> = {
  ...labAppearances,
  stopped: { shape: 'octagon', color: 'failed', severity: 6, label: 'Safety stop' },
  unreachable: { shape: 'square', color: 'failed', severity: 5, label: 'Unreachable' },
  incidents: { shape: 'triangle', color: 'attention', severity: 3, label: 'Incidents' },
};

const count = z.int().check(z.minimum(0));

/** The number of nodes in each state that occurs. */
const nodeCounts = z.partialRecord(z.enum(nodeStates), count);

/** The number of workflows that have not ended, by state. */
const workflowCounts = z.object({ queued: count, running: count, paused: count });

/** The incidents of the last seven days; `to` is `null` for one that has not ended. */
const incidents = z.object({
  open: count,
  last: z.nullable(
    z.object({ name: z.string(), reason: z.nullable(z.string()), from: z.string(), to: z.nullable(z.string()) }),
  ),
});

/** The last safety stop of the last eight days. */
const lastStop = z.object({
  /** `null` if only the nodes' flags show it. */
  at: z.nullable(z.string()),
  machine: z.nullable(z.string()),
  /** Whether it is not released, acknowledged or not. */
  in_force: z.boolean(),
  /** The number of its nodes that have not confirmed it. */
  unconfirmed: count,
});
export type LastStop = z.infer<typeof lastStop>;

const managerCounts = z.object({ healthy: count, total: count });

/** The fields about a lab in a summary and in the list of labs. `null` is unknown. */
const summaryFields = {
  managers: z.nullable(managerCounts),
  nodes: z.nullable(nodeCounts),
  workflows: z.nullable(workflowCounts),
  incidents: z.nullable(incidents),
  /** `null`: none, or not known; see `stops_read`. */
  safety_stop: z.nullable(lastStop),
  /** Whether the event log was read: only then does `null` mean that there was no safety stop. */
  stops_read: z.boolean(),
  /** True if the lab is simulated, otherwise missing. */
  demo: z.optional(z.literal(true)),
};

/** Body of `GET /summary`: the lab in a few hundred bytes. Times are ISO 8601 UTC. Reading it sends no request to a manager. */
export const labSummary = z.object({
  service: z.object({ name: z.literal('lab-manager'), version: z.string() }),
  now: z.string(),
  lab_name: z.nullable(z.string()),
  state: z.enum(labStates),
  since: z.nullable(z.string()),
  /** The next planned maintenance; missing if there is none. */
  planned_maintenance: z.optional(z.object({ name: z.string(), from: z.string(), until: z.string() })),
  /** The nodes that need attention, at most 20, the most urgent first, with the number of workflows that wait for each; missing if unknown. */
  in_need: z.optional(z.array(z.object({ name: z.string(), state: z.enum(nodeStates), waiting: count }))),
  /** The number of items that need a person, and the most urgent one as text; missing from an older lab manager. */
  needs: z.optional(z.object({ count, first: z.nullable(z.string()) })),
  ...summaryFields,
});
export type LabSummary = z.infer<typeof labSummary>;

/**
 * A lab of `LAB_FLEET` as last read. All times are by the clock of the lab manager that read it. While its lab manager does not
 * respond, only the last safety stop is still given.
 */
const fleetLab = z.object({
  /** The address of its lab manager and dashboard. It becomes a link, so nothing but http and https is accepted. */
  url: z.string().check(z.regex(/^https?:\/\//)),
  /** The name in the settings, else the one that it reports, else its host. */
  name: z.string(),
  state: z.enum(fleetStates),
  /** `null`: unknown. */
  since: z.nullable(z.string()),
  /** The reason why it is unreachable, or what needs a person. */
  reason: z.nullable(z.string()),
  /** When it responded last; `null`: never. */
  answered: z.nullable(z.string()),
  /** The version of its lab manager; `null` for one of another kind, which reports only the health of its managers. */
  version: z.nullable(z.string()),
  ...summaryFields,
});
export type FleetLab = z.infer<typeof fleetLab>;

/** Body of `GET /fleet/labs`: the labs of `LAB_FLEET` in its order. Reading it sends no request to a lab. */
export const fleetLabs = z.object({ now: z.string(), interval_seconds: z.number(), labs: z.array(fleetLab) });
export type FleetLabs = z.infer<typeof fleetLabs>;

/** Created at first use, because it occupies megabytes. */
let naturalOrder: Intl.Collator | undefined;

/** The most urgent lab first: by state, then the latest change, then the name. */
export function compareUrgency(a: FleetLab, b: FleetLab): number {
  naturalOrder ??= new Intl.Collator('en', { numeric: true });
  return urgencyRank(a) - urgencyRank(b) || toTime(b.since) - toTime(a.since) || naturalOrder.compare(a.name, b.name);
}

/** An unreachable lab ranks as stopped if a safety stop was in effect when it was last read. */
function urgencyRank({ state, safety_stop: stop }: FleetLab): number {
  return stop?.in_force ? 0 : fleetStates.indexOf(state);
}

function toTime(iso: string | null): number {
  return iso === null ? 0 : Date.parse(iso);
}
