import { andMore, formatNumber, plural } from '#api/countText.ts';

const resources = (total: number) => plural(total, 'resource', 'resources');

/** Texts of commands on many resources, and of their results. */
export const batchTexts = {
  notSent: 'It was not sent, because the batch was stopped.',
  title: 'Results',
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  summary: (done: number, failed: number, notSent: number, skipped = 0) =>
    [
      `${formatNumber(done)} done`,
      ...(failed === 0 ? [] : [`${formatNumber(failed)} failed`]),
      ...(notSent === 0 ? [] : [`${formatNumber(notSent)} not sent`]),
      ...(skipped === 0 ? [] : [`${formatNumber(skipped)} skipped`]),
    ].join(', '),
  retry: (total: number) => `Try ${resources(total)} again`,
  commandText: (verb: string, total: number) => `${verb.replace(/…$/, '')}: ${resources(total)}`,
} as const;

export const bulkTexts = {
  quantity: 'Set quantity…',
  capacity: 'Set capacity…',
  remove: 'Remove…',
  quantityField: 'Quantity',
  noCapacity: 'Empty: no capacity',
  only: (some: number, all: number) =>
    `Only the ${formatNumber(some)} consumables of the ${formatNumber(all)} selected.`,
  setQuantity: (total: number) => `The quantity of ${resources(total)}`,
  setCapacity: (total: number) => `Set the capacity of ${resources(total)}`,
  removeTitle: (total: number) => `Remove ${resources(total)}?`,
  removeAction: (total: number) => `Remove ${resources(total)}`,
  removeBelow: (total: number) => `${resources(total)} in them will be removed too.`,
  more: andMore,
  move: 'Move…',
  moveTitle: (total: number) => `Move ${resources(total)}`,
  moveAction: (total: number) => `Move ${resources(total)}`,
  room: (freeCount: number) => (freeCount === 0 ? 'It is full.' : `It has room for only ${formatNumber(freeCount)}.`),
  attributes: 'Attributes…',
  attributesTitle: (total: number) => `An attribute of ${resources(total)}`,
  attributeField: 'Attribute',
  valueField: 'Value',
  currentValues: (values: readonly string[], total: number) =>
    `Current values of ${resources(total)}: ${values.join(', ')}${values.length === 5 ? ', …' : ''}`,
  setAction: (total: number) => `Set on ${resources(total)}`,
  removeAttributeAction: (total: number) => `Remove from ${resources(total)}`,
  set: 'Set.',
  removed: 'Removed.',
  capacityOf: (some: number, all: number) =>
    `Applies to ${formatNumber(some)} of the ${formatNumber(all)} selected resources; the others can’t have a capacity.`,
  results: (verb: string) => `${verb.replace(/…$/, '')}: result of each`,
} as const;
