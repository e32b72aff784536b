/**
 * The commands that are offered for a node in its present state, and their impacts. Source: MADSci 0.8.1; the workcell
 * manager returns status 500 without a reason for a node that it can't reach or never reached, but clears the error of
 * a disconnected node before it sends a reset, so that it retries that node at once.
 */
import { isSilaAddress } from '#api/hosts.ts';
import { adminCommand } from '#api/managers/action.ts';
import type { Node } from '#api/managers/node.ts';
import { nodeCommandTexts as texts } from '../commands/nodeCommandTexts.ts';
import type { Impact, LabSnapshot, Offer, NotOffered } from './decision.ts';
import { nodeCommands, nodeCommandTable, type CommandToAll, type NodeCommand } from './nodeCommandTable.ts';
import { isWorking, findNodeContext, type NodeContext } from './nodeContext.ts';
import { suggestedCommandFor } from '#api/managers/nodeState.ts';
import { reportedCommands, nodeState } from '../workcell/nodeState.ts';

interface CommandOffer extends Offer {
  /** Whether it needs a confirmation. */
  readonly needsConfirmation: boolean;
}
export type CommandDecision = CommandOffer | NotOffered;

/** Decides whether the command is offered in this snapshot of the lab. */
export function decideNodeCommand(lab: LabSnapshot, name: string, command: NodeCommand): CommandDecision {
  const context = findNodeContext(lab, name);
  return context === null ? { allowed: false, reason: texts.missing(name) } : decideCommand(command, context);
}

/** Returns whether the node's state is unknown or the node is disconnected. */
const isUnavailable = ({ status }: Node): boolean => status === null || status.disconnected === true;

/**
 * Returns whether MADSci can send the node no commands: its client for SiLA 2 implements only actions. The safety stop is sent
 * regardless.
 */
export const hasNoCommands = ({ node_url: url }: Node): boolean => isSilaAddress(url ?? '');

/** Returns the commands of the menu: those that the node lists, and those that are also sent to a disconnected node. */
export function listCommands(node: Node): readonly NodeCommand[] {
  if (node.info === null) return [];
  const supported = reportedCommands(node) ?? [];
  const isDisconnected = node.status?.disconnected === true;
  return nodeCommands.filter(
    (command) =>
      supported.includes(command) || (isDisconnected && nodeCommandTable[command].sentWhenDisconnected === true),
  );
}

/** Returns MADSci's commands that the node doesn't implement; empty while the node's commands are unknown. */
export function unsupportedCommands(node: Node): readonly string[] {
  const supported = reportedCommands(node);
  return supported === null ? [] : adminCommand.values.filter((command) => !supported.includes(command));
}

/** Returns why the command is unnecessary or impossible in this state; `null` if it is neither. */
function findRefusal(command: NodeCommand, { name, node }: NodeContext): string | null {
  const { refusal, sentWhenDisconnected } = nodeCommandTable[command];
  if (hasNoCommands(node)) return texts.silaNode(name);
  if (node.info === null) return texts.neverReached(name);
  if (sentWhenDisconnected === true && isUnavailable(node)) return null;
  if (node.status === null) return texts.stateUnknown(name);
  if (node.status.disconnected === true) return texts.unreachable(name);
  if (!(reportedCommands(node) ?? []).includes(command)) return texts.commandUnsupported(name, command);
  return refusal?.(node.status, isWorking(node)) ?? null;
}

/**
 * Returns the impacts on the node, on its current work and on the queue. A node that has been disconnected or connected
 * since is a different target, so the command needs a new confirmation.
 */
function listImpacts(
  command: NodeCommand,
  { name, node, workflow, nextWorkflow }: NodeContext,
  dangerous: boolean,
): readonly Impact[] {
  const { affectsWork, startsNext } = nodeCommandTable[command];
  return [
    { target: isUnavailable(node) ? `lost ${name}` : name, severity: dangerous ? 2 : 1 },
    ...(affectsWork && isWorking(node)
      ? [{ target: `${name}: ${workflow?.workflow_id ?? 'no workflow'}`, severity: 1 }]
      : []),
    // The next workflow starts moving at once.
    ...(startsNext === true && nextWorkflow !== null ? [{ target: 'queue', severity: 1 }] : []),
  ];
}

export function decideCommand(command: NodeCommand, context: NodeContext): CommandDecision {
  const refusal = findRefusal(command, context);
  if (refusal !== null) return { allowed: false, reason: refusal };
  const { verb, effect } = nodeCommandTable[command];
  const consequence = effect(context, isWorking(context.node));
  return {
    allowed: true,
    title: texts.title(verb, context.name),
    verb: texts.button(verb, context.name),
    ...consequence,
    impacts: listImpacts(command, context, consequence.dangerous),
  };
}

/** Returns the commands that have an effect now, for menus without room for reasons. */
export function listUsefulCommands(context: NodeContext): readonly NodeCommand[] {
  return listCommands(context.node).filter(
    (command) => decideCommand(command, context).allowed && findSkipReason(command, context) === null,
  );
}

/** Returns the suggested command for the node's state; `null` if there is none. */
export function suggestCommand(context: NodeContext): NodeCommand | null {
  const suggestion = suggestedCommandFor(nodeState(context.node));
  return suggestion !== null && decideCommand(suggestion, context).allowed ? suggestion : null;
}

export interface BulkDecision {
  /** The nodes that receive the command, with its effects on each. */
  readonly recipients: readonly {
    readonly name: string;
    readonly effects: readonly string[];
    readonly impacts: readonly Impact[];
    readonly dangerous: boolean;
  }[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** The reason why a node that could receive the command doesn't need it; `null` if it does. */
function findSkipReason(command: NodeCommand, context: NodeContext): string | null {
  return nodeCommandTable[command].toAll?.reasonToSkip?.(context, isWorking(context.node)) ?? null;
}

export function decideForAll(command: CommandToAll, all: readonly NodeContext[]): BulkDecision {
  const recipients: BulkDecision['recipients'][number][] = [];
  const skipped: BulkDecision['skipped'][number][] = [];
  for (const context of all) {
    const decision = decideCommand(command, context);
    const reason = decision.allowed ? findSkipReason(command, context) : decision.reason;
    if (reason !== null) skipped.push({ name: context.name, reason });
    else if (decision.allowed) {
      const { effects, impacts, dangerous } = decision;
      recipients.push({ name: context.name, effects, impacts, dangerous });
    }
  }
  return { recipients, skipped };
}
