import { conflictTexts } from '#dashboard/managers/commands/texts.ts';

/** Texts for editing representations. */
export const representationTexts = {
  add: 'Add representation…',
  edit: 'Edit…',
  remove: 'Remove…',
  addTitle: (location: string) => `Add a representation of ${location}`,
  editTitle: (node: string) => `Edit the representation for ${node}`,
  node: 'Node',
  noNodes: 'Every node already has a representation of this location.',
  value: 'Representation (JSON)',
  template: 'Template to check against',
  noTemplate: 'No template',
  defaults: 'Insert the template’s defaults',
  problem: (path: string, reason: string) => (path === '' ? reason : `${path}: ${reason}`),
  none: 'Enter a JSON value other than null.',
  missing: (names: readonly string[]) => `The template requires ${names.join(', ')}.`,
  unreadable: (reason: string) => `The value can’t be checked against the template’s schema: ${reason}`,
  notEnforced: 'The location manager itself checks nothing; without a template any JSON value is saved.',
  changed: (now: string) => `It was changed in the meantime. Current value: ${now}. Choose Replace to overwrite it.`,
  save: 'Save',
  replace: 'Replace',
  setAction: (node: string) => `Set representation for ${node}`,
  removeTitle: (node: string) => `Remove the representation for ${node}?`,
  removeAction: 'Remove representation',
  removeVerb: (node: string) => `Remove representation for ${node}`,
  removeMore: (node: string) =>
    `${node} will no longer be able to reach this location or transfer anything to or from it.`,
} as const;

/** Texts for editing a location’s own fields. */
export const editTexts = {
  edit: 'Edit…',
  title: (name: string) => `Edit ${name}`,
  description: 'Description',
  transfers: 'Allow transfers',
  explanation:
    'MADSci has no endpoint for editing a location: the location is read right before saving, and all its fields are imported again. A change that another program saves at the same moment is lost.',
  nothing: 'Nothing was changed.',
  save: 'Save',
  overwrite: 'Overwrite',
  action: 'Edit location',
  saved: 'The location manager confirmed the change.',
  savedWithOtherChanges: (fields: readonly string[]) =>
    `The location manager confirmed the change. These fields were changed by somebody else meanwhile and were kept: ${fields.join(', ')}.`,
  conflicts: 'Some of these fields were changed in the meantime; choose whether to overwrite them.',
  ...conflictTexts,
  reservation: {
    clear: 'Clear…',
    title: (name: string) => `Clear the reservation of ${name}?`,
    action: 'Clear reservation',
    expired:
      'The reservation has expired, but the scheduler of MADSci 0.8.1 does not check that: it starts no step at a reserved location.',
    notExpired: (owner: string) =>
      `It has not expired: ${owner} may rely on it. Workflows that wait for this location will start.`,
    explanation:
      'MADSci does not end a reservation automatically. The location is read, and imported again without it.',
  },
} as const;
