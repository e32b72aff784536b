/** Words of the transfer graph. */
import { figure } from '../../../base/texts.ts';
import type { TransferEdge } from '../../../managers/location/transferEdges.ts';

const cost = ({ cost: value }: Pick<TransferEdge, 'cost'>) => (value === null ? '' : `cost ${figure(value)}`);

export const graphTexts = {
  ways: 'Show as',
  table: 'Table',
  graph: 'Graph',
  caption: 'Transfer graph',
  forReaders:
    'The table has the same, for screen readers. Arrow keys go from place to place, Space selects, Enter opens.',
  hint: 'A line says that the node can carry from and to the location. Keys: arrows, Space selects, Enter opens.',
  arranging: 'Arranging the graph …',
  failed: (reason: string) => `The graph can’t be arranged: ${reason}. The table has the same.`,
  unread: (reason: string) => `The transfer graph can’t be read: ${reason}. The table shows the locations without it.`,
  derived:
    'MADSci 0.7 says neither which node makes a transfer nor at what cost: lines are to nodes that know the location.',
  noEdges:
    'No transfers are possible: no node knows two locations that allow them, or the location manager has no transfer for it.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  arrange: 'Arrange anew',
  costs: (costs: { readonly least: number; readonly most: number } | null) =>
    costs === null
      ? ''
      : costs.least === costs.most
        ? `cost ${figure(costs.least)}`
        : `cost ${figure(costs.least)} to ${figure(costs.most)}`,
  reach: (edge: TransferEdge) => [cost(edge), `by ${edge.nodes.join(', ')}`].filter((part) => part !== '').join(' '),
  reserved: 'Reserved',
  none: 'No location matches.',
  planBetween: 'Plan a transfer between them…',
  twoOnly: 'Select two locations.',
} as const;
