import { formatNumber, plural } from '#api/countText.ts';
import type { ColumnUse } from './mapping.ts';

const uses: Readonly<Record<ColumnUse, string>> = {
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
};

export const importTexts = {
  verbs: { add: 'Import', change: 'Update by import' },
  menu: 'Import CSV…',
  uses,
  file: 'File',
  choose: 'CSV file',
  hint: 'A column “Name” is enough; Type, Class, Quantity, Capacity, In, Position, Template and attributes are recognised. The list’s own CSV can be imported again.',
  notRead: (reason: string) => `The file could not be read: ${reason}`,
  facts: (lines: number, encoding: string, separator: string) =>
    `${plural(lines, 'line', 'lines')}, ${encoding}, ${separator}`,
  separators: { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as Readonly<Record<string, string>>,
  encoding: 'Encoding',
  encodingHint:
    'The file isn’t valid UTF-8 or UTF-16, so its encoding is a guess: check letters such as µ, ü and 液 below.',
  mapping: 'Columns',
  useOf: (heading: string) => `What “${heading}” is`,
  unused: (headings: readonly string[]) =>
    `${headings.length === 1 ? 'This column is' : 'These columns are'} not used: ${headings.join(', ')}. Select above what ${headings.length === 1 ? 'it is' : 'they are'}.`,
  leaveOut: (total: number) => (total === 1 ? 'Leave it out' : 'Leave them out'),
  confirmUnused: 'Select what the unused columns are, or confirm that they are left out.',
  twice: (names: readonly string[]) =>
    `Selected for two columns: ${names.join('; ')}. Only one of them can have this use.`,
  needsName: 'Select the column that has the names.',
  preview: 'Preview',
  lines: 'Lines of the file',
  dryRun: 'Nothing has been sent yet. The import would have this effect:',
  defaultType: 'Type for lines without a type',
  statuses: { new: 'New', existing: 'Already there', changed: 'Changed', invalid: 'Invalid' },
  status: 'Status',
  details: 'Details',
  line: 'Line',
  name: 'Name',
  place: 'In',
  update: (total: number) => `Also update the ${plural(total, 'resource that differs', 'resources that differ')}`,
  updateHint: 'The lab may have changed since the file was saved.',
  run: (added: number, changed = 0) => {
    const updating = plural(changed, 'resource', 'resources');
    if (changed === 0) return `Import ${plural(added, 'resource', 'resources')}`;
    return added === 0 ? `Update ${updating}` : `Import ${formatNumber(added)} and update ${updating}`;
  },
  nothing: 'Nothing to import.',
  summarize: (parts: readonly (readonly [string, number])[]) =>
    parts.map(([label, total]) => `${formatNumber(total)} ${label.toLowerCase()}`).join(', '),
  identity:
    'A line matches the resource with its ID, or else the resource with its name in the same container and position. Resources of an earlier import are found even after a move, so importing a file again adds nothing twice.',
  again: 'Import another file',
  list: 'Show resources',
  isIn: (where: string) => `It is ${where === '' ? 'at the top level' : `in ${where}`} now, and stays there.`,
  differs: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
  partOfPlate: 'It is created with its plate.',
  skipped: (status: string, text: string) => (text === '' ? `${status}.` : `${status}: ${text}`),
  updated: 'Updated.',
  nothingSet: 'not set',
  unitNotStored: (unit: string) => `The unit “${unit}” is not stored: the resource has none.`,
  typeIn: (type: string, unit: string) => `${type}, in ${unit} (attribute “unit”)`,
  problems: {
    otherUnit: (unit: string, unitOfLab: string) =>
      `The column is in ${unit}, the resource in ${unitOfLab}. Convert the column, or leave its unit out of the heading.`,
    mixedUnits: (quantity: string, capacity: string) =>
      `The quantity is in ${quantity}, the capacity in ${capacity}. Convert one of the columns, and name the same unit in both headings.`,
    number: (field: string, text: string, isWhole: boolean) =>
      `${field} must be a ${isWhole ? 'whole number' : 'number'} of 0 or more, not “${text}”.`,
    tooLong: (field: string, text: string) => `${field}: ${text} has too many digits to be stored exactly.`,
    id: (text: string) => `“${text}” is not an ID: an ID has 26 letters and digits.`,
    type: (text: string) => `“${text}” is not a type of resource.`,
    noName: 'It has no name.',
    noType: 'It has neither a type nor a template.',
    attribute: (name: string, problem: string) => `${name}: ${problem}`,
    attributes: 'Attributes are a JSON object: { "name": value }.',
    parentMissing: (text: string) => `Neither the lab nor the file contains “${text}”.`,
    parentTwice: (text: string, total: number) =>
      `${formatNumber(total)} containers are called “${text}”: give the ID.`,
    parentInvalid: (line: number) => `Its container on line ${formatNumber(line)} can’t be added.`,
    cycle: 'It would contain itself.',
    sameLine: (line: number) => `The same as line ${formatNumber(line)}.`,
    twiceInLab: (total: number) => `${formatNumber(total)} resources have this name there: give the ID.`,
    otherType: (actual: string, requested: string) => `It is of type ${actual}, not ${requested}.`,
    template: (name: string) => `No template “${name}” that can be used.`,
    templateNeeds: (names: readonly string[]) => `The template requires ${names.join(', ')}.`,
    sizes: 'A row needs Columns, a grid Rows and Columns, a voxel grid Layers too: each from 1 to 100.',
    overCapacity: 'Its quantity is over its capacity.',
    whole: 'A discrete consumable is counted in whole numbers.',
    noQuantity: (type: string) => `A resource of type ${type} has no quantity of its own.`,
    noContainer: (name: string) => `“${name}” can’t contain children.`,
    position: (text: string, name: string) => `“${text}” is not a position in “${name}”. Write one such as A1.`,
    noPosition: (name: string) => `It needs a position in “${name}”, such as A1.`,
    occupied: (place: string, name: string) => `${place} is occupied by “${name}”.`,
    full: (name: string) => `“${name}” is full.`,
    poolOnly: 'A pool accepts only consumables.',
    decimal: (field: string, text: string, fraction: string, whole: string) =>
      `${field}: “${text}” can be a fraction or thousands. Write ${fraction} for the fraction, ${whole} for the whole number.`,
    containerNotAdded: 'Its container was not added.',
  },
} as const;
