/** Saves locations as a file that the import takes, as the manager has them now. */
import { saveText } from '../../../components/page/saveFile.ts';
import { locationsText } from '../../../managers/location/locationFile.ts';
import { useLocationRequest } from '../useLocationCommand.ts';
import { importingTexts as texts } from './texts.ts';

export function useExport() {
  const request = useLocationRequest();
  /** @param ids of those that are wanted; all where it is left out */
  return (ids?: ReadonlySet<string>): Promise<unknown> =>
    request({
      what: texts.exportWhat,
      run: async (client) => {
        const all = await client.getLocations({});
        const wanted = ids === undefined ? all : all.filter((one) => ids.has(one.location_id));
        saveText('locations.json', locationsText(wanted), 'application/json');
        return wanted.length;
      },
      said: (count) => texts.exported(count),
    });
}
