/** Does one thing with the location manager, once, and says what came of it. */
import type { Target } from '../../managers/commands/performCommand.ts';
import type { RouteLocationRaw } from 'vue-router';
import type { Location } from '../../../api/managers/location.ts';
import { locationPage } from '../../base/objectPages.ts';
import type { Premise } from '../../managers/commands/premise.ts';
import { type CommandResult } from '../../managers/commands/commandResult.ts';
import { useCommand, type OwnReask } from '../../managers/commands/useCommand.ts';
import type { LocationClient } from '../../managers/location/locationPremise.ts';
import { useLocationManager } from '../../managers/location/useLocationManager.ts';
import { locationsTexts } from './texts.ts';

const texts = locationsTexts.page;

interface Request<Answer, State> {
  /** What is done, as people read it. */
  readonly what: string;
  readonly verb: string;
  /** Without an ID where it only comes to be, or has none. */
  readonly target: Target;
  readonly premise: Premise<State>;
  readonly run: (client: LocationClient, now: State | null) => Promise<Answer>;
  readonly to?: RouteLocationRaw;
  readonly said: (answer: Answer) => CommandResult | string;
  readonly afterwards?: () => string;
  readonly reask?: OwnReask;
  readonly isWanted?: () => boolean;
}

/** For what is about no location that is there already. Resolves with `null` when it failed; that was said then. */
export function useLocationRequest() {
  const manager = useLocationManager();
  const act = useCommand();
  function client(): LocationClient {
    if (manager.value === null) throw new Error(locationsTexts.noAddress);
    return manager.value.commands;
  }
  const request = <Answer, State>({ run, ...command }: Request<Answer, State>): Promise<Answer | null> =>
    act({
      ...command,
      manager: 'location',
      run: (now) => run(client(), now),
    });
  return { request, client };
}

/** A command on one location. */
export interface LocationCommand<Answer, State> extends Pick<
  Request<Answer, State>,
  'verb' | 'premise' | 'said' | 'reask' | 'isWanted'
> {
  readonly location: Location;
  readonly run: (
    client: LocationClient,
    at: { location_name: string; location_id: string },
    now: State | null,
  ) => Promise<Answer>;
}

export function useLocationCommand() {
  const { request, client } = useLocationRequest();
  /** The names by which the manager is asked: 0.8 takes the name, 0.7 the ID. */
  const act = <Answer, State>({
    location,
    run,
    ...command
  }: LocationCommand<Answer, State>): Promise<Answer | null> => {
    const { location_name, location_id } = location;
    return request({
      ...command,
      what: texts.what(command.verb, location_name),
      target: { kind: 'location', id: location_id, name: location_name },
      to: locationPage(location_id),
      run: (to, now) => run(to, { location_name, location_id }, now),
      afterwards: () => texts.state(location_name),
    });
  };
  return { act, client };
}
