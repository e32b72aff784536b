import type { NameProblem } from '#dashboard/managers/location/locationFields.ts';

const problems: Readonly<Record<NameProblem, string>> = {
  empty: 'Enter a name.',
  characters: 'A name consists of letters, digits, “_”, “.” and “-”.',
  duplicate: 'A location has this name already.',
};

export const addingTexts = {
  open: 'Add location…',
  fromTemplate: 'From a template',
  name: 'Name',
  nameProblem: (problem: NameProblem) => problems[problem],
  content: 'Content',
  noTemplates: 'The location manager has no location templates yet.',
  templateGone: (name: string) => `The location template ${name} is no longer there: select another one.`,
  role: (role: string) => `Node for ${role}`,
  roleHint: (template: string) => `Its representation follows the template ${template}`,
  sameNode: (node: string) => `${node} can take one role only: the second representation would replace the first.`,
  unknownTemplate: (template: string) =>
    `The representation template ${template} does not exist yet; its values are filled in once it exists.`,
  values: (role: string) => `Values for ${role}`,
  add: 'Add location',
  commandText: (name: string) => `Add location “${name}”`,
  notAttached: (resource: string, reason: string) =>
    `The location was added, but ${resource} is not attached: ${reason}. It can be attached on the location’s page.`,
} as const;
