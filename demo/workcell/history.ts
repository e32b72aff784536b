/** Creates workflows of earlier days as if they had run, for a lab with a past, and for one of any size. */
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { zonedText } from '../base/clock.ts';
import { newStep, noFlags, type Definition, type Run, type Step } from './run.ts';
import type { WorkcellState } from './state.ts';

interface PastRun {
  readonly definition: Definition;
  readonly submitted: number;
  readonly ownership: OwnershipInfo;
  readonly values?: Readonly<Record<string, unknown>>;
  /** The failed step, and the reason. */
  readonly failure?: { readonly step: number; readonly message: string; readonly type: string };
}

/** Fills in a finished step that took 3 s to 30 s, and returns its end in milliseconds. */
function fillPastStep(state: WorkcellState, step: Step, begin: number, failure: PastRun['failure']): number {
  const { random } = state.parts;
  const end = begin + Math.round(random.between(3000, 30_000));
  const errors = failure === undefined ? [] : [{ message: failure.message, logged_at: null, error_type: failure.type }];
  step.status = failure === undefined ? 'succeeded' : 'failed';
  step.started = begin;
  step.ended = end;
  step.lastUpdate = end;
  step.result = {
    action_id: random.ulid(begin),
    status: step.status,
    errors,
    json_result: null,
    files: null,
    datapoints: step.filled.node === null ? null : {},
    history_created_at: zonedText(end),
  };
  if (step.filled.node !== null) step.history.push(step.result);
  return end;
}

/** Adds an ended workflow to the archive and returns it. */
export function addPastRun(state: WorkcellState, past: PastRun): Run {
  const { random, identity } = state.parts;
  const { definition, submitted, failure } = past;
  const steps = definition.steps.map((step) => newStep(step, random.ulid(submitted)));
  const started = submitted + Math.round(random.between(500, 20_000));
  let now = started;
  const executed = failure === undefined ? steps : steps.slice(0, failure.step + 1);
  for (const [index, step] of executed.entries()) {
    now = fillPastStep(state, step, now, failure?.step === index ? failure : undefined) + state.parts.timing.tick;
  }
  const run: Run = {
    id: random.ulid(submitted),
    definition,
    steps,
    ownership: { ...past.ownership, ...identity.ownership },
    values: { ...past.values },
    filePaths: {},
    fileIds: {},
    flags: { ...noFlags, completed: failure === undefined, failed: failure !== undefined, hasStarted: true },
    index: Math.max(0, executed.length - 1),
    scheduler: { ready: true, priority: 0, reasons: [] },
    submitted,
    started,
    ended: executed.at(-1)?.ended ?? started,
  };
  state.definitions.set(definition.workflow_definition_id, definition);
  state.archived.set(run.id, run);
  return run;
}

/** Adds `count` runs of the given definitions, one every ten minutes back from now; one in twenty fails. */
export function addManyRuns(state: WorkcellState, definitions: readonly Definition[], count: number): void {
  const { clock, random } = state.parts;
  for (let index = 1; index <= count; index++) {
    const definition = random.pick(definitions);
    const failure = {
      step: random.int(0, Math.max(0, definition.steps.length - 1)),
      message: 'out of tips',
      type: 'TipError',
    };
    addPastRun(state, {
      definition,
      submitted: clock.now() - index * 600_000,
      ownership: {},
      ...(random.chance(0.05) ? { failure } : {}),
    });
  }
}
