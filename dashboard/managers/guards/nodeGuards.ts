/**
 * Which command to a node is offered in its present state, and what it would hit. Pure.
 * Source: MADSci 0.8.1; the workcell manager answers a bare 500 for a node that it can't reach or never reached, but
 * forgets the error of a lost node before it sends a reset, so that it asks that node again at once.
 */
import { adminCommand } from '../../../api/managers/action.ts';
import type { Node } from '../../../api/managers/node.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { nodeCommandTexts as texts } from '../commands/nodeCommandTexts.ts';
import type { Hit } from './consequence.ts';
import type { LabSnapshot, Offer, Refusal } from './decision.ts';
import { knownCommands, nodeState, workflowOn } from '../workcell/nodeState.ts';
import { currentStep, isWaiting, stepName, workflowState } from '../workcell/workflowState.ts';

/** In the order of the menu: what helps first, what ends things last. */
export const nodeCommands = [
  'reset',
  'resume',
  'pause',
  'cancel',
  'unlock',
  'lock',
  'get_location',
  'safety_stop',
  'shutdown',
] as const;
export type NodeCommand = (typeof nodeCommands)[number];

/** Those that make sense for all nodes at once; the safety stop has a place of its own on every page. */
export const commandsToAll = ['pause', 'resume', 'lock', 'unlock', 'reset', 'cancel', 'shutdown'] as const;
export type CommandToAll = (typeof commandsToAll)[number];

/** A node and whom it works for. */
export interface NodeNow {
  readonly name: string;
  readonly node: Node;
  /** The workflow whose step it is working on, of this workcell. */
  readonly workflow: Workflow | null;
  /** It works, and whether for a workflow is being checked. */
  readonly unclear: boolean;
  /** Workflows in the queue whose next step needs it. */
  readonly waiting: number;
  /** The one of those that the scheduler takes first. */
  readonly next: Workflow | null;
}

export interface CommandOffer extends Offer {
  /** Whether a person is asked before it is sent. */
  readonly asks: boolean;
}
export type CommandDecision = CommandOffer | Refusal;

/**
 * A workflow whose step the node holds, or goes on with: one that is paused while the node can't be, or that was resumed
 * while the node still does what it was paused at.
 */
function heldBy(name: string, workflows: readonly Workflow[]): Workflow | null {
  const goesOn = (each: Workflow): boolean => {
    const { start_time: start = null, end_time: end = null } = currentStep(each) ?? {};
    return start !== null && (workflowState(each) === 'paused' || !(end !== null && end >= start));
  };
  return (
    workflows.find(
      (each) =>
        (workflowState(each) === 'paused' || isWaiting(each)) && currentStep(each)?.node === name && goesOn(each),
    ) ?? null
  );
}

export function nodeNow(
  name: string,
  node: Node,
  workflows: readonly Workflow[],
  isUnclear: LabSnapshot['isUnclear'] = undefined,
): NodeNow {
  const workflow = workflowOn(name, workflows) ?? (works(node) ? heldBy(name, workflows) : null);
  const waiting = workflows
    .filter((each) => isWaiting(each) && each !== workflow && currentStep(each)?.node === name)
    .toSorted((a, b) => (a.submitted_time ?? '').localeCompare(b.submitted_time ?? ''));
  const unclear = workflow === null && works(node) && isUnclear?.(name) === true;
  return { name, node, workflow, unclear, waiting: waiting.length, next: waiting[0] ?? null };
}

/** ` on step 2 of 5, Move plate, of “Growth assay”` */
/** The node as it is at one moment of the lab; `null` where the workcell doesn't have it. */
export function nodeIn({ nodes, workflows, isUnclear }: LabSnapshot, name: string): NodeNow | null {
  const node = nodes[name];
  return node === undefined ? null : nodeNow(name, node, workflows, isUnclear);
}

export function nodesIn(lab: LabSnapshot): readonly NodeNow[] {
  return Object.keys(lab.nodes).flatMap((name) => nodeIn(lab, name) ?? []);
}

