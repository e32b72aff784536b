export const templatesTexts = {
  kind: { location: 'Location templates', representation: 'Representation templates' },
  explanation: {
    location: 'A kind of location: a role for each node that has to find it, and the resource that is there.',
    representation:
      'How a node finds a location: default values, required values for each location, and a JSON Schema.',
  },
  none: { location: 'No location templates yet', representation: 'No representation templates yet' },
  add: { location: 'Add location template…', representation: 'Add representation template…' },
  addTitle: { location: 'Add location template', representation: 'Add representation template' },
  versionTitle: (name: string) => `New version of ${name}`,
  fields: {
    template_name: 'Name',
    description: 'Description',
    version: 'Version',
    representation_templates: 'Roles',
    resource_template_name: 'Resource template',
    resource_template_overrides: 'Values for the resource template',
    default_allow_transfers: 'Allow transfers',
    default_values: 'Default values',
    required_overrides: 'Required for each location',
    schema_def: 'JSON Schema',
    tags: 'Tags',
  },
  fieldHints: {
    required_overrides: 'Names of values that have no sensible default, such as a position',
    schema_def: 'The dashboard checks edited representations with it; the location manager doesn’t',
    template_name: 'It can’t be changed later',
  } as Readonly<Record<string, string>>,
  unknownTemplates: (names: readonly string[]) =>
    names.length === 1
      ? `There is no representation template “${names[0] ?? ''}” yet: locations get its values once it exists.`
      : `There are no representation templates ${names.map((name) => `“${name}”`).join(', ')} yet: locations get their values once they exist.`,
  save: 'Save',
  delete: 'Delete…',
  deleteAction: 'Delete template',
  deleteUsed: (names: readonly string[]) =>
    `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} made from it, and ${names.length === 1 ? 'stays' : 'stay'} as ${names.length === 1 ? 'it is' : 'they are'}; reconciliation no longer completes ${names.length === 1 ? 'its' : 'their'} representations.`,
  deleteRoles: (names: readonly string[]) =>
    `The location ${names.length === 1 ? 'template' : 'templates'} ${names.join(', ')} ${names.length === 1 ? 'names' : 'name'} it: locations made from ${names.length === 1 ? 'it' : 'them'} get no defaults until it is there again.`,
  commandText: (verb: string, name: string) => `${verb}: ${name}`,
  saved: 'The location manager confirmed it.',
  unexpectedResponse: (fields: readonly string[]) =>
    `The location manager returned a different template${fields.length === 0 ? '' : `: ${fields.join(', ')} differs`}. Check it before trying again.`,
} as const;
