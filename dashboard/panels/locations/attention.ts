/** What of the locations needs a person: those whose resource can't be made, and those that a forgotten reservation blocks. Pure. */
import type { Location } from '../../../api/managers/locationList.ts';
import { locationLooks, resourceLooks } from '../../../api/states.ts';
import { locationPage } from '../../base/objectPages.ts';
import { whereabouts } from '../../managers/location/whereabouts.ts';
import type { AttentionItem } from '../panel.ts';

const texts = {
  waitsFor: (template: string) => `waits for a resource from the template ${template}`,
  reserved: 'its reservation has expired; no step that uses it starts until it is cleared',
  open: 'Open location',
} as const;

/** So long after its end a reservation is over whatever zone its time was written in, in ms. */
const surelyOver = 24 * 60 * 60 * 1000;

/** @param at reads a time of the location manager, in ms since the epoch @param now in ms since the epoch */
export function locationItems(
  locations: readonly Location[],
  at: (stamp: string | null | undefined) => number | null,
  now: number,
): readonly AttentionItem[] {
  return locations.flatMap((location): AttentionItem[] => {
    const item = {
      name: location.location_name,
      action: { label: texts.open, to: locationPage(location.location_id) },
    };
    const isUnresolved = whereabouts(location, null).state === 'unresolved';
    const end = at(location.reservation?.expires ?? location.reservation?.end);
    return [
      ...(isUnresolved
        ? [
            {
              ...item,
              key: `location ${location.location_id}`,
              look: locationLooks.unresolved,
              reason: texts.waitsFor(location.resource_template_name ?? ''),
              since: null,
            },
          ]
        : []),
      ...(end !== null && end + surelyOver < now
        ? [
            {
              ...item,
              key: `reservation ${location.location_id} ${end}`,
              look: resourceLooks.locked,
              reason: texts.reserved,
              since: end,
            },
          ]
        : []),
    ];
  });
}
