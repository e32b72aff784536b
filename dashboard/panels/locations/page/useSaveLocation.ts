/** Saves a change to a location's own fields, and says what somebody else changed meanwhile. */
import { shallowRef } from 'vue';
import type { Location } from '../../../../api/managers/location.ts';
import { saveLocation, type LocationConflict, type LocationEdit } from '../../../managers/location/saveLocation.ts';
import { useManagerVersion } from '../../../managers/transport/clients.ts';
import { locationsTexts } from '../texts.ts';
import { useLocationCommand } from '../useLocationCommand.ts';
import { editTexts } from './editTexts.ts';

export function useSaveLocation() {
  const act = useLocationCommand();
  const version = useManagerVersion('location');
  /** What somebody else changed of what was edited; saving once more overwrites it. */
  const conflicts = shallowRef<readonly LocationConflict[]>([]);
  /** @returns whether it was saved */
  async function save(verb: string, opened: Location, edit: LocationEdit): Promise<boolean> {
    let open: readonly LocationConflict[] = [];
    const answer = await act(
      verb,
      opened,
      async (client) => {
        const request = { opened, edit, accepted: conflicts.value, version: version.value };
        const result = await saveLocation(client, request);
        if ('conflicts' in result) open = result.conflicts;
        return result;
      },
      (result) => {
        if ('conflicts' in result) return { state: 'failed', words: editTexts.conflicts };
        const others = result.saved.others.map(({ field }) => locationsTexts.field(field));
        return others.length === 0 ? editTexts.saved : editTexts.savedBeside(others);
      },
    );
    conflicts.value = open;
    return answer !== null;
  }
  return { save, conflicts };
}
