import { conflictTexts } from '#dashboard/managers/commands/texts.ts';

/** Texts for editing representations. */
export const representationTexts = {
  add: 'Add representation…',
  remove: 'Remove…',
  node: 'Node',
  noNodes: 'Every node already has a representation of this location.',
  value: 'Representation (JSON)',
  problem: (path: string, reason: string) => (path === '' ? reason : `${path}: ${reason}`),
  missing: (names: readonly string[]) => `The template requires ${names.join(', ')}.`,
  save: 'Save',
} as const;

/** Texts for editing a location’s own fields. */
export const editTexts = {
  description: 'Description',
  transfers: 'Allow transfers',
  save: 'Save',
  savedWithOtherChanges: (fields: readonly string[]) =>
    `The location manager confirmed the change. These fields were changed by somebody else meanwhile and were kept: ${fields.join(', ')}.`,
  conflicts: 'Some of these fields were changed in the meantime; choose whether to overwrite them.',
  ...conflictTexts,
  reservation: {
    clear: 'Clear…',
    action: 'Clear reservation',
  },
} as const;
