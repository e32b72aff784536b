import { formatNumber, plural } from '#api/countText.ts';

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
