/** The workcell's own state and its scheduler, in words. Pure. */
import { nodeLooks, workflowLooks, type StateLook } from '../../../api/states.ts';
import type { WorkcellStatus } from '../../../api/managers/workcell.ts';
import { errorTextsOf } from '../../managers/errors/errorText.ts';
import { duration } from '../../base/time.ts';
import { workcellTexts as texts } from './texts.ts';

interface WorkcellNow {
  readonly look: StateLook;
  readonly word: string;
  /** What it means and why, a sentence each; empty while all is well. */
  readonly more: readonly string[];
}

/** The worst flag first; only initializing and errored are ever set by MADSci 0.8. */
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
      ? { look: workflowLooks.running, word: texts.states.running, more: [] }
      : { look: nodeLooks.ready, word: texts.states.idle, more: [] };
  const [flag, look] = set;
  const why = flag === 'errored' ? (errorTextsOf((status.errors ?? []).slice(-1))[0]?.text ?? '') : '';
  return { look, word: texts.states[flag], more: [texts.stateText[flag], ...(why === '' ? [] : [why])] };
}

const time = (seconds: unknown): string | null =>
  typeof seconds === 'number' && seconds > 0 ? duration(seconds * 1000) : null;

/** MADSci's own, which needs no word. */
const usualScheduler = 'default_scheduler';

/** What the manager's settings say of its scheduler, as far as they do. */
export function schedulerFacts(settings: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (settings === undefined) return [];
  const { scheduler, scheduler_update_interval: tick, node_update_interval: poll } = settings;
  const every = time(tick);
  const asks = time(poll);
  return [
    ...(typeof scheduler === 'string' && scheduler !== '' && shortName(scheduler) !== usualScheduler
      ? [texts.schedulerNamed(shortName(scheduler))]
      : []),
    ...(every === null ? [] : [texts.scheduler(every)]),
    ...(asks === null ? [] : [texts.asksNodes(asks)]),
  ];
}

/** The module's last part: `madsci.workcell_manager.schedulers.default_scheduler` → `default_scheduler`. */
function shortName(module: string): string {
  return module.split('.').at(-1) ?? module;
}
