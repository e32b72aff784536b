/** Resources that need attention: those at or below their low mark. */
import { computed, type ComputedRef } from 'vue';
import { stockAppearances } from '#api/states.ts';
import { resourcePage } from '../../base/objectPages.ts';
import { getAmount, formatAmount } from '../../managers/resource/amount.ts';
import type { ResourceRow } from '../../managers/resource/resourceRow.ts';
import { isSettled } from '../../components/feedback/liveQuery.ts';
import { useBackgroundResources } from '../../managers/resource/useResources.ts';
import { type AttentionItem, markStale } from '../panel.ts';

export function useResourceAttention(): ComputedRef<readonly AttentionItem[] | null> {
  const { index, live } = useBackgroundResources(() => true);
  return computed(() =>
    isSettled(live) ? markStale(index.value.all.flatMap(createStockItem), live.stale.value) : null,
  );
}

/** Returns an item if the stock is low or used up. */
function createStockItem(row: ResourceRow): AttentionItem[] {
  const amount = getAmount(row);
  if (amount === null || amount.lowMark === null || (amount.state !== 'out' && amount.state !== 'low')) return [];
  const appearance = stockAppearances[amount.state];
  const text = (value: number): string => formatAmount(value, amount.unit);
  return [
    {
      key: `stock ${row.id}`,
      appearance,
      name: row.name,
      reason: `${text(amount.value)} left, low mark ${text(amount.lowMark)}`,
      since: null,
      action: { label: 'Open resource', to: resourcePage(row.id) },
    },
  ];
}
