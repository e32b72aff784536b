/** State of the workcell and its scheduler as text. Pure. */
import { nodeLooks, workflowLooks, type StateLook } from '../../../api/states.ts';
import type { WorkcellStatus } from '../../../api/managers/workcell.ts';
import { errorTextsOf } from '../../managers/errors/errorText.ts';
import { duration } from '../../base/time.ts';
import { workcellTexts as texts } from './texts.ts';

interface WorkcellNow {
  readonly look: StateLook;
  readonly label: string;
  /** Explanation and reason, one sentence each; empty while healthy. */
  readonly details: readonly string[];
}

/** Sorted by severity; MADSci 0.8 only sets initializing and errored. */
const flags = [
  ['errored', nodeLooks.errored],
  ['shutdown', nodeLooks.stopped],
  ['initializing', nodeLooks.initializing],
  ['locked', nodeLooks.locked],
  ['paused', nodeLooks.paused],
] as const;

export function workcellNow(status: WorkcellStatus, running: number): WorkcellNow {
  const set = flags.find(([flag]) => status[flag]);
  if (set === undefined)
    return running > 0
      ? { look: workflowLooks.running, label: texts.states.running, details: [] }
      : { look: nodeLooks.ready, label: texts.states.idle, details: [] };
  const [flag, look] = set;
  const errorText = flag === 'errored' ? (errorTextsOf((status.errors ?? []).slice(-1))[0]?.text ?? '') : '';
  return {
    look,
    label: texts.states[flag],
    details: [texts.stateText[flag], ...(errorText === '' ? [] : [errorText])],
  };
}

const time = (seconds: unknown): string | null =>
  typeof seconds === 'number' && seconds > 0 ? duration(seconds * 1000) : null;

/** MADSci's default, which is not shown. */
const usualScheduler = 'default_scheduler';

/** Returns facts about the scheduler from the manager's settings, if available. */
export function schedulerFacts(settings: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (settings === undefined) return [];
  const { scheduler, scheduler_update_interval: tick, node_update_interval: poll } = settings;
  const every = time(tick);
  const pollText = time(poll);
  return [
    ...(typeof scheduler === 'string' && scheduler !== '' && shortName(scheduler) !== usualScheduler
      ? [texts.schedulerNamed(shortName(scheduler))]
      : []),
    ...(every === null ? [] : [texts.scheduler(every)]),
    ...(pollText === null ? [] : [texts.pollsNodes(pollText)]),
  ];
}

/**
 * Returns the last part of the module's name: `madsci.workcell_manager.schedulers.default_scheduler` →
 * `default_scheduler`.
 */
function shortName(module: string): string {
  return module.split('.').at(-1) ?? module;
}
