/** The path of a transfer, and the managers' information about it. */
import { stringifyExactJson } from '#api/exactJson.ts';

/** The source and target of a transfer, as names of locations. */
export interface Transfer {
  readonly source: string;
  readonly target: string;
}

/** The location manager's response to a planning request. */
export type PlannedTransfer =
  /** The distinct nodes that execute the transfer. */
  | { readonly kind: 'planned'; readonly nodes: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Contents of a location; `unrecorded`: it has no resource that records them. */
export interface LocationContents {
  readonly state: 'something' | 'nothing' | 'unrecorded' | 'unknown';
  /** Reason why the contents are unknown. */
  readonly reason: string;
  /** Whether it is known to have no room for another resource. */
  readonly isFull?: boolean;
}

export const transferKey = ({ source, target }: Transfer): string => stringifyExactJson([source, target]);
