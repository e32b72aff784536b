/** Saves the manager's current locations as a file in the import format. */
import { saveText } from '#dashboard/components/page/saveFile.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import { resultFromError } from '#dashboard/managers/commands/commandResult.ts';
import { locationApi } from '#api/managers/location.ts';
import { useConnection } from '#dashboard/managers/transport/clients.ts';
import { locationsTexts } from '../texts.ts';
import { importingTexts as texts } from './texts.ts';

/** Returns a function that saves the file. It only reads from the manager, so it is not a command. */
export function useExport() {
  const manager = useConnection(locationApi);
  const outcomes = useOutcomes();
  /** @param ids the locations to export; all if omitted */
  return async (ids?: ReadonlySet<string>): Promise<void> => {
    const report = outcomes.begin('Export locations');
    try {
      if (manager.value === null) throw new Error(locationsTexts.noAddress);
      const all = await manager.value.queries.getLocations({});
      const exportedLocations = ids === undefined ? all : all.filter((location) => ids.has(location.location_id));
      // Loaded on demand because it includes the YAML parser.
      const { serializeLocations } = await import('#dashboard/managers/location/locationFile.ts');
      saveText('locations.json', serializeLocations(exportedLocations), 'application/json');
      report('done', texts.exported(exportedLocations.length));
    } catch (error) {
      report('failed', resultFromError(error, '').text);
    }
  };
}
