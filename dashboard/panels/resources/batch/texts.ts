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

/** Texts of adding many resources by a pattern. */
export const fillTexts = {
  into: (name: string) => `Add many to ${name}`,
  patternField: 'Names',
  pattern: {
    unclosed: (position: number) =>
      `The brace at character ${formatNumber(position)} is not closed. Write {{ for a brace in the name.`,
    unopened: (position: number) =>
      `The brace at character ${formatNumber(position)} was not opened. Write }} for a brace in the name.`,
    braces: (braces: string) => `${braces} is neither a range nor a list. Write {1..8}, {A..H} or {left,right}.`,
    ends: (braces: string) => `${braces} needs two numbers, or two letters of the same case.`,
    tooMany: (count: number, limit: number) =>
      `${formatNumber(count)} names are too many: at most ${formatNumber(limit)} at once.`,
  },
  order: 'Order',
  occupied: 'Occupied positions',
  preview: 'Preview',
  planned: (total: number) => `${resources(total)} will be added`,
  skipped: (total: number) =>
    total === 1
      ? '1 position is occupied and stays unchanged:'
      : `${formatNumber(total)} positions are occupied and stay unchanged:`,
  occupant: (place: string, name: string) => `${place}: ${name}`,
  noRoom: (total: number, first: string) =>
    `${total === 1 ? '1 name has' : `${formatNumber(total)} names have`} no free position, from “${first}” on.`,
  more: andMore,
  add: (total: number) => `Add ${resources(total)}`,
  position: (index: number) => `Position ${formatNumber(index)}`,
  endHint: {
    stack: 'Each goes on top of the one before.',
    queue: 'Each goes to the back.',
    slot: 'It goes into the slot.',
  },
  well: (well: string, name: string) => `${well}, ${name}`,
} as const;
