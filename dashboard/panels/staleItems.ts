/** What needs a person where who says so doesn't answer. */
import type { AttentionItem } from './panel.ts';

/** Nobody knows then whether it goes on; what is past stays so, whoever answers. */
export function staleItems(items: readonly AttentionItem[], isStale: boolean): readonly AttentionItem[] {
  return isStale ? items.map((item) => (item.past ? item : { ...item, stale: true })) : items;
}
