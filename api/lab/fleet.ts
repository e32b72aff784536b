/** Many labs: the summary that each lab manager serves of its lab, and what one of them has read from all others. Pure. */
import * as z from 'zod/mini';
import { labStates, nodeStates } from '../states.ts';

/** The number of nodes in each state that occurs. */
const nodeCounts = z.partialRecord(z.enum(nodeStates), z.int());

/** The number of workflows that have not ended, by state. */
const workflowCounts = z.object({ queued: z.int(), running: z.int(), paused: z.int() });

/** The incidents of the last seven days; `to` is `null` for one that has not ended. */
const incidents = z.object({
  open: z.int(),
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
  unconfirmed: z.int(),
});
export type LastStop = z.infer<typeof lastStop>;

const managerCounts = z.object({ healthy: z.int(), total: z.int() });

/** The facts about a lab, which its summary and a fleet contain. Times are ISO 8601 UTC; `null` is unknown. */
const facts = {
  lab_name: z.nullable(z.string()),
  since: z.nullable(z.string()),
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

/** Body of `GET /summary`: the lab in a few hundred bytes. Reading it sends no request to a manager. */
export const labSummary = z.object({
  service: z.object({ name: z.literal('lab-manager'), version: z.string() }),
  now: z.string(),
  state: z.enum(labStates),
  ...facts,
});
export type LabSummary = z.infer<typeof labSummary>;
