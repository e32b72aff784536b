/**
 * What a confirmed action does, in kinds rather than in sentences: a sentence changes with every step number, while what
 * a person has agreed to is the kind of consequence and whom it hits. Pure.
 */

export interface Hit {
  /**
   * Whom it hits: `own`, the workflow in question with its step on whatever node that is; `queue`, other workflows that
   * wait (how many changes with every step); else the node or the workflow by its name.
   */
  readonly whom: string;
  /** Of the same one, more is worse. */
  readonly weight: number;
}

/** Whether it hits somebody whom it was not said to hit, or somebody harder than was said. */
export function isWorse(agreed: readonly Hit[], now: readonly Hit[]): boolean {
  return now.some((hit) => !agreed.some(({ whom, weight }) => whom === hit.whom && weight >= hit.weight));
}