/** Whether it is offered at this moment of the lab. */
export function decideIn(lab: LabSnapshot, name: string, command: NodeCommand): CommandDecision {
  const now = nodeIn(lab, name);
  return now === null ? { allowed: false, why: texts.missing(name) } : decideCommand(command, now);
}

export function workWords({ workflow, unclear }: Pick<NodeNow, 'workflow' | 'unclear'>): string {
  const step = workflow === null ? null : currentStep(workflow);
  if (workflow === null || step === null) return unclear ? texts.onUnclear : texts.onItself;
  const index = workflow.status.current_step_index;
  return texts.on(index + 1, workflow.steps.length, stepName(step, index), workflow.name);
}

const no = (why: string): Refusal => ({ allowed: false, why });

/** The commands that the menu shows: those the node knows, and reset for one that is lost. */
export function commandsOf(node: Node): readonly NodeCommand[] {
  if (node.info === null) return [];
  const known = knownCommands(node) ?? [];
  const lost = node.status?.disconnected === true;
  return nodeCommands.filter((command) => known.includes(command) || (lost && command === 'reset'));
}

/** MADSci's commands that the node doesn't implement; empty where nobody asked it. */
export function commandsLacking(node: Node): readonly string[] {
  const known = knownCommands(node);
  return known === null ? [] : adminCommand.words.filter((command) => !known.includes(command));
}

/** What makes the command pointless or impossible in this state; `null` when nothing does. */
function obstacle(command: NodeCommand, { name, node }: NodeNow): string | null {
  const { status } = node;
  if (node.info === null) return texts.never(name);
  if (status === null) return command === 'reset' ? null : texts.unsure(name);
  if (status.disconnected === true) return command === 'reset' ? null : texts.away(name);
  if (!(knownCommands(node) ?? []).includes(command)) return texts.lacks(name, command);
  switch (command) {
    case 'pause':
      if (status.paused) return texts.alreadyPaused;
      if (status.stopped) return texts.alreadyStopped;
      if (status.errored) return texts.errored;
      return status.initializing ? texts.starting : null;
    case 'resume':
      return status.paused ? null : texts.notPaused;
    case 'cancel':
      return works(node) ? null : texts.nothingRuns;
    case 'lock':
      return status.locked ? texts.alreadyLocked : null;
    case 'unlock':
      return status.locked ? null : texts.notLocked;
    case 'safety_stop':
      return status.stopped ? texts.alreadyStopped : null;
    case 'reset':
    case 'get_location':
    case 'shutdown':
      return null;
  }
}

/** Whether it has an action, held or not. */
function works({ status }: Node): boolean {
  return status !== null && (status.busy || (status.running_actions ?? []).length > 0);
}

interface Weight {
  readonly effects: readonly string[];
  readonly dangerous: boolean;
  readonly asks: boolean;
}

function weigh(command: NodeCommand, now: NodeNow): Weight {
  const { node, workflow, waiting, next } = now;
  const say = texts.effects;
  const busy = works(node);
  const what = workWords(now);
  const queue = waiting > 0 ? [texts.waiting(waiting)] : [];
  const light = { dangerous: false, asks: false };
  switch (command) {
    case 'pause':
      return { effects: [busy ? say.pause(what) : say.pauseIdle, ...queue], dangerous: false, asks: busy };
    case 'resume':
      return { effects: [busy ? say.resume(what) : say.resumeIdle], dangerous: false, asks: busy };
    case 'cancel': {
      const end = workflow === null ? [] : [say.cancelWorkflow(workflow.name)];
      return { effects: [say.cancel(what), ...end], dangerous: true, asks: true };
    }
    case 'lock':
      return { effects: [say.lock, ...queue], ...light };
    case 'unlock':
      return { effects: [say.unlock], ...light };
    case 'get_location':
      return { effects: [say.get_location], ...light };
    case 'safety_stop':
      return { effects: [say.safety_stop], dangerous: true, asks: false };
    case 'shutdown':
      return {
        effects: [say.shutdown, ...(busy ? [say.shutdownWork(what)] : []), ...queue],
        dangerous: true,
        asks: true,
      };
    case 'reset': {
      if (node.status?.disconnected === true || node.status === null)
        return { effects: [say.resetAway, say.resetAwayFails], dangerous: false, asks: true };
      const held = node.status.paused || node.status.locked ? [say.resetHeld] : [];
      const cause = node.status.errored || node.status.stopped ? [say.resetCause] : [];
      const hit = busy ? [say.resetBusy(what)] : [];
      const starts = next === null ? [] : [say.resetStarts(next.name, waiting - 1)];
      return { effects: [...hit, say.reset, ...starts, ...held, ...cause], dangerous: busy, asks: true };
    }
  }
}

