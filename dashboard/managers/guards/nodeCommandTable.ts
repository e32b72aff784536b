/**
 * The commands of nodes, one record each: its texts, when it is offered, its effects, its place in the UI. A new
 * command is a name in `adminCommand` (`api/managers/action.ts`) and a record here.
 */
import type { adminCommand } from '#api/managers/action.ts';
import type { NodeStatus } from '#api/managers/node.ts';
import type { NodeState } from '#api/states.ts';
import { nodeCommandTexts as texts } from '../commands/nodeCommandTexts.ts';
import { describeWork, type NodeContext } from './nodeContext.ts';

export type NodeCommand = (typeof adminCommand.values)[number];

/**
 * The commands that make sense for all nodes at once, in menu order; the safety stop has its own button on every page.
 */
export const commandsToAll = ['pause', 'resume', 'lock', 'unlock', 'reset', 'cancel', 'shutdown'] as const;
export type CommandToAll = (typeof commandsToAll)[number];

export interface NodeCommandEffect {
  /** One sentence each. */
  readonly effects: readonly string[];
  /** Whether it stops or loses something. */
  readonly dangerous: boolean;
  /** Whether it needs a confirmation before it is sent. */
  readonly needsConfirmation: boolean;
}

export interface NodeCommandRecord {
  /** `Lock` */
  readonly verb: string;
  /** `verb` in front of a node's name: `Read the position of`. */
  readonly verbBeforeName?: string;
  /** The outcome once the node has confirmed it. */
  readonly done: string;
  /** Returns why it is unnecessary or impossible in this state; `null` if it is neither. */
  readonly refusal?: (status: NodeStatus, isWorking: boolean) => string | null;
  readonly effect: (context: NodeContext, isWorking: boolean) => NodeCommandEffect;
  /** Whether it pauses, ends or moves the node's current work. */
  readonly affectsWork: boolean;
  /** Whether the next workflow that waits for the node starts at once. */
  readonly startsNext?: true;
  /** Whether it is also sent to a disconnected node, independent of the commands that the node lists. */
  readonly sentWhenDisconnected?: true;
  /** The state of a node after the command; ready by default. */
  readonly stateAfter?: NodeState;
  /** `button`: on the node's page; `separate`: at the end of the menu; by default a normal menu item. */
  readonly placement?: 'button' | 'separate';
  /** The record for all nodes at once. */
  readonly toAll?: CommandToAllRecord;
}

interface CommandToAllRecord {
  readonly verb: string;
  /** The state of a node that received it, and of one that was skipped. */
  readonly outcomes: readonly [done: string, skipped: string];
  readonly dangerous: boolean;
  /** The reason why a node is skipped although it could receive the command; `null` if it isn't. */
  readonly reasonToSkip?: (context: NodeContext, isWorking: boolean) => string | null;
}

/** The effects of each command. */
export const nodeCommandEffects = {
  pause: (what: string) => `It is working${what}, and holds that action until it is resumed.`,
  pauseIdle: 'It is idle, and accepts no actions until it is resumed.',
  resume: (what: string) => `It continues to work${what}: it may move at once.`,
  resumeIdle: 'It accepts actions again.',
  cancel: (what: string) => `It ends what it is working${what}.`,
  workflowEnds: (workflow: string) => `“${workflow}” ends there: its later steps will be skipped unless it is retried.`,
  lock: 'It accepts no actions until it is unlocked; the current action continues.',
  unlock: 'It accepts actions again.',
  reset: 'Its error and its stop are cleared, and it accepts actions again.',
  resetStarts: (workflow: string, others: number) =>
    `“${workflow}” waits for it and starts at the next run of the scheduler, usually within 5 s${others === 0 ? '' : `; ${others === 1 ? '1 more workflow waits' : `${others} more workflows wait`} for it, too`}.`,
  resetMayClear: 'If it is paused or locked, that may be cleared too.',
  resetBusy: (what: string) => `It is working${what}: a reset may end that action, and the workflow with it.`,
  resetAway: 'The workcell manager contacts it again immediately, instead of at its next check (every 30 s).',
  resetAwayFails: 'If it still does not answer, the workcell manager gives no readable answer.',
  resetCause: 'Check the instrument first: the cause of the error may still be present.',
  shutdown: 'The node’s process ends. It must be started by hand, on its own machine.',
  shutdownWork: (what: string) => `It is working${what}; that action is lost.`,
  safetyStop: 'It stops whatever it is doing; a reset releases it.',
  getLocation: 'It reports its position; nothing moves.',
} as const;

const effects = nodeCommandEffects;
/** The reason to skip a node that is in the state after the command. */
export const alreadyReasons: Partial<Readonly<Record<NodeCommand, string>>> = {
  pause: 'It is paused already.',
  lock: 'It is locked already.',
};
const alreadyStopped = 'It is stopped already; a reset releases it.';
const queueEffect = ({ waitingCount }: NodeContext): readonly string[] =>
  waitingCount > 0 ? [texts.waiting(waitingCount)] : [];
/** An effect that stops and loses nothing, so it needs no confirmation. */
const harmless = (...sentences: readonly string[]): NodeCommandEffect => ({
  effects: sentences,
  dangerous: false,
  needsConfirmation: false,
});

