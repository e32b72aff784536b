/** The columns of the list of locations. */
import type { Location } from '#api/managers/location.ts';
import { locationAppearances } from '#api/states.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import { formatContents, representedNodes, type LocationContents } from '../../managers/location/locationContents.ts';
import { locationsTexts } from './texts.ts';

const texts = locationsTexts.columns;

export function reservationOwners({ reservation }: Location): string {
  return Object.values(reservation?.owned_by ?? {})
    .filter((value): value is string => typeof value === 'string')
    .join(', ');
}

/** @param countReachable returns the number of locations that are reachable in one step; `null` if unknown */
export function locationColumns(
  contentsAt: (location: Location) => LocationContents,
  countReachable: (location: Location) => number | null,
): readonly Column<Location>[] {
  return [
    { key: 'name', title: 'Name', value: ({ location_name: name }) => name, width: 11.5 },
    {
      key: 'state',
      title: 'State',
      value: (location) => -locationAppearances[contentsAt(location).state].severity,
      text: (location) => locationAppearances[contentsAt(location).state].label,
      filter: 'choice',
      width: 6.5,
    },
    {
      key: 'contents',
      title: 'Contents',
      value: (location) => formatContents(contentsAt(location).contents),
      width: 7.5,
    },
    { key: 'nodes', title: 'Nodes', value: (location) => representedNodes(location).join(', '), width: 9 },
    { key: 'reach', title: 'Direct transfers to', value: countReachable, width: 6.75 },
    {
      key: 'transfers',
      title: texts.transfers,
      value: ({ allow_transfers: allowed }) => (allowed === false ? locationsTexts.notAllowed : 'Allowed'),
      filter: 'choice',
      width: 6,
    },
    { key: 'reserved', title: 'Reserved by', value: reservationOwners, width: 6, collapsesWhenEmpty: true },
    { key: 'managed', title: 'Managed by', value: ({ managed_by: by }) => by ?? '', filter: 'choice', width: 5.5 },
    {
      key: 'description',
      title: 'Description',
      value: ({ description }) => description ?? '',
      width: 12,
      hidden: true,
    },
    { key: 'id', title: 'ID', value: ({ location_id: id }) => id, width: 14, hidden: true },
  ];
}
