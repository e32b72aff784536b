/**
 * The commands that are offered for a node in its present state, and their impacts. Pure. Source: MADSci 0.8.1; the
 * workcell manager returns a bare 500 for a node that it can't reach or never reached, but clears the error of a
 * disconnected node before it sends a reset, so that it retries that node at once.
 */
import { adminCommand } from '../../../api/managers/action.ts';
import type { Node } from '../../../api/managers/node.ts';
import { nodeCommandTexts as texts } from '../commands/nodeCommandTexts.ts';
import type { Impact, LabSnapshot, Offer, NotOffered } from './decision.ts';
import { nodeCommands, nodeCommandTable, type CommandToAll, type NodeCommand } from './nodeCommandTable.ts';
import { isWorking, nodeIn, type NodeNow } from './nodeNow.ts';
import { knownCommands, nodeState } from '../workcell/nodeState.ts';

interface CommandOffer extends Offer {
  /** Whether it needs a confirmation. */
  readonly needsConfirmation: boolean;
}
export type CommandDecision = CommandOffer | NotOffered;

/** Decides whether the command is offered in this snapshot of the lab. */
export function decideIn(lab: LabSnapshot, name: string, command: NodeCommand): CommandDecision {
  const now = nodeIn(lab, name);
  return now === null ? { allowed: false, reason: texts.missing(name) } : decideCommand(command, now);
}

/** Whether the node's state is unknown or the node is disconnected. */
const isLost = ({ status }: Node): boolean => status === null || status.disconnected === true;

/** Returns the commands of the menu: those that the node lists, and those that are also sent to a disconnected node. */
export function commandsOf(node: Node): readonly NodeCommand[] {
  if (node.info === null) return [];
  const known = knownCommands(node) ?? [];
  const isDisconnected = node.status?.disconnected === true;
  return nodeCommands.filter(
    (command) => known.includes(command) || (isDisconnected && nodeCommandTable[command].reachesLost === true),
  );
}

/** Returns MADSci's commands that the node doesn't implement; empty while the node's commands are unknown. */
export function commandsLacking(node: Node): readonly string[] {
  const known = knownCommands(node);
  return known === null ? [] : adminCommand.values.filter((command) => !known.includes(command));
}

/** Returns why the command is unnecessary or impossible in this state; `null` if it is neither. */
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
 * Returns the impacts: on the node and on its current work, of a workflow or not. Neither the step nor the number of
 * waiting workflows matters, because every pause and lock states that the node accepts no actions. A node that is
 * disconnected, or no longer is, needs a new confirmation.
 */
function hitsOf(command: NodeCommand, { name, node, workflow, next }: NodeNow, dangerous: boolean): readonly Impact[] {
  const { affectsWork, startsNext } = nodeCommandTable[command];
  return [
    { target: isLost(node) ? `lost ${name}` : name, severity: dangerous ? 2 : 1 },
    ...(affectsWork && isWorking(node)
      ? [{ target: `${name}: ${workflow?.workflow_id ?? 'no workflow'}`, severity: 1 }]
      : []),
    // The next workflow starts moving at once.
    ...(startsNext === true && next !== null ? [{ target: 'queue', severity: 1 }] : []),
  ];
}

export function decideCommand(command: NodeCommand, now: NodeNow): CommandDecision {
  const obstacleReason = obstacle(command, now);
  if (obstacleReason !== null) return { allowed: false, reason: obstacleReason };
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

/** Returns the commands that have an effect now, for places without room for reasons. */
export function usefulCommands(now: NodeNow): readonly NodeCommand[] {
  return commandsOf(now.node).filter(
    (command) => decideCommand(command, now).allowed && skipReason(command, now) === null,
  );
}

/** Returns the suggested command for the node's state; `null` if there is none. */
export function suggestedCommand(now: NodeNow): NodeCommand | null {
  const state = nodeState(now.node);
  const found = nodeCommands.find((command) => nodeCommandTable[command].remedies?.includes(state) === true);
  return found !== undefined && decideCommand(found, now).allowed ? found : null;
}

export interface BulkDecision {
  /** The nodes that receive the command, with its effects on each. */
  readonly gets: readonly {
    readonly name: string;
    readonly effects: readonly string[];
    readonly impacts: readonly Impact[];
    readonly dangerous: boolean;
  }[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** The reason why a node that could receive the command doesn't need it; `null` if it does. */
function skipReason(command: NodeCommand, now: NodeNow): string | null {
  return nodeCommandTable[command].toAll?.skips?.(now, isWorking(now.node)) ?? null;
}

export function decideForAll(command: CommandToAll, all: readonly NodeNow[]): BulkDecision {
  const gets: BulkDecision['gets'][number][] = [];
  const not: BulkDecision['skipped'][number][] = [];
  for (const now of all) {
    const decision = decideCommand(command, now);
    const reason = decision.allowed ? skipReason(command, now) : decision.reason;
    if (reason !== null) not.push({ name: now.name, reason });
    else if (decision.allowed) {
      const { effects, impacts, dangerous } = decision;
      gets.push({ name: now.name, effects, impacts, dangerous });
    }
  }
  return { gets, skipped: not };
}
