import { andMore, formatNumber, plural } from '#api/countText.ts';
import { conflictTexts } from '../../managers/commands/texts.ts';

/** The fields of a resource. */
const fieldNames = {
  name: 'Name',
  type: 'Type',
  cls: 'Class',
  description: 'Description',
  template: 'Template',
  owner: 'Owner',
  attributes: 'Attributes',
  id: 'ID',
  created: 'Created',
  updated: 'Updated',
};

export const resourcesTexts = {
  noAddress: 'No resource manager is configured.',
  waiting: 'Waiting for the resource manager…',
  summary: (all: number, top: number) =>
    `${plural(all, 'resource', 'resources')}, ${formatNumber(top)} at the top level`,
  low: (total: number) => `${formatNumber(total)} low`,
  caption: 'Resources',
  presentation: 'Show as',
  add: 'Add resource…',
  columns: {
    ...fieldNames,
    amount: 'Amount',
    place: 'In',
    locked: 'Locked by',
    attribute: (name: string) => `${name} (attribute)`,
  },
  page: {
    ...fieldNames,
    missing: (id: string) => `No resource ${id}`,
    missingMore: 'It may have been removed: removed resources can be restored.',
    toRemoved: 'Show removed resources',
    lowMark: 'Low mark',
    lowMarkIgnored: (value: string) =>
      `The low mark ${value} is ignored: it must be a number of 0 or more, without quotes.`,
    notCompared: (units: string) => `Not compared: the contents have several units (${units}).`,
    lock: 'Lock',
    lockedBy: (holder: string, until: string) =>
      until === '' ? `Locked by ${holder}` : `Locked by ${holder} until ${until}`,
    emptyPlace: 'Empty',
    wellTitle: (name: string, well: string) => (name === well ? name : `${name} (${well})`),
    place: (name: string) => `Well ${name}`,
    layer: (index: number) => `Layer ${index + 1}`,
    colorBy: 'Colour by',
    colorings: {
      quantityIn: (unit: string) => `Quantity in ${unit}`,
    },
    top: 'top',
    front: 'front',
    selected: (total: number) => `${plural(total, 'well', 'wells')} selected`,
    grid: (rows: number, columns: number, layers: number | null) =>
      layers === null ? `${rows} × ${columns}` : `${rows} × ${columns} × ${layers}`,
  },
  history: {
    removed: 'Removed',
    changed: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
    childrenAdded: (total: number) => `${plural(total, 'child', 'children')} added`,
    childrenRemoved: (total: number) => `${plural(total, 'child', 'children')} removed`,
    updated: 'Updated',
    nowhere: 'the top level',
    nothing: 'not set',
    more: (total: number) => `Show all ${formatNumber(total)}`,
    newest: (total: number) => `The newest ${formatNumber(total)} changes`,
    asItWas: (name: string, when: string) => `${name} as it was at ${when}, and now`,
    differing: (total: number) =>
      total === 0 ? 'Nothing differs.' : `${plural(total, 'field differs', 'fields differ')}.`,
  },
  scan: {
    field: 'Scan or type a code',
    camera: 'Scan with the camera',
    title: 'Scan a code',
    failed: (reason: string) => `The camera can’t be used: ${reason}`,
  },
  operations: {
    quantity: 'Set quantity…',
    capacity: 'Set capacity…',
    lowMark: 'Set low mark…',
    fill: 'Fill',
    empty: 'Empty…',
    push: 'Push…',
    pop: 'Pop…',
    setChild: 'Add child…',
    removeChild: 'Remove child…',
    move: 'Move…',
    lock: 'Lock',
    unlock: 'Unlock',
    remove: 'Remove…',
    edit: 'Edit',
    menu: (name: string) => `More operations on ${name}`,
    done: 'The resource manager confirmed it.',
    quantityNow: (amount: string) => `The resource manager confirmed it: ${amount} now.`,
    quantityChanged: (amount: string, before: string) =>
      `The resource manager confirmed it: ${amount} now, ${before} before.`,
    quantityOther: (amount: string, before: string, expected: string) =>
      `The resource manager reports ${amount} now. ${before} was read right before, so this change alone leads to ${expected}: another program may have changed it too.`,
    quantityUnread: (amount: string) =>
      `The resource manager reports ${amount} now. The quantity before could not be read.`,
    popped: (name: string) => `“${name}” was taken out.`,
    poppedOther: (name: string, expected: string) =>
      `“${name}” was taken out${expected === '' ? '' : ` instead of “${expected}”`}: the container changed while the command was being sent.`,
    unexpectedResponse: (amount: string) =>
      `The resource manager answered, but its answer doesn’t show the change${amount === '' ? '' : `: the quantity is ${amount}`}. Check the resource before trying again.`,
    state: (name: string, amount: string) => (amount === '' ? `${name} is as shown` : `${name} has ${amount}`),
    title: (verb: string, name: string) => `${verb.replace(/…$/, '')}: ${name}`,
    amountField: 'Quantity',
    setTo: 'Set to',
    increase: 'Add',
    decrease: 'Subtract',
    increaseVerb: 'Add to quantity',
    decreaseVerb: 'Subtract from quantity',
    capacityField: 'Capacity',
    noCapacity: 'No capacity',
    lowMarkField: 'Low mark',
    lowMarkUnits: (units: string) =>
      `Not compared while the contents have several units (${units}), unless the attribute “unit” names one into which all can be converted.`,
    save: 'Save',
    needsNumber: 'Enter a number.',
    whole: 'Enter a whole number.',
    notNegative: 'Enter 0 or more.',
    overCapacity: (capacity: string) => `At most ${capacity}, its capacity.`,
    overAmount: (amount: string) => `At most ${amount}, the current quantity.`,
    overRoom: (room: string) => `At most ${room}, up to the capacity.`,
    belowQuantity: (quantity: string) => `At least ${quantity}, the current quantity.`,
    emptyConsumable: (amount: string) => `Its quantity becomes 0; it is ${amount} now.`,
    emptyContainer: (total: number) =>
      `${plural(total, 'resource', 'resources')} in it will be removed with all that is in them:`,
    popEffect: (child: string, end: string) =>
      `“${child}” is removed from the ${end} and becomes a top-level resource.`,
    removeEffect: (total: number) =>
      total === 0 ? 'It has no children.' : `${plural(total, 'resource', 'resources')} in it will be removed too:`,
    andMore,
    pushEnd: { stack: 'It goes on top.', queue: 'It goes to the back.', slot: 'It goes into the slot.' },
    pushCollides:
      'The resource manager rejects a push after a pop until the queue is empty: it doesn’t renumber the remaining children.',
    child: 'Resource',
    key: 'Key',
    keyNeeded: 'Enter a key.',
    target: 'Into',
    noTarget: 'Choose a container.',
    position: 'Position',
    noPosition: 'Choose an empty position.',
    positionOf: (position: string, container: string) => `${position} of “${container}”`,
    keyOf: (key: string) => `The key “${key}”`,
    notTarget: {
      itself: 'It is the resource itself.',
      inside: 'It is inside the resource.',
      rowOf: (plate: string) => `It is a row of “${plate}”: choose that.`,
      contents: 'Only resources that are no containers can be moved into a position.',
    },
    moveFrom: (from: string) => `It is in ${from} now.`,
    keyExists: (child: string) => `“${child}” has this key; it would be taken out, not removed.`,
    unlockOther: (holder: string) =>
      `${holder} has locked it and may be using it. Unlocking releases the lock in its name.`,
  },
  edit: {
    ...fieldNames,
    title: (name: string) => `Edit ${name}`,
    noName: 'Enter a name.',
    save: 'Save',
    overwrite: 'Overwrite',
    conflicts: 'Somebody else changed this since you opened it:',
    ...conflictTexts,
    sameNumber: (before: string, after: string) => `The number is kept: ${before} becomes ${after}.`,
    sameNumbers: 'The numbers of the amounts are kept: only their unit changes.',
  },
  adding: {
    ...fieldNames,
    title: 'Add resource',
    titleAt: (position: string) => `Add resource at ${position}`,
    unit: 'Unit',
    quantity: 'Quantity',
    capacity: 'Capacity',
    rows: 'Rows',
    columns: 'Columns',
    layers: 'Layers',
    fromTemplate: 'From template',
    noTemplates: 'No templates yet',
    noInputs: 'This template needs no values.',
    templatesNotLoaded: (reason: string | null) =>
      reason === null ? 'The templates are still loading.' : `The templates could not be loaded: ${reason}`,
    templateGone: (name: string) => `The template “${name}” no longer exists. Choose another one.`,
    add: 'Add resource',
    unexpectedResponse:
      'The resource manager answered, but its answer does not show the new resource. Check the list before trying again.',
    filledMeanwhile: 'It was filled in the meantime and stays unchanged.',
    added: 'Added.',
    existing: 'It was there already.',
    otherTemplates: (total: number) =>
      `${plural(total, 'template has', 'templates have')} capitals in the name, which the resource manager can’t find again.`,
  },
  removed: {
    restore: 'Restore',
    newest: (total: number) => `The newest ${formatNumber(total)} removals`,
  },
} as const;

