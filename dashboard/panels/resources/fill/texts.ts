import { andMore, formatNumber, plural } from '../../../../api/countText.ts';

const resources = (total: number) => plural(total, 'resource', 'resources');

export const fillTexts = {
  verb: 'Add',
  menu: 'Add many…',
  what: 'Resources to add',
  into: (name: string) => `Add many to ${name}`,
  patternField: 'Names',
  patternHint: 'sample_{001..096}, {A..H}{1..12}, {left,right}: the last braces count fastest.',
  pattern: {
    empty: 'Enter a pattern, such as sample_{001..096}.',
    open: (at: number) => `The brace at character ${formatNumber(at)} is not closed. Write {{ for a brace in the name.`,
    closed: (at: number) =>
      `The brace at character ${formatNumber(at)} was not opened. Write }} for a brace in the name.`,
    braces: (shown: string) => `${shown} is neither a range nor a list. Write {1..8}, {A..H} or {left,right}.`,
    ends: (shown: string) => `${shown} needs two numbers, or two letters of the same case.`,
    step: (shown: string) => `The step of ${shown} is 0.`,
    many: (count: number, limit: number) =>
      `${formatNumber(count)} names are too many: at most ${formatNumber(limit)} at once.`,
    twice: (name: string) => `The pattern makes “${name}” twice.`,
  },
  fields: 'The same for each',
  start: 'Start at',
  startProblem: (text: string, example: string) =>
    `${text} is not a position of this container. Enter one such as ${example}.`,
  order: 'Order',
  byRow: 'By row',
  byColumn: 'By column',
  layer: 'Layer',
  occupied: 'Occupied positions',
  next: 'Use the next free position',
  leaveOut: 'Leave that name out',
  preview: 'Preview',
  planned: (total: number) => `${resources(total)} will be added`,
  none: 'Nothing would be added.',
  added: 'New',
  occupiedPlace: 'Occupied',
  free: 'Free',
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
  end: {
    stack: 'Each goes on top of the one before.',
    queue: 'Each goes to the back.',
    slot: 'It goes into the slot.',
  },
  keys: 'Each name is also its key.',
  notContainer: 'It holds no children.',
  missingRow: 'A row of it is missing in the resource manager.',
  poolOnly: 'A pool takes consumables only.',
  again: 'Add more',
  back: 'Back to the resource',
  well: (well: string, name: string) => `${well}, ${name}`,
} as const;
