/** State of the workcell and its scheduler as text. Pure. */
import { nodeLooks, workflowLooks, type StateLook } from '../../../api/states.ts';
import type { WorkcellStatus } from '../../../api/managers/workcell.ts';
import { toErrorTexts } from '../../managers/errors/errorText.ts';
import { formatDuration } from '../../base/time.ts';
import { workcellTexts as texts } from './texts.ts';

interface WorkcellStateText {
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

export function describeWorkcell(status: WorkcellStatus, running: number): WorkcellStateText {
  const setFlag = flags.find(([flag]) => status[flag]);
  if (setFlag === undefined)
    return running > 0
      ? { look: workflowLooks.running, label: texts.states.running, details: [] }
      : { look: nodeLooks.ready, label: texts.states.idle, details: [] };
  const [flag, look] = setFlag;
  const errorText = flag === 'errored' ? (toErrorTexts((status.errors ?? []).slice(-1))[0]?.text ?? '') : '';
  return {
    look,
    label: texts.states[flag],
    details: [texts.stateText[flag], ...(errorText === '' ? [] : [errorText])],
  };
}

const formatSeconds = (seconds: unknown): string | null =>
  typeof seconds === 'number' && seconds > 0 ? formatDuration(seconds * 1000) : null;

/** MADSci's default, which is not shown. */
const defaultScheduler = 'default_scheduler';

/** Returns facts about the scheduler from the manager's settings, if available. */
export function describeScheduler(settings: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (settings === undefined) return [];
  const { scheduler, scheduler_update_interval: tick, node_update_interval: poll } = settings;
  const tickText = formatSeconds(tick);
  const pollText = formatSeconds(poll);
  return [
    ...(typeof scheduler === 'string' && scheduler !== '' && shortName(scheduler) !== defaultScheduler
      ? [texts.schedulerNamed(shortName(scheduler))]
      : []),
    ...(tickText === null ? [] : [texts.scheduler(tickText)]),
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
