/** Saves a change to a location's own fields, and says what somebody else changed meanwhile. */
import { shallowRef } from 'vue';
import type { Location } from '../../../../api/managers/location.ts';
import { openConflicts, type Conflict } from '../../../managers/commands/conflicts.ts';
import { changedBy } from '../../../managers/commands/premise.ts';
import { shownInForm } from '../../../managers/commands/useCommand.ts';
import { mergeLocation, saveLocation, type LocationEdit } from '../../../managers/location/saveLocation.ts';
import { locationTexts } from '../../../managers/location/texts.ts';
import { useManagerVersion } from '../../../managers/transport/clients.ts';
import { locationsTexts } from '../texts.ts';
import { useLocationCommand } from '../locationActions.ts';
import { editTexts } from './texts.ts';

export function useSaveLocation() {
  const { act, client } = useLocationCommand();
  const version = useManagerVersion('location');
  /** What somebody else changed of what was edited; saving once more overwrites it. */
  const conflicts = shallowRef<readonly Conflict[]>([]);
  /** @returns whether it was saved */
  async function save(
    verb: string,
    opened: Location,
    edit: LocationEdit,
    isWanted: () => boolean = () => true,
  ): Promise<boolean> {
    let open: readonly Conflict[] = [];
    const accepted = conflicts.value;
    const answer = await act({
      verb,
      location: opened,
      premise: {
        read: (options) => client().findLocation({ location_id: opened.location_id }, options),
        judge: (now) => {
          open = openConflicts(mergeLocation(opened, now, edit).conflicts, accepted);
          return changedBy(open.map(({ field }) => field));
        },
        missing: locationTexts.changed.missing,
      },
      reask: shownInForm,
      isWanted,
      run: async (to) => {
        const result = await saveLocation(to, { opened, edit, accepted, version: version.value });
        if ('conflicts' in result) open = result.conflicts;
        return result;
      },
      said: (result) => {
        if ('conflicts' in result) return { state: 'failed', words: editTexts.conflicts };
        const others = result.saved.others.map(({ field }) => locationsTexts.field(field));
        return others.length === 0 ? editTexts.saved : editTexts.savedBeside(others);
      },
    });
    conflicts.value = open;
    return answer !== null;
  }
  return { save, conflicts };
}
