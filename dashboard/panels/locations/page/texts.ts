import { conflictTexts } from '#dashboard/managers/commands/texts.ts';

/** Texts for editing representations. */
export const representationTexts = {
  add: 'Add representation…',
  remove: 'Remove…',
  addTitle: (location: string) => `Add a representation of ${location}`,
  editTitle: (node: string) => `Edit the representation for ${node}`,
  node: 'Node',
  noNodes: 'Every node already has a representation of this location.',
  value: 'Representation (JSON)',
  problem: (path: string, reason: string) => (path === '' ? reason : `${path}: ${reason}`),
  missing: (names: readonly string[]) => `The template requires ${names.join(', ')}.`,
  unreadable: (reason: string) => `The value can’t be checked against the template’s schema: ${reason}`,
  changed: (now: string) => `It was changed in the meantime. Current value: ${now}. Choose Replace to overwrite it.`,
  save: 'Save',
  setAction: (node: string) => `Set representation for ${node}`,
  removeTitle: (node: string) => `Remove the representation for ${node}?`,
  removeVerb: (node: string) => `Remove representation for ${node}`,
  removeMore: (node: string) =>
    `${node} will no longer be able to reach this location or transfer anything to or from it.`,
} as const;

/** Texts for editing a location’s own fields. */
export const editTexts = {
  title: (name: string) => `Edit ${name}`,
  description: 'Description',
  transfers: 'Allow transfers',
  save: 'Save',
  savedWithOtherChanges: (fields: readonly string[]) =>
    `The location manager confirmed the change. These fields were changed by somebody else meanwhile and were kept: ${fields.join(', ')}.`,
  conflicts: 'Some of these fields were changed in the meantime; choose whether to overwrite them.',
  ...conflictTexts,
  reservation: {
    clear: 'Clear…',
    title: (name: string) => `Clear the reservation of ${name}?`,
    action: 'Clear reservation',
    notExpired: (owner: string) =>
      `It has not expired: ${owner} may rely on it. Workflows that wait for this location will start.`,
  },
} as const;
