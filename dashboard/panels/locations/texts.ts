import { conflictTexts } from '../../managers/commands/texts.ts';
import { formatNumber, plural } from '#api/countText.ts';
import type { OmittedSection } from '../../managers/location/locationFile.ts';
import type { MissingPosition, TransferEdge } from '../../managers/location/transfers.ts';

const reportParts = [
  ['resources_resolved', 'resource created', 'resources created'],
  ['representations_updated', 'representation completed', 'representations completed'],
  ['templates_synced', 'template added or updated', 'templates added or updated'],
  ['locations_synced', 'location added', 'locations added'],
  ['training_applied', 'training entry applied', 'training entries applied'],
  // The manager skips entries whose location does not exist.
  ['training_skipped', 'training entry without a location skipped', 'training entries without a location skipped'],
] as const;

export const reconciliationTexts = {
  explanation: (file: string, seconds: number) =>
    `Every ${formatNumber(seconds)} s the location manager creates missing resources, completes representations from their templates${file === '' ? '' : `, and reads ${file}`}.`,
  now: 'Reconcile now',
  verb: 'Reconcile locations',
  /** Describes the result of a reconciliation, without zeros. */
  results: (results: Readonly<Record<string, unknown>> | null | undefined) => {
    const message = reportParts.flatMap(([key, singular, several]) => {
      const count = results?.[key];
      return typeof count === 'number' && count > 0
        ? [count === 1 ? `1 ${singular}` : `${formatNumber(count)} ${several}`]
        : [];
    });
    return message.length === 0 ? 'nothing to do' : message.join(', ');
  },
  unresolved: (count: number) => plural(count, 'unresolved location', 'unresolved locations'),
  /**
   * Returns why a location waits for its resource.
   * @param templates names of the resource manager's templates; `null` if they are unknown
   */
  unresolvedReason: (template: string, templates: ReadonlySet<string> | null): string => {
    const waitsFor = `waits for the resource template ${template}`;
    if (template !== template.toLowerCase())
      return `${waitsFor}, which is never found: the resource manager looks names up in lower case`;
    if (templates === null) return waitsFor;
    return templates.has(template)
      ? `waits for a resource from the template ${template}, which the next reconciliation creates; if this stays, the resource manager rejects it`
      : `${waitsFor}, which the resource manager doesn’t have`;
  },
} as const;

const edgeCost = ({ cost: value }: Pick<TransferEdge, 'cost'>) => (value === null ? '' : `cost ${formatNumber(value)}`);

export const graphTexts = {
  showAs: 'Show as',
  caption: 'Transfer graph',
  costs: (costs: { readonly min: number; readonly max: number } | null) =>
    costs === null
      ? ''
      : costs.min === costs.max
        ? `cost ${formatNumber(costs.min)}`
        : `cost ${formatNumber(costs.min)} to ${formatNumber(costs.max)}`,
  reach: (edge: TransferEdge) =>
    [edgeCost(edge), `by ${edge.nodes.join(', ')}`].filter((part) => part !== '').join(' '),
  reserved: 'Reserved',
} as const;

const fieldNames: Readonly<Record<string, string>> = {
  resource_id: 'Resource',
  description: 'Description',
  resource_template_name: 'Resource template',
  resource_template_overrides: 'Values for the resource template',
  allow_transfers: 'Allow transfers',
  reservation: 'Reservation',
  location_template_name: 'Location template',
  node_bindings: 'Nodes by role',
  managed_by: 'Managed by',
  owner: 'Owner',
};
const representationPrefix = 'representations.';

