/** Explains why the planner finds no path. */
import type { Location } from '#api/managers/location.ts';
import { representedNodes } from '../../managers/location/locationContents.ts';

/** The reason why no transfer between two locations is possible; the first one that applies. */
export type NoPath =
  | { readonly kind: 'notAllowed'; readonly location: string }
  | { readonly kind: 'noNode'; readonly location: string }
  | { readonly kind: 'noCommonNode'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly kind: 'noTransfer'; readonly nodes: readonly string[] };

export function explainNoPath(from: Location, to: Location): NoPath {
  for (const location of [from, to])
    if (location.allow_transfers === false) return { kind: 'notAllowed', location: location.location_name };
  const [sourceNodes, targetNodes] = [representedNodes(from), representedNodes(to)];
  if (sourceNodes.length === 0) return { kind: 'noNode', location: from.location_name };
  if (targetNodes.length === 0) return { kind: 'noNode', location: to.location_name };
  const common = sourceNodes.filter((node) => targetNodes.includes(node));
  if (common.length === 0) return { kind: 'noCommonNode', from: sourceNodes, to: targetNodes };
  return { kind: 'noTransfer', nodes: common };
}
