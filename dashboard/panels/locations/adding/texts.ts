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
  role: (role: string) => `Node for ${role}`,
  add: 'Add location',
} as const;