/** In menu order: helpful commands first, destructive ones last. */
export const nodeCommandTable: {
  readonly [Name in NodeCommand]: NodeCommandRecord &
    (Name extends CommandToAll ? { readonly toAll: CommandToAllRecord } : object);
} = {
  reset: {
    verb: 'Reset',
    done: 'Node confirmed: reset.',
    effect: (context, isWorking) => {
      const { status } = context.node;
      if (status === null || status.disconnected === true)
        return { effects: [effects.resetAway, effects.resetAwayFails], dangerous: false, needsConfirmation: true };
      const sentences = [
        ...(isWorking ? [effects.resetBusy(describeWork(context))] : []),
        effects.reset,
        ...(context.nextWorkflow === null
          ? []
          : [effects.resetStarts(context.nextWorkflow.name, context.waitingCount - 1)]),
        ...(status.paused || status.locked ? [effects.resetMayClear] : []),
        ...(status.errored || status.stopped ? [effects.resetCause] : []),
      ];
      return { effects: sentences, dangerous: isWorking, needsConfirmation: true };
    },
    affectsWork: true,
    startsNext: true,
    sentWhenDisconnected: true,
    toAll: {
      verb: 'Reset all',
      outcomes: ['reset', 'need no reset or can’t be reset'],
      dangerous: false,
      // A reset of all nodes is for errors; it must not end work as a side effect.
      reasonToSkip: (context, isWorking) => {
        const { status } = context.node;
        if (status === null || status.errored || status.stopped || status.disconnected === true) return null;
        return isWorking
          ? `It is working${describeWork(context)}, and has no error: reset it by itself if you must.`
          : 'Nothing to reset: no error, no stop.';
      },
    },
  },
  resume: {
    verb: 'Resume',
    done: 'Node confirmed: resumed.',
    refusal: ({ paused }) => (paused ? null : 'It is not paused.'),
    effect: (context, isWorking) =>
      isWorking
        ? { ...harmless(effects.resume(describeWork(context))), needsConfirmation: true }
        : harmless(effects.resumeIdle),
    affectsWork: true,
    placement: 'button',
    toAll: { verb: 'Resume all', outcomes: ['resumed', 'can’t be resumed'], dangerous: false },
  },
  pause: {
    verb: 'Pause',
    done: 'Node confirmed: paused.',
    refusal: ({ paused, stopped, errored, initializing }) => {
      if (paused) return alreadyReasons.pause ?? '';
      if (stopped) return alreadyStopped;
      if (errored) return 'It is in an error state: reset it first.';
      return initializing ? 'It is starting up: wait until it is ready.' : null;
    },
    effect: (context, isWorking) =>
      isWorking
        ? { ...harmless(effects.pause(describeWork(context)), ...queueEffect(context)), needsConfirmation: true }
        : harmless(effects.pauseIdle, ...queueEffect(context)),
    affectsWork: true,
    stateAfter: 'paused',
    placement: 'button',
    toAll: { verb: 'Pause all', outcomes: ['paused', 'can’t be paused'], dangerous: false },
  },
  cancel: {
    verb: 'Cancel action',
    verbBeforeName: 'Cancel',
    done: 'Node confirmed: action cancelled.',
    refusal: (_status, isWorking) => (isWorking ? null : 'No action is running.'),
    effect: (context) => ({
      effects: [
        effects.cancel(describeWork(context)),
        ...(context.workflow === null ? [] : [effects.workflowEnds(context.workflow.name)]),
      ],
      dangerous: true,
      needsConfirmation: true,
    }),
    affectsWork: true,
    placement: 'button',
    toAll: { verb: 'Cancel all', outcomes: ['cancelled', 'without an action to cancel'], dangerous: true },
  },
  unlock: {
    verb: 'Unlock',
    done: 'Node confirmed: unlocked.',
    refusal: ({ locked }) => (locked ? null : 'It is not locked.'),
    effect: () => harmless(effects.unlock),
    affectsWork: false,
    placement: 'button',
    toAll: { verb: 'Unlock all', outcomes: ['unlocked', 'can’t be unlocked'], dangerous: false },
  },
  lock: {
    verb: 'Lock',
    done: 'Node confirmed: locked.',
    refusal: ({ locked }) => (locked ? (alreadyReasons.lock ?? '') : null),
    effect: (context) => harmless(effects.lock, ...queueEffect(context)),
    affectsWork: false,
    stateAfter: 'locked',
    placement: 'button',
    toAll: { verb: 'Lock all', outcomes: ['locked', 'can’t be locked'], dangerous: false },
  },
  get_location: {
    verb: 'Get position',
    verbBeforeName: 'Read the position of',
    done: 'Its position is shown with its state.',
    effect: () => harmless(effects.getLocation),
    affectsWork: false,
  },
  safety_stop: {
    verb: 'Safety stop',
    done: 'Node confirmed: stopped.',
    refusal: ({ stopped }) => (stopped ? alreadyStopped : null),
    effect: () => ({ effects: [effects.safetyStop], dangerous: true, needsConfirmation: false }),
    affectsWork: true,
  },
  shutdown: {
    verb: 'Shut down',
    done: 'Node confirmed: shutting down.',
    effect: (context, isWorking) => ({
      effects: [
        effects.shutdown,
        ...(isWorking ? [effects.shutdownWork(describeWork(context))] : []),
        ...queueEffect(context),
      ],
      dangerous: true,
      needsConfirmation: true,
    }),
    affectsWork: true,
    stateAfter: 'disconnected',
    placement: 'separate',
    toAll: { verb: 'Shut down all', outcomes: ['shut down', 'can’t be shut down'], dangerous: true },
  },
};

export const nodeCommands = Object.keys(nodeCommandTable) as readonly NodeCommand[];
