/** Steps of workflows: their names, and those that run far longer than all earlier runs. */
import { parseDuration } from '../time/time.ts';
import type { Step } from './workflow.ts';

type Optional<Key extends keyof Step> = { readonly [Name in Key]?: Step[Name] | undefined };

/** Returns whether the workcell manager executes the step itself: it has no node. */
export function isBuiltIn({ node }: Optional<'node'>): boolean {
  return node === null || node === undefined || node === '';
}

export function stepName({ name, key, action }: Optional<'name' | 'key' | 'action'>, index: number): string {
  return name || key || action || `Step ${index + 1}`;
}

type StepRun = Optional<'node' | 'action' | 'start_time' | 'end_time' | 'duration'> & {
  readonly status?: string | null | undefined;
};
type ParseStamp = (stamp: string | null | undefined) => number | null;

function runKey({ node, action }: Optional<'node' | 'action'>): string {
  return `${node ?? ''} ${action ?? ''}`;
}

/** Returns the longest successful run of each action per node, in ms, keyed by `${node} ${action}`. */
export function findLongestRuns(
  archived: readonly { readonly steps: readonly StepRun[] }[],
  parseStamp: ParseStamp,
): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const { steps } of archived)
    for (const step of steps) {
      if (step.status !== 'succeeded' || isBuiltIn(step)) continue;
      const [from, to] = [parseStamp(step.start_time), parseStamp(step.end_time)];
      const durationMs = parseDuration(step.duration);
      const elapsedMs = durationMs === null ? (from === null || to === null ? 0 : to - from) : durationMs * 1000;
      if (elapsedMs > (longest.get(runKey(step)) ?? 0)) longest.set(runKey(step), elapsedMs);
    }
  return longest;
}

/** The step that a running workflow executes. */
export interface RunningStep {
  readonly workflow: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly step: Optional<'node' | 'action' | 'start_time'>;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** A running step is overdue if it takes this many times the longest earlier run, and at least this long in ms. */
const minOverdueFactor = 3;
const minOverdueMs = 5 * 60_000;

/** Returns the overdue steps with the duration of the longest earlier run, in ms. A step without earlier runs is never overdue. */
export function findOverdueSteps<Running extends RunningStep>(
  running: readonly Running[],
  longestRuns: ReadonlyMap<string, number>,
  now: number,
): readonly (Running & { readonly longestMs: number })[] {
  return running.flatMap((step) => {
    const longestMs = longestRuns.get(runKey(step.step));
    const elapsedMs = now - step.startedAt;
    return longestMs === undefined || elapsedMs < minOverdueMs || elapsedMs < longestMs * minOverdueFactor
      ? []
      : [{ ...step, longestMs }];
  });
}

/** Returns the current step of each running workflow whose start is known. */
export function listRunningSteps(
  workflows: readonly {
    readonly workflow_id: string;
    readonly name: string;
    readonly status: { readonly running: boolean; readonly current_step_index: number };
    readonly steps: readonly (RunningStep['step'] & Optional<'name' | 'key'>)[];
  }[],
  parseStamp: ParseStamp,
): readonly RunningStep[] {
  return workflows.flatMap(({ workflow_id: id, name, status, steps }) => {
    const step = status.running ? steps[status.current_step_index] : undefined;
    const startedAt = parseStamp(step?.start_time);
    return step === undefined || startedAt === null
      ? []
      : [{ workflow: { id, name }, name: stepName(step, status.current_step_index), step, startedAt }];
  });
}
