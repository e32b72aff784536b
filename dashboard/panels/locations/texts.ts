import { conflictTexts } from '../../managers/commands/texts.ts';
import type { NameProblem } from '../../managers/location/locationFields.ts';
import { formatNumber, plural } from '#api/countText.ts';
import { locationTexts } from '../../managers/location/texts.ts';
import type { MissingPosition } from '../../managers/location/planHints.ts';
import type { NoPath } from './explainNoPath.ts';
import type { TransferEdge } from '../../managers/location/transferEdges.ts';
import type { UnresolvedLocation } from '../../managers/location/unresolvedLocations.ts';

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
  unresolvedReason: ({ template, reason }: Pick<UnresolvedLocation, 'template' | 'reason'>): string => {
    switch (reason) {
      case 'missing':
        return `waits for the resource template ${template}, which the resource manager doesn’t have`;
      case 'capitalized':
        return `waits for the resource template ${template}, which is never found: the resource manager looks names up in lower case`;
      case 'found':
        return `waits for a resource from the template ${template}, which the next reconciliation creates; if this stays, the resource manager rejects it`;
      case 'unknown':
        return `waits for the resource template ${template}`;
    }
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

const fields: Readonly<Record<string, string>> = {
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

const list = (names: readonly string[]) => names.join(', ');

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
      : (fields[field] ?? field),
  notAllowed: 'Not allowed',
  contents: locationTexts.contents,
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
    via: (nodes: readonly string[], cost: string) => `by ${list(nodes)}${cost === '' ? '' : `, cost ${cost}`}`,
    deleteAction: 'Delete location',
  },
  planner: {
    from: 'From',
    to: 'To',
    steps: 'Steps',
    noPathReason: (reason: NoPath): string => {
      switch (reason.kind) {
        case 'notAllowed':
          return `${reason.location} does not allow transfers.`;
        case 'noNode':
          return `No node has a representation of ${reason.location}: add one for a node that performs transfers.`;
        case 'noCommonNode':
          return `No node has a representation of both. The first has one for ${list(reason.from)}, the second for ${list(reason.to)}: a representation for one of these at the other location would make the transfer possible.`;
        case 'noTransfer':
          return `${list(reason.nodes)} ${reason.nodes.length === 1 ? 'has' : 'have'} representations of both, but the location manager has no transfer for ${reason.nodes.length === 1 ? 'it' : 'them'}: see its transfer capabilities.`;
      }
    },
    locations: (locations: readonly (readonly [string, string])[]) =>
      locations.map(([name, location]) => `${name}: ${location}`).join(', '),
    hints: 'Any one of these representations would make the transfer possible:',
    missing: ({ node, location, otherLocation }: MissingPosition) =>
      `${node} at ${location}: it already has a representation of ${otherLocation}`,
    cost: (cost: string) => `Cost ${cost}`,
  },
} as const;

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
  savedWithOtherChanges: (names: readonly string[]) =>
    `The location manager confirmed the change. These fields were changed by somebody else meanwhile and were kept: ${names.join(', ')}.`,
  conflicts: 'Some of these fields were changed in the meantime; choose whether to overwrite them.',
  ...conflictTexts,
  reservation: {
    clear: 'Clear…',
    action: 'Clear reservation',
  },
} as const;
