/**
 * Which command to a node is offered in its present state, and what it would hit. Pure.
 * Source: MADSci 0.8.1; the workcell manager answers a bare 500 for a node that it can't reach or never reached, but
 * forgets the error of a lost node before it sends a reset, so that it asks that node again at once.
 */
import { adminCommand } from '../../../api/managers/action.ts';
import type { Node } from '../../../api/managers/node.ts';
import { nodeCommandTexts as texts } from '../commands/nodeCommandTexts.ts';
import type { Impact, LabSnapshot, Offer, NotOffered } from './decision.ts';
import { nodeCommands, nodeCommandTable, type CommandToAll, type NodeCommand } from './nodeCommandTable.ts';
import { isWorking, nodeIn, type NodeNow } from './nodeNow.ts';
import { knownCommands, nodeState } from '../workcell/nodeState.ts';

interface CommandOffer extends Offer {
  /** Whether a person is asked before it is sent. */
  readonly needsConfirmation: boolean;
}
export type CommandDecision = CommandOffer | NotOffered;

/** Whether it is offered at this moment of the lab. */
export function decideIn(lab: LabSnapshot, name: string, command: NodeCommand): CommandDecision {
  const now = nodeIn(lab, name);
  return now === null ? { allowed: false, why: texts.missing(name) } : decideCommand(command, now);
}

/** Whether nothing is known of it any more, or it can't be reached. */
const isLost = ({ status }: Node): boolean => status === null || status.disconnected === true;

/** The commands that the menu shows: those the node knows, and those that a node which is lost gets all the same. */
export function commandsOf(node: Node): readonly NodeCommand[] {
  if (node.info === null) return [];
  const known = knownCommands(node) ?? [];
  const lost = node.status?.disconnected === true;
  return nodeCommands.filter(
    (command) => known.includes(command) || (lost && nodeCommandTable[command].reachesLost === true),
  );
}

/** MADSci's commands that the node doesn't implement; empty where nobody asked it. */
export function commandsLacking(node: Node): readonly string[] {
  const known = knownCommands(node);
  return known === null ? [] : adminCommand.words.filter((command) => !known.includes(command));
}

/** What makes the command pointless or impossible in this state; `null` when nothing does. */
function obstacle(command: NodeCommand, { name, node }: NodeNow): string | null {
  const { refusal, reachesLost } = nodeCommandTable[command];
  if (node.info === null) return texts.never(name);
  if (reachesLost === true && isLost(node)) return null;
  if (node.status === null) return texts.unsure(name);
  if (node.status.disconnected === true) return texts.away(name);
  if (!(knownCommands(node) ?? []).includes(command)) return texts.lacks(name, command);
  return refusal?.(node.status, isWorking(node)) ?? null;
}

/**
 * Whom the command hits: the node, and whose work it has, be it a workflow's or an action that none started; which step
 * of it makes no difference, nor how many wait: that a node takes no action from anybody is said of every hold. A node
 * that is lost, or no longer is, is another case than the one that was asked about.
 */
function hitsOf(command: NodeCommand, { name, node, workflow, next }: NodeNow, dangerous: boolean): readonly Impact[] {
  const { affectsWork, startsNext } = nodeCommandTable[command];
  return [
    { target: isLost(node) ? `lost ${name}` : name, weight: dangerous ? 2 : 1 },
    ...(affectsWork && isWorking(node)
      ? [{ target: `${name}: ${workflow?.workflow_id ?? 'no workflow'}`, weight: 1 }]
      : []),
    // What it sets free moves at once.
    ...(startsNext === true && next !== null ? [{ target: 'queue', weight: 1 }] : []),
  ];
}

export function decideCommand(command: NodeCommand, now: NodeNow): CommandDecision {
  const why = obstacle(command, now);
  if (why !== null) return { allowed: false, why };
  const { verb, effect } = nodeCommandTable[command];
  const consequence = effect(now, isWorking(now.node));
  return {
    allowed: true,
    title: texts.title(verb, now.name),
    verb: texts.button(verb, now.name),
    ...consequence,
    impacts: hitsOf(command, now, consequence.dangerous),
  };
}

/** The commands that would change something now: what is offered where there is no room for reasons. */
export function usefulCommands(now: NodeNow): readonly NodeCommand[] {
  return commandsOf(now.node).filter(
    (command) => decideCommand(command, now).allowed && skipReason(command, now) === null,
  );
}

/** The one thing to do about a node as it is now; `null` when there is none. */
export function suggestedCommand(now: NodeNow): NodeCommand | null {
  const state = nodeState(now.node);
  const found = nodeCommands.find((command) => nodeCommandTable[command].remedies?.includes(state) === true);
  return found !== undefined && decideCommand(found, now).allowed ? found : null;
}

export interface ForAll {
  /** Who gets it, and what it would do to each. */
  readonly gets: readonly {
    readonly name: string;
    readonly effects: readonly string[];
    readonly impacts: readonly Impact[];
    readonly dangerous: boolean;
  }[];
  readonly not: readonly { readonly name: string; readonly why: string }[];
}

/** Why a node that could take the command needs none; `null` when it does. */
function skipReason(command: NodeCommand, now: NodeNow): string | null {
  return nodeCommandTable[command].toAll?.skips?.(now, isWorking(now.node)) ?? null;
}

export function decideForAll(command: CommandToAll, all: readonly NodeNow[]): ForAll {
  const gets: ForAll['gets'][number][] = [];
  const not: ForAll['not'][number][] = [];
  for (const now of all) {
    const decision = decideCommand(command, now);
    const why = decision.allowed ? skipReason(command, now) : decision.why;
    if (why !== null) not.push({ name: now.name, why });
    else if (decision.allowed) {
      const { effects, impacts, dangerous } = decision;
      gets.push({ name: now.name, effects, impacts, dangerous });
    }
  }
  return { gets, not };
}
