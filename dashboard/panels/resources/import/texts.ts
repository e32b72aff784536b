import { formatNumber, plural } from '#api/countText.ts';

/** The uses of a column. */
const uses = {
  ignore: 'Ignore',
  name: 'Name',
  id: 'ID',
  type: 'Type',
  class: 'Class',
  description: 'Description',
  quantity: 'Quantity',
  capacity: 'Capacity',
  parent: 'In (name or path)',
  parentId: 'In (ID)',
  position: 'Position or key',
  rows: 'Rows',
  columns: 'Columns',
  layers: 'Layers',
  template: 'Template',
  attributes: 'Attributes (JSON)',
  attribute: 'Attribute',
} as const;

export const importTexts = {
  menu: 'Import CSV…',
  uses,
  notRead: (reason: string) => `The file could not be read: ${reason}`,
  facts: (lines: number, encoding: string, separator: string) =>
    `${plural(lines, 'line', 'lines')}, ${encoding}, ${separator}`,
  separators: { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as Readonly<Record<string, string>>,
  unused: (headings: readonly string[]) =>
    `${headings.length === 1 ? 'This column is' : 'These columns are'} not used: ${headings.join(', ')}. Select above what ${headings.length === 1 ? 'it is' : 'they are'}.`,
  leaveOut: (total: number) => (total === 1 ? 'Leave it out' : 'Leave them out'),
  twice: (names: readonly string[]) =>
    `Selected for two columns: ${names.join('; ')}. Only one of them can have this use.`,
  statuses: { new: 'New', existing: 'Already there', changed: 'Changed', invalid: 'Invalid' },
  update: (total: number) => `Also update the ${plural(total, 'resource that differs', 'resources that differ')}`,
  run: (added: number, changed = 0) => {
    const updating = plural(changed, 'resource', 'resources');
    if (changed === 0) return `Import ${plural(added, 'resource', 'resources')}`;
    return added === 0 ? `Update ${updating}` : `Import ${formatNumber(added)} and update ${updating}`;
  },
  summarize: (parts: readonly (readonly [string, number])[]) =>
    parts.map(([label, total]) => `${formatNumber(total)} ${label.toLowerCase()}`).join(', '),
  again: 'Import another file',
  isIn: (where: string) => `It is ${where === '' ? 'at the top level' : `in ${where}`} now, and stays there.`,
  differs: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
  skipped: (status: string, text: string) => (text === '' ? `${status}.` : `${status}: ${text}`),
  nothingSet: 'not set',
  problems: {
    otherUnit: (unit: string, unitOfLab: string) =>
      `The column is in ${unit}, the resource in ${unitOfLab}. Convert the column, or leave its unit out of the heading.`,
    number: (field: string, text: string, isWhole: boolean) =>
      `${field} must be a ${isWhole ? 'whole number' : 'number'} of 0 or more, not “${text}”.`,
    attribute: (name: string, problem: string) => `${name}: ${problem}`,
    parentMissing: (text: string) => `Neither the lab nor the file contains “${text}”.`,
    parentTwice: (text: string, total: number) =>
      `${formatNumber(total)} containers are called “${text}”: give the ID.`,
    parentInvalid: (line: number) => `Its container on line ${formatNumber(line)} can’t be added.`,
    sameLine: (line: number) => `The same as line ${formatNumber(line)}.`,
    twiceInLab: (total: number) => `${formatNumber(total)} resources have this name there: give the ID.`,
    templateNeeds: (names: readonly string[]) => `The template requires ${names.join(', ')}.`,
    sizes: 'A row needs Columns, a grid Rows and Columns, a voxel grid Layers too: each from 1 to 100.',
    overCapacity: 'Its quantity is over its capacity.',
    whole: 'A discrete consumable is counted in whole numbers.',
    noQuantity: (type: string) => `A resource of type ${type} has no quantity of its own.`,
    noContainer: (name: string) => `“${name}” can’t contain children.`,
    position: (text: string, name: string) => `“${text}” is not a position in “${name}”. Write one such as A1.`,
    occupied: (place: string, name: string) => `${place} is occupied by “${name}”.`,
  },
} as const;
