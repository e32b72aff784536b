import { conflictTexts } from '../../../managers/commands/texts.ts';

/** Texts for editing representations. */
export const representationTexts = {
  add: 'Add representation…',
  edit: 'Edit…',
  remove: 'Remove…',
  addTitle: (location: string) => `Add a representation of ${location}`,
  editTitle: (node: string) => `Edit the representation for ${node}`,
  node: 'Node',
  noNodes: 'Every node knows this location already.',
  value: 'Representation (JSON)',
  template: 'Check against',
  noTemplate: 'No template',
  defaults: 'Insert the template’s values',
  problem: (at: string, reason: string) => (at === '' ? reason : `${at}: ${reason}`),
  none: 'Enter a JSON value other than null.',
  missing: (names: readonly string[]) => `The template requires ${names.join(', ')}.`,
  unreadable: (reason: string) => `The template’s schema can’t be checked: ${reason}`,
  notEnforced: 'The location manager itself checks nothing; without a template any JSON value is saved.',
  changed: (now: string) => `It was changed in the meantime. Current value: ${now}. Save again to replace it.`,
  save: 'Save',
  replace: 'Replace',
  setAction: (node: string) => `Set representation for ${node}`,
  removeTitle: (node: string) => `Remove the representation for ${node}?`,
  removeAction: 'Remove representation',
  removeVerb: (node: string) => `Remove representation for ${node}`,
  removeMore: (node: string) => `${node} no longer finds this location, and can’t transfer anything to or from it.`,
} as const;

/** Texts for editing a location’s own fields. */
export const editTexts = {
  open: 'Edit…',
  title: (name: string) => `Edit ${name}`,
  description: 'Description',
  transfers: 'Allow transfers',
  how: 'MADSci has no endpoint for these: the location is read right before saving, and all its fields are imported again. A change that is saved elsewhere at that moment is lost.',
  nothing: 'Nothing was changed.',
  save: 'Save',
  overwrite: 'Overwrite',
  action: 'Edit location',
  saved: 'The location manager confirmed it.',
  savedPartly: (fields: readonly string[]) =>
    `The location manager confirmed it. Somebody else changed this meanwhile, and it stays: ${fields.join(', ')}.`,
  conflicts: 'Some of these fields were changed in the meantime; choose whether to overwrite them.',
  ...conflictTexts,
  reservation: {
    clear: 'Clear…',
    title: (name: string) => `Clear the reservation of ${name}?`,
    action: 'Clear reservation',
    past: 'It has expired. The scheduler of MADSci 0.8.1 still waits for it: it starts no step at a reserved location.',
    open: (owner: string) =>
      `It has not expired: ${owner} may rely on it. Workflows that wait for this location will start.`,
    how: 'MADSci does not end a reservation automatically. The location is read, and imported again without it.',
  },
} as const;
