/** Texts about resources: types, amounts, and why an operation is blocked. */
import { formatNumber, plural } from '#api/countText.ts';
import { formatAmount } from './amount.ts';

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
  /** An unknown type of a later MADSci version is shown unchanged. */
  type: (type: string) => types[type] ?? type,
  amount: formatAmount,
  ofCapacity: (value: string, capacity: string) => `${value} of ${capacity}`,
  places: (filled: number, all: number) => `${formatNumber(filled)} of ${formatNumber(all)} places occupied`,
  children: (count: number) => plural(count, 'child', 'children'),
  /** The meaning of the manager's quantity of a container. */
  quantityMeaning: {
    quantity: 'Quantity',
    children: 'Number of children',
    sum: 'Sum of the children’s quantities; assets count 0',
  },
  changed: {
    missing: (name: string) => `“${name}” is no longer in the lab.`,
    occupied: (place: string, name: string) => `${place} is occupied by “${name}” now: choose another place.`,
    noTemplate: (name: string) => `The template “${name}” no longer exists.`,
    templateExists: (name: string) => `A template “${name}” already exists, and would be replaced.`,
    templateField: (field: string) => `Its ${field.replaceAll('_', ' ')} has changed.`,
    quantity: 'Quantity',
    capacity: 'Capacity',
    fields: { name: 'Name', cls: 'Class', description: 'Description' },
    key: (key: string) => `Key “${key}”`,
    none: 'none',
    placeOf: (parent: string, key: string | null) => (key === null ? parent : `${parent}, ${key}`),
    differs: (field: string, shown: string, now: string) => `${field}: ${shown} was shown; now ${now}.`,
    added: (name: string) => `“${name}” is in it now.`,
    gone: (name: string) => `“${name}” is no longer in it.`,
    end: (shown: string, now: string) => `“${shown}” was next; now it is “${now}”.`,
  },
  notAllowed: {
    full: 'It is full.',
    noContainer: 'It is no container.',
    empty: 'It is empty.',
    notEmptied: (type: string) =>
      `The resource manager can’t empty a ${(types[type] ?? type).toLowerCase()}: remove its children one by one.`,
  },
} as const;
