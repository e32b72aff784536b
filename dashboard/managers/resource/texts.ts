/** Words about resources: what they are, how much there is, what can't be done and why. */
import { figure } from '../../base/figure.ts';
import { amountText } from './amountText.ts';

const types: Readonly<Record<string, string>> = {
  resource: 'Resource',
  asset: 'Asset',
  consumable: 'Consumable',
  discrete_consumable: 'Discrete consumable',
  continuous_consumable: 'Continuous consumable',
  container: 'Container',
  collection: 'Collection',
  row: 'Row',
  grid: 'Grid',
  voxel_grid: 'Voxel grid',
  slot: 'Slot',
  stack: 'Stack',
  queue: 'Queue',
  pool: 'Pool',
};

export const resourceTexts = {
  /** A later MADSci's type is called as it calls it. */
  type: (type: string) => types[type] ?? type,
  amount: amountText,
  ofCapacity: (value: string, capacity: string) => `${value} of ${capacity}`,
  places: (filled: number, all: number) => `${figure(filled)} of ${figure(all)} places occupied`,
  children: (count: number) => (count === 1 ? '1 child' : `${figure(count)} children`),
  /** What the manager's figure of a container is. */
  figureOf: {
    quantity: 'Quantity',
    children: 'Number of children',
    sum: 'Sum of the children’s quantities; assets count 0',
  },
  pickHint: 'Name, ID or class',
  why: {
    noCapacity: 'It has no capacity to fill to: set one first.',
    full: 'It is full.',
    empty: 'It is empty.',
    notEmptied: (type: string) =>
      `The resource manager can’t empty a ${(types[type] ?? type).toLowerCase()}: remove its children one by one.`,
  },
} as const;
