/** Times that have no zone and mean their host's local time, and what a workflow's results tell of its clock. */
import { hasZone, parseManagerTime, type OffsetMinutes, type SeenStamp } from '../../../../api/time.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';

/** A result that is final; one of a step that still runs is as old as the run, while the step's stamp is of now. */
const final: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/** Naive stamps with a moment that is known for certain: a result with its zone, and the step's update after it. */
export function stampsOf(workflows: Iterable<Workflow>): SeenStamp[] {
  const stamps: SeenStamp[] = [];
  for (const { steps } of workflows)
    for (const { last_status_update: naive, result } of steps) {
      if (!final.has(result?.status ?? '')) continue;
      const known = result?.history_created_at;
      if (typeof naive !== 'string' || typeof known !== 'string' || hasZone(naive) || !hasZone(known)) continue;
      const seen = parseManagerTime(known, 0);
      if (seen !== null) stamps.push({ naive, seen });
    }
  return stamps;
}

/** The moment of a naive stamp in ms since the epoch; `null` for what is none. */
export function hostTime(stamp: string | null | undefined, offset: OffsetMinutes): number | null {
  return parseManagerTime(stamp, offset)?.getTime() ?? null;
}
