import { andMore, formatNumber, plural } from '#api/countText.ts';

const resources = (total: number) => plural(total, 'resource', 'resources');

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
