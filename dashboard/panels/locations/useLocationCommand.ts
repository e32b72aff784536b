/** Does one thing with the location manager, once, and says what came of it. */
import type { RouteLocationRaw } from 'vue-router';
import type { Client } from '../../../api/client/client.ts';
import type { Location, locationApi } from '../../../api/managers/location.ts';
import { locationPage } from '../../base/objectPages.ts';
import { useCommand, type CommandResult } from '../../managers/commands/useCommand.ts';
import { useLocationManager } from '../../managers/location/useLocationManager.ts';
import { locationsTexts } from './texts.ts';

const texts = locationsTexts.page;
export type LocationCommands = Client<typeof locationApi>;

interface Request<Answer> {
  /** What is done, as people read it. */
  readonly what: string;
  readonly run: (client: LocationCommands) => Promise<Answer>;
  readonly to?: RouteLocationRaw;
  readonly said?: (answer: Answer) => CommandResult | string;
  readonly afterwards?: () => string;
}

/** For what is about no location that is there already. Resolves with `null` when it failed; that was said then. */
export function useLocationRequest() {
  const manager = useLocationManager();
  const act = useCommand();
  return <Answer>({ what, run, to, said, afterwards }: Request<Answer>): Promise<Answer | null> =>
    act({
      what,
      ...(to === undefined ? {} : { to }),
      manager: 'location',
      run: () => {
        if (manager.value === null) throw new Error(locationsTexts.noAddress);
        return run(manager.value.commands);
      },
      said: said ?? (() => texts.saved),
      ...(afterwards === undefined ? {} : { afterwards }),
    });
}

export function useLocationCommand() {
  const request = useLocationRequest();
  /** The names by which the manager is asked: 0.8 takes the name, 0.7 the ID. */
  return <Answer>(
    verb: string,
    location: Location,
    run: (client: LocationCommands, at: { location_name: string; location_id: string }) => Promise<Answer>,
    said?: (answer: Answer) => CommandResult | string,
  ): Promise<Answer | null> => {
    const { location_name, location_id } = location;
    return request({
      what: texts.what(verb, location_name),
      to: locationPage(location_id),
      run: (client) => run(client, { location_name, location_id }),
      ...(said === undefined ? {} : { said }),
      afterwards: () => texts.state(location_name),
    });
  };
}
