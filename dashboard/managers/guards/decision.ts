/** What a guard says of an action: offered, with all that it would do, or not, with the reason; and what it judges by. Pure. */
import type { Node } from '../../../api/managers/node.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';

/**
 * What a confirmed action does, in kinds rather than in sentences: a sentence changes with every step number, while what
 * a person has agreed to is the kind of consequence and whom it hits.
 */
export interface Impact {
  /**
   * Whom it hits: `own`, the workflow in question with its step on whatever node that is; `queue`, other workflows that
   * wait (how many changes with every step); else the node or the workflow by its name.
   */
  readonly target: string;
  /** Of the same one, more is worse. */
  readonly weight: number;
}

/** Not offered, with the reason in a sentence. */
export interface NotOffered {
  readonly allowed: false;
  readonly why: string;
  /** It passes by itself within seconds: what is known of node and workflow doesn't go together yet. */
  readonly passing?: true;
  /** What would come to the same: to cancel the workflow that carries for its transfer. */
  readonly instead?: { readonly id: string; readonly name: string };
  /** It can be cancelled all the same: later, or with what else it hits. */
  readonly busyNode?: string;
}

/** Offered, with what a person must know before saying yes. */
export interface Offer {
  readonly allowed: true;
  readonly title: string;
  /** What it will do to which node and workflow, a sentence each. */
  readonly effects: readonly string[];
  /** The same in kinds: what a person agrees to. */
  readonly impacts: readonly Impact[];
  /** The button that does it. */
  readonly verb: string;
  /** Whether it stops or loses something. */
  readonly dangerous: boolean;
  /** Whom it hits besides: its name is typed to confirm. */
  readonly typed?: string;
}

export type Decision = Offer | NotOffered;

/** What is known of the lab at the moment. */
export interface LabSnapshot {
  readonly nodes: Readonly<Record<string, Node>>;
  /** All that are queued, run or are paused. */
  readonly workflows: readonly Workflow[];
  /** Whether the workflow was read together with the nodes; where nobody says, it was. */
  readonly isInSnapshot?: (id: string) => boolean;
  /** Whether the manager's stamp is so young that what is read of its nodes may be of before. */
  readonly isRecent?: (stamp: string) => boolean;
  /** Whether the node is busy with something that may yet turn out to be a workflow's. */
  readonly isUnclear?: (node: string) => boolean;
}

/** Whether it hits somebody whom it was not said to hit, or somebody harder than was said. */
export function isWorse(agreed: readonly Impact[], now: readonly Impact[]): boolean {
  return now.some(
    (impact) => !agreed.some(({ target: whom, weight }) => whom === impact.target && weight >= impact.weight),
  );
}
