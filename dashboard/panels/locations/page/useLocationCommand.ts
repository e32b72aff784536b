/** Does one thing with a location, once, and says what came of it. */
import type { Client } from '../../../../api/client/client.ts';
import type { Location, locationApi } from '../../../../api/managers/location.ts';
import { locationPage } from '../../../base/objectPages.ts';
import { useCommand } from '../../../managers/commands/useCommand.ts';
import { useLocationManager } from '../../../managers/location/useLocationManager.ts';
import { locationsTexts } from '../texts.ts';

const texts = locationsTexts.page;
type Commands = Client<typeof locationApi>;

export function useLocationCommand() {
  const manager = useLocationManager();
  const act = useCommand();
  /** The names by which the manager is asked: 0.8 takes the name, 0.7 the ID. */
  return <Answer>(
    verb: string,
    location: Location,
    run: (client: Commands, at: { location_name: string; location_id: string }) => Promise<Answer>,
  ): Promise<Answer | null> =>
    act({
      what: texts.what(verb, location.location_name),
      to: locationPage(location.location_id),
      manager: 'location',
      run: () => {
        if (manager.value === null) throw new Error(locationsTexts.noAddress);
        const { location_name, location_id } = location;
        return run(manager.value.commands, { location_name, location_id });
      },
      said: () => texts.saved,
      afterwards: () => texts.state(location.location_name),
    });
}
