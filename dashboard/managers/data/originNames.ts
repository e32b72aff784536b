/** Names of compared datapoints: by their experiment, node and time. */
import type { Workflow } from '#api/managers/workflow.ts';
import { groupBy } from '../../base/grouping.ts';
import { formatTimes } from '../../base/time.ts';
import { listDatapoints } from './datapoint.ts';
import type { Result } from './results.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

export interface OriginLookup {
  /** Empty if unknown. */
  readonly experimentName: (result: Result) => string;
  readonly nodeName: (result: Result) => string;
}

/**
 * Returns the name of the node whose step stored a datapoint; empty if unknown. If the datapoint contains no step, the
 * step is found by its result.
 */
export function findOriginNode(
  workflow: Pick<Workflow, 'steps'> | null | undefined,
  { step, id }: Pick<Result, 'step' | 'id'>,
): string {
  const steps = workflow?.steps ?? [];
  const origin =
    steps.find(({ step_id: stepId }) => stepId === step) ??
    steps.find(({ result }) => listDatapoints(result).some((datapoint) => datapoint.id === id));
  return origin?.node ?? '';
}

/**
 * Returns names by datapoint ID, with the time where several datapoints of one label have the same name: `Growth curve`,
 * `Growth curve, 14:02`.
 * @param now ms since the epoch; times of the same day are formatted without the date
 */
export function distinctNames(
  results: readonly Result[],
  getName: (result: Result) => string,
  now: number,
): ReadonlyMap<string, string> {
  const namedResults = results.map((result) => ({ result, name: getName(result) }));
  const names = new Map(namedResults.map(({ result, name }) => [result.id, name]));
  for (const duplicates of groupBy(namedResults, ({ result, name }) =>
    stringifyExactJson([result.label, name]),
  ).values()) {
    if (duplicates.length < 2) continue;
    const timeByResult = formatTimesById(
      duplicates.map(({ result }) => result),
      now,
    );
    for (const { result, name } of duplicates)
      names.set(result.id, [name, timeByResult.get(result.id)].filter(Boolean).join(', '));
  }
  return names;
}

/** Returns the times of datapoints by their ID, without those whose time is unknown. */
function formatTimesById(results: readonly Result[], now: number): ReadonlyMap<string, string> {
  const timed = results.flatMap(({ id, storedAt: at }) => (at === null ? [] : [{ id, at }]));
  const texts = formatTimes(
    timed.map(({ at }) => at),
    now,
  );
  return new Map(timed.map(({ id }, index) => [id, texts[index] ?? '']));
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
  const timeById = formatTimesById(results, now);
  const hasLabels = new Set(results.map(({ label }) => label)).size > 1;
  return new Map(
    results.map((result) => {
      const parts = [
        hasLabels ? result.label : '',
        experimentName(result),
        nodeName(result),
        timeById.get(result.id) ?? '',
      ];
      return [result.id, parts.filter(Boolean).join(', ') || result.label];
    }),
  );
}
