/** Names of compared datapoints: by their experiment, node and time. Pure. */
import type { Workflow } from '../../../api/managers/workflow.ts';
import { moments } from '../../base/time.ts';
import { datapointsOf } from './datapoint.ts';
import type { Result } from './results.ts';

export interface OriginLookup {
  /** Empty if unknown. */
  readonly experimentName: (result: Result) => string;
  readonly nodeName: (result: Result) => string;
}

/** Returns the node of the step that stored a datapoint; empty if unknown. A datapoint may contain only its workflow. */
export function nodeOfStep(
  workflow: Pick<Workflow, 'steps'> | null | undefined,
  { step, id }: Pick<Result, 'step' | 'id'>,
): string {
  const steps = workflow?.steps ?? [];
  const found =
    steps.find(({ step_id: own }) => own === step) ??
    steps.find(({ result }) => datapointsOf(result).some((datapoint) => datapoint.id === id));
  return found?.node ?? '';
}

/**
 * Returns names by datapoint ID: `Growth run 12, platereader_1, 14:02`, with the label if labels differ.
 * @param now ms since the epoch; times of the same day are formatted without the date
 */
export function originNames(
  results: readonly Result[],
  { experimentName, nodeName }: OriginLookup,
  now: number,
): ReadonlyMap<string, string> {
  const timed = results.filter(({ at }) => at !== null);
  const texts = moments(
    timed.map(({ at }) => at ?? 0),
    now,
  );
  const timeOf = new Map(timed.map(({ id }, index) => [id, texts[index] ?? '']));
  const hasLabels = new Set(results.map(({ label }) => label)).size > 1;
  return new Map(
    results.map((result) => {
      const parts = [
        hasLabels ? result.label : '',
        experimentName(result),
        nodeName(result),
        timeOf.get(result.id) ?? '',
      ];
      return [result.id, parts.filter(Boolean).join(', ') || result.label];
    }),
  );
}
