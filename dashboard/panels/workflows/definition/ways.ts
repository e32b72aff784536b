/** The way of a transfer, and what the managers say of it. */

/** From where to where, by the names of locations. */
export interface Transfer {
  readonly source: string;
  readonly target: string;
}

/** What the location manager answers when it is asked to plan the way. */
export type PlannedTransfer =
  /** The nodes that carry, each once. */
  | { readonly is: 'planned'; readonly nodes: readonly string[] }
  | { readonly is: 'none'; readonly reason: string }
  | { readonly is: 'unknown'; readonly reason: string };

/** What lies at a location; `unrecorded`: it has no resource, so nobody keeps a record. */
export interface Holding {
  readonly is: 'something' | 'nothing' | 'unrecorded' | 'unknown';
  /** Why it isn't known. */
  readonly reason: string;
}

export const transferKey = ({ source, target }: Transfer): string => JSON.stringify([source, target]);