/** Commands that hold, end or move what the node works on. */
const meddling: ReadonlySet<NodeCommand> = new Set(['pause', 'resume', 'cancel', 'safety_stop', 'shutdown', 'reset']);

/**
 * Whom the command hits: the node, and whose work it has, be it a workflow's or an action that none started; which step
 * of it makes no difference, nor how many wait: that a node takes no action from anybody is said of every hold. A node
 * that is lost, or no longer is, is another case than the one that was asked about.
 */
function hitsOf(command: NodeCommand, { name, node, workflow, next }: NodeNow, dangerous: boolean): readonly Hit[] {
  const work = works(node) && meddling.has(command);
  const lost = node.status === null || node.status.disconnected === true;
  return [
    { whom: lost ? `lost ${name}` : name, weight: dangerous ? 2 : 1 },
    ...(work ? [{ whom: `${name}: ${workflow?.workflow_id ?? 'no workflow'}`, weight: 1 }] : []),
    // What a reset sets free moves at once.
    ...(command === 'reset' && next !== null ? [{ whom: 'queue', weight: 1 }] : []),
  ];
}

export function decideCommand(command: NodeCommand, now: NodeNow): CommandDecision {
  const why = obstacle(command, now);
  if (why !== null) return no(why);
  const verb = texts.verbs[command];
  const weight = weigh(command, now);
  return {
    allowed: true,
    title: texts.title(verb, now.name),
    verb: texts.button(verb, now.name),
    ...weight,
    hits: hitsOf(command, now, weight.dangerous),
  };
}

/** The commands that would change something now: what is offered where there is no room for reasons. */
export function usefulCommands(now: NodeNow): readonly NodeCommand[] {
  return commandsOf(now.node).filter((command) => {
    const toAll = commandsToAll.find((each) => each === command);
    return toAll === undefined ? decideCommand(command, now).allowed : decideForAll(toAll, [now]).gets.length > 0;
  });
}

/** The one thing to do about a node as it is now; `null` when there is none. */
export function remedy(now: NodeNow): NodeCommand | null {
  const state = nodeState(now.node);
  const found =
    state === 'errored' || state === 'stopped' || state === 'disconnected'
      ? 'reset'
      : state === 'paused'
        ? 'resume'
        : state === 'locked'
          ? 'unlock'
          : null;
  return found !== null && decideCommand(found, now).allowed ? found : null;
}

export interface ForAll {
  /** Who gets it, and what it would do to each. */
  readonly gets: readonly {
    readonly name: string;
    readonly effects: readonly string[];
    readonly hits: readonly Hit[];
    readonly dangerous: boolean;
  }[];
  readonly not: readonly { readonly name: string; readonly why: string }[];
}

/** A reset of all is for what is wrong; it is no way to end work by the way. */
function needless(command: CommandToAll, now: NodeNow): string | null {
  if (command !== 'reset') return null;
  const { status } = now.node;
  if (status === null || status.errored || status.stopped || status.disconnected === true) return null;
  return works(now.node) ? texts.busyNotReset(workWords(now)) : texts.nothingToReset;
}

export function decideForAll(command: CommandToAll, all: readonly NodeNow[]): ForAll {
  const gets: ForAll['gets'][number][] = [];
  const not: ForAll['not'][number][] = [];
  for (const now of all) {
    const decision = decideCommand(command, now);
    const why = decision.allowed ? needless(command, now) : decision.why;
    if (why !== null) not.push({ name: now.name, why });
    else if (decision.allowed) {
      const { effects, hits, dangerous } = decision;
      gets.push({ name: now.name, effects, hits, dangerous });
    }
  }
  return { gets, not };
}
