/** State of the workcell and its scheduler as text. */
import { toNumber } from '#api/exactJson.ts';
import { nodeAppearances, workflowAppearances, type StateAppearance } from '#api/states.ts';
import type { WorkcellStatus } from '#api/managers/workcell.ts';
import { toErrorTexts } from '../../managers/errors/errorText.ts';
import { formatDuration } from '../../base/time.ts';
import { workcellTexts as texts } from './texts.ts';

interface WorkcellStateText {
  readonly appearance: StateAppearance;
  readonly label: string;
  /** Explanation and reason, one sentence each; empty while healthy. */
  readonly details: readonly string[];
}

/** Sorted by severity; MADSci 0.8 only sets initializing and errored. */
const flags = [
  ['errored', nodeAppearances.errored],
  ['shutdown', nodeAppearances.stopped],
  ['initializing', nodeAppearances.initializing],
  ['locked', nodeAppearances.locked],
  ['paused', nodeAppearances.paused],
] as const;

export function describeWorkcell(status: WorkcellStatus, running: number): WorkcellStateText {
  const setFlag = flags.find(([flag]) => status[flag]);
  if (setFlag === undefined)
    return running > 0
      ? { appearance: workflowAppearances.running, label: texts.states.running, details: [] }
      : { appearance: nodeAppearances.ready, label: texts.states.idle, details: [] };
  const [flag, appearance] = setFlag;
  const errorText = flag === 'errored' ? (toErrorTexts((status.errors ?? []).slice(-1))[0]?.text ?? '') : '';
  return {
    appearance,
    label: texts.states[flag],
    details: [texts.stateText[flag], ...(errorText === '' ? [] : [errorText])],
  };
}

function formatSeconds(value: unknown): string | null {
  const seconds = toNumber(value) ?? 0;
  return seconds > 0 ? formatDuration(seconds * 1000) : null;
}

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
      ? [`scheduled by ${shortName(scheduler)}`]
      : []),
    ...(tickText === null ? [] : [texts.scheduler(tickText)]),
    ...(pollText === null ? [] : [`polls nodes every ${pollText}`]),
  ];
}

/**
 * Returns the last part of the module's name: `madsci.workcell_manager.schedulers.default_scheduler` →
 * `default_scheduler`.
 */
function shortName(module: string): string {
  return module.split('.').at(-1) ?? module;
}
