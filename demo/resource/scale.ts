/** Resources by the thousand, for trying the dashboard at the size of a large store room. */
import type { JsonObject } from '../../api/client/wire.ts';
import type { Random } from '../base/random.ts';
import type { ResourceStore } from './store.ts';

const kinds = ['plate', 'tube', 'tip_rack', 'reservoir'] as const;

/** So many rows: three of four are loose assets, the others reagents. */
export function addMany(store: ResourceStore, random: Random, count: number): void {
  for (let index = 0; index < count; index++) {
    const name = `stock_${String(index).padStart(5, '0')}`;
    const kind = kinds[index % kinds.length] ?? 'plate';
    const resource: JsonObject =
      index % 4 === 3
        ? {
            base_type: 'continuous_consumable',
            resource_class: 'reagent',
            quantity: Math.round(random.between(0, 100)),
            capacity: 100,
          }
        : { base_type: 'asset', resource_class: kind };
    store.add({ ...resource, resource_name: name });
  }
}
