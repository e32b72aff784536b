/** Why the planner finds no path. Pure. */
import type { Location } from '../../../api/managers/location.ts';
import { nodesOf } from '../../managers/location/whereabouts.ts';

/** Why no transfer between two locations is possible, in the order of a diagnosis. */
export type NoPath =
  | { readonly why: 'notAllowed'; readonly location: string }
  | { readonly why: 'noNode'; readonly location: string }
  | { readonly why: 'noCommonNode'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly why: 'noTransfer'; readonly nodes: readonly string[] };

export function noPath(from: Location, to: Location): NoPath {
  for (const location of [from, to])
    if (location.allow_transfers === false) return { why: 'notAllowed', location: location.location_name };
  const [own, others] = [nodesOf(from), nodesOf(to)];
  if (own.length === 0) return { why: 'noNode', location: from.location_name };
  if (others.length === 0) return { why: 'noNode', location: to.location_name };
  const common = own.filter((node) => others.includes(node));
  if (common.length === 0) return { why: 'noCommonNode', from: own, to: others };
  return { why: 'noTransfer', nodes: common };
}