export const locationsTexts = {
  caption: 'Locations',
  noAddress: 'No location manager is configured.',
  waiting: 'Waiting for the location manager…',
  summary: (all: number, occupied: number, unknown: number) =>
    `${all === 1 ? '1 location' : `${formatNumber(all)} locations`}, ${formatNumber(occupied)} occupied${
      unknown === 0 ? '' : `, ${formatNumber(unknown)} unknown`
    }`,
  plan: 'Plan a transfer…',
  columns: {
    transfers: 'Transfers',
  },
  /** An unknown field of a later MADSci version is shown by its key. */
  field: (field: string) =>
    field.startsWith(representationPrefix)
      ? `Representation for ${field.slice(representationPrefix.length)}`
      : (fieldNames[field] ?? field),
  notAllowed: 'Not allowed',
  page: {
    attach: 'Attach a resource',
    attachAction: 'Attach',
    detachTitle: (name: string) => `Detach ${name}?`,
    detachAction: 'Detach resource',
    readPosition: 'Read current position',
    manager: 'location manager',
    unexpectedResponse:
      'The location manager answered, but its answer does not show the change. Check the location before trying again.',
    notAttached: 'The location manager answered, but the resource is not attached.',
    reservation: (owner: string, until: string) =>
      until === '' ? `Reserved by ${owner}` : `Reserved by ${owner} until ${until}`,
    via: (nodes: readonly string[], cost: string) => `by ${nodes.join(', ')}${cost === '' ? '' : `, cost ${cost}`}`,
    deleteAction: 'Delete location',
  },
  planner: {
    from: 'From',
    to: 'To',
    steps: 'Steps',
    locations: (locations: readonly (readonly [string, string])[]) =>
      locations.map(([name, location]) => `${name}: ${location}`).join(', '),
    hints: 'Any one of these representations would make the transfer possible:',
    missing: ({ node, location, otherLocation }: MissingPosition) =>
      `${node} at ${location}: it already has a representation of ${otherLocation}`,
    cost: (cost: string) => `Cost ${cost}`,
  },
} as const;

export const addingTexts = {
  open: 'Add location…',
  fromTemplate: 'From a template',
  name: 'Name',
  content: 'Content',
  noTemplates: 'The location manager has no location templates yet.',
  role: (role: string) => `Node for ${role}`,
  add: 'Add location',
} as const;

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

export const editTexts = {
  description: 'Description',
  transfers: 'Allow transfers',
  save: 'Save',
  savedWithOtherChanges: (names: readonly string[]) =>
    `The location manager confirmed the change. These fields were changed by somebody else meanwhile and were kept: ${names.join(', ')}.`,
  conflicts: 'Some of these fields were changed in the meantime; choose whether to overwrite them.',
  ...conflictTexts,
  reservation: {
    clear: 'Clear…',
    action: 'Clear reservation',
  },
} as const;

const locations = (count: number) => plural(count, 'location', 'locations');

export const importingTexts = {
  open: 'Import…',
  exportSelected: (count: number) => `Export ${locations(count)}`,
  exported: (count: number) => `${locations(count)} saved.`,
  title: 'Import locations',
  file: 'File',
  unreadable: (name: string, reason: string) => `${name} can’t be read: ${reason}`,
  omitted: (sections: readonly OmittedSection[]) =>
    `Only the locations are imported. Not imported: ${sections
      .map(({ name, count }) => (count === null ? name : `${formatNumber(count)} in “${name}”`))
      .join(', ')}. The location manager reads these sections only from its own file (LOCATION_LAB_CONFIG_FILE).`,
  plan: 'Preview',
  summary: (counts: { new: number; different: number; same: number; invalid: number }) =>
    [
      `${formatNumber(counts.new)} new`,
      `${formatNumber(counts.different)} stored differently`,
      `${formatNumber(counts.same)} the same`,
      `${formatNumber(counts.invalid)} invalid`,
    ].join(', '),
  overwrite: 'Overwrite those that are stored differently',
  effect: { new: 'New', same: 'The same', overwritten: 'Overwritten', unchanged: 'Unchanged', invalid: 'Invalid' },
  unnamed: (position: number) => `entry ${formatNumber(position)}`,
  action: (count: number) => `Import ${locations(count)}`,
  outcome: { imported: 'Imported', skipped: 'Skipped', failed: 'Failed' },
  unexpectedLocations: (imported: number) =>
    `The location manager reports ${locations(imported)} imported, but lists different ones. Check the locations before trying again.`,
  done: (imported: number, all: number) => `${formatNumber(imported)} of ${locations(all)} imported.`,
} as const;

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
