/** Words about what is done to several resources at once. */
import { figure } from '../../../base/figure.ts';

const resources = (total: number) => (total === 1 ? '1 resource' : `${figure(total)} resources`);

export const bulkTexts = {
  quantity: 'Set quantity…',
  capacity: 'Set capacity…',
  remove: 'Remove…',
  quantityField: 'Quantity',
  capacityField: 'Capacity',
  noCapacity: 'Empty: no capacity',
  noConsumables: 'None of the selected ones is a consumable.',
  only: (some: number, all: number) => `Only the ${figure(some)} consumables of the ${figure(all)} selected.`,
  setQuantity: (total: number) => `Set the quantity of ${resources(total)}`,
  setCapacity: (total: number) => `Set the capacity of ${resources(total)}`,
  removeTitle: (total: number) => `Remove ${resources(total)}?`,
  removeAction: (total: number) => `Remove ${resources(total)}`,
  removeBelow: (total: number) => `${resources(total)} in them will be removed too.`,
  restore: 'They can be restored from the list of removed resources.',
  more: (total: number) => `and ${figure(total)} more`,
  what: (verb: string, total: number) => `${verb.replace(/…$/, '')}: ${resources(total)}`,
  progress: (done: number, total: number) => `${figure(done)} of ${figure(total)} done …`,
  failure: (name: string, why: string) => `${name}: ${why}`,
  sum: (done: number, failed: readonly string[]) =>
    failed.length === 0
      ? `${resources(done)} changed.`
      : `${resources(done)} changed, ${figure(failed.length)} failed. ${failed.slice(0, 5).join(' ')}`,
} as const;
