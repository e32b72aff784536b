import type { NameProblem } from '#dashboard/managers/location/locationFields.ts';

const problems: Readonly<Record<NameProblem, string>> = {
  empty: 'Enter a name.',
  characters: 'A name consists of letters, digits, “_”, “.” and “-”.',
  duplicate: 'A location has this name already.',
};

export const addingTexts = {
  open: 'Add location…',
  title: 'Add location',
  verb: 'Add location',
  templatesLoading: 'The templates are still loading.',
  startFrom: 'Start from',
  manual: 'By hand',
  fromTemplate: 'From a template',
  name: 'Name',
  nameProblem: (problem: NameProblem) => problems[problem],
  nameHint: 'Letters, digits, “_”, “.” and “-”. It can’t be changed later.',
  description: 'Description',
  transfers: 'Allow transfers',
  content: 'Content',
  nothing: 'Nothing',
  resource: 'A resource of the lab',
  resourceTemplate: 'A new resource, from a template',
  pickResource: 'Resource',
  pickTemplate: 'Resource template',
  noContent: 'Choose the content of the location, or “Nothing”.',
  noResourceTemplates: 'The resource manager has no templates.',
  attachLater: 'It is attached in a second request: the location manager ignores the resource of a new location.',
  representationsLater: 'Its representations for the nodes are added on its page.',
  template: 'Location template',
  noTemplates: 'The location manager has no location templates yet.',
  templateGone: (name: string) => `The location template ${name} is no longer there: select another one.`,
  role: (role: string) => `Node for ${role}`,
  roleHint: (template: string) => `Its representation follows the template ${template}`,
  pickNode: 'Name of a node',
  missingNode: 'Select a node for each role.',
  sameNode: (node: string) => `${node} can take one role only: the second representation would replace the first.`,
  unknownTemplate: (template: string) =>
    `The representation template ${template} does not exist yet; its values are filled in once it exists.`,
  values: (role: string) => `Values for ${role}`,
  add: 'Add location',
  commandText: (name: string) => `Add location “${name}”`,
  added: 'The location manager added it.',
  notAttached: (resource: string, reason: string) =>
    `The location was added, but ${resource} is not attached: ${reason}. It can be attached on the location’s page.`,
} as const;