export const templateTexts = {
  caption: 'Templates',
  summary: (total: number) => plural(total, 'template', 'templates'),
  waiting: 'Waiting for the resource manager…',
  columns: {
    type: 'Type',
    cls: 'Class',
    description: 'Description',
    required: 'Required',
    tags: 'Tags',
    version: 'Version',
    createdBy: 'Created by',
    resources: 'Resources',
  },
  unusableMore: 'The resource manager looks templates up in lower case, so it can’t find, change or delete this one.',
  unexpectedResponse: (fields: readonly string[]) =>
    `The resource manager returned a different template${fields.length === 0 ? '' : `: ${fields.join(', ')} differs`}. Check it before trying again.`,
  remove: 'Delete…',
  fromResource: 'Save as template…',
  values: 'Values of the resources',
  resourceCount: (total: number) => (total === 0 ? 'none in the lab' : `${formatNumber(total)} in the lab`),
  titles: {
    new: 'New template',
    edit: (name: string) => `Edit template ${name}`,
    saveAs: (name: string) => `Save template ${name} as`,
    fromResource: (name: string) => `Save ${name} as template`,
    remove: (name: string) => `Delete template ${name}?`,
  },
  removeEffect: (total: number) =>
    total === 0
      ? 'No resource in the lab was made from it.'
      : `The ${formatNumber(total)} resources that were made from it stay as they are.`,
  fields: {
    name: 'Template name',
    version: 'Version',
  },
  save: 'Save template',
} as const;
