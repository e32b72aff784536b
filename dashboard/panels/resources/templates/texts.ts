import { formatNumber, plural } from '#api/countText.ts';

export const templateTexts = {
  caption: 'Templates',
  summary: (total: number) => plural(total, 'template', 'templates'),
  none: 'No templates yet',
  noneMore: 'Create one here, or save a resource as a template.',
  missing: (name: string) => `No template ${name}`,
  missingMore: 'It may have been deleted.',
  waiting: 'Waiting for the resource manager…',
  columns: {
    name: 'Name',
    type: 'Type',
    cls: 'Class',
    description: 'Description',
    required: 'Required',
    tags: 'Tags',
    version: 'Version',
    createdBy: 'Created by',
    resources: 'Resources',
    usable: 'Can be used',
  },
  usable: 'Yes',
  unusable: 'No: capitals in its name',
  unusableMore: 'The resource manager looks templates up in lower case, so it can’t find, change or delete this one.',
  unexpectedResponse: (fields: readonly string[]) =>
    `The resource manager returned a different template${fields.length === 0 ? '' : `: ${fields.join(', ')} differs`}. Check it before trying again.`,
  add: 'New template…',
  use: 'Add resource…',
  edit: 'Edit',
  saveAs: 'Save as…',
  remove: 'Delete…',
  fromResource: 'Save as template…',
  details: 'Details',
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
  removeAction: 'Delete template',
  fields: {
    name: 'Template name',
    description: 'Description',
    required: 'Required when it is used',
    tags: 'Tags',
    version: 'Version',
    group: 'Template',
  },
  requiredHint: 'Fields by their stored names, such as quantity, resource_class (the class) or attributes.lot.',
  noParts:
    'Its contents are not part of the template: the resource manager would use the same children for each resource.',
  type: 'Type',
  save: 'Save template',
  problems: {
    capitals: 'Use lower case only: the resource manager couldn’t find it again.',
    nameExists: (name: string) => `A template ${name} is there already; it would be replaced.`,
    slash: 'A name can’t have a slash in it.',
  },
  nothing: 'Nothing was changed.',
} as const;
