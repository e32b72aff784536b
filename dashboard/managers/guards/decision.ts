/**
 * A guard's decision about an action: offered, with all its effects, or not offered, with the reason; and the snapshot
 * that it is based on.
 */
import type { Node } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';

/**
 * The kind of an action's effect. A sentence changes with every step number, while the user confirms the kind of effect
 * and its target.
 */
export interface Impact {
  /**
   * The target: `own`, the workflow itself with its step on any node; `queue`, other waiting workflows (their number
   * changes with every step); else a text that identifies a node, its work, a workflow or a step.
   */
  readonly target: string;
  /** The severity for this target, higher is worse. */
  readonly severity: number;
}

/** Not offered, with the reason in a sentence. */
export interface NotOffered {
  readonly allowed: false;
  readonly reason: string;
  /** Whether the reason is transient: the states of node and workflow don't match yet, but will within seconds. */
  readonly transient?: true;
  /** The workflow that can be cancelled instead: it executes the transfer. */
  readonly alternative?: { readonly id: string; readonly name: string };
  /** The busy node. The workflow can be cancelled nevertheless: later, or together with the other affected work. */
  readonly busyNode?: string;
}

/** An offered command, with the information that the user needs before confirming it. */
export interface Offer {
  readonly allowed: true;
  readonly title: string;
  /** The effects on nodes and workflows, one sentence each. */
  readonly effects: readonly string[];
  /** The same effects as kinds, which the user confirms. */
  readonly impacts: readonly Impact[];
  /** The label of the confirm button. */
  readonly verb: string;
  /** Whether it stops or loses something. */
  readonly dangerous: boolean;
  /** The other affected workflow or node; the user must type its name to confirm. */
  readonly confirmationName?: string;
}

export type Decision = Offer | NotOffered;

/** The current state of the lab. */
export interface LabSnapshot {
  readonly nodes: Readonly<Record<string, Node>>;
  /** All queued, running and paused workflows. */
  readonly workflows: readonly Workflow[];
  /** Whether the workflow was read together with the nodes; by default it was. */
  readonly isInSnapshot?: (id: string) => boolean;
  /** Whether the manager's timestamp is so recent that the node states may be older. */
  readonly isRecent?: (stamp: string) => boolean;
  /** Whether the node is busy with work that may turn out to be a workflow's. */
  readonly isUnclear?: (node: string) => boolean;
}

/** Returns whether `current` has an impact on another target, or a more severe one, than `confirmed`. */
export function exceedsConfirmed(confirmed: readonly Impact[], current: readonly Impact[]): boolean {
  return current.some(
    ({ target, severity }) => !confirmed.some((impact) => impact.target === target && impact.severity >= severity),
  );
}
