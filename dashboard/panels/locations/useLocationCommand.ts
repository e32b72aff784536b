/** Does one thing with the location manager, once, and says what came of it. */
import { locationApi, type Location } from '../../../api/managers/location.ts';
import { locationPage } from '../../base/objectPages.ts';
import { useManagerCommand, type CommandRequest } from '../../managers/commands/useCommand.ts';
import type { LocationClient } from '../../managers/location/locationPremise.ts';
import { locationsTexts } from './texts.ts';

const texts = locationsTexts.page;

interface LocationRequest<Answer, State> extends Omit<CommandRequest<Answer, State>, 'manager' | 'run'> {
  readonly run: (client: LocationClient, now: State | null) => Promise<Answer>;
}

/** For what is about no location that is there already. Resolves with `null` when it failed; that was said then. */
export function useLocationRequest() {
  const { act, connection } = useManagerCommand(locationApi);
  const client = (): LocationClient => connection().commands;
  const request = <Answer, State>({ run, ...command }: LocationRequest<Answer, State>): Promise<Answer | null> =>
    act({ ...command, run: (now) => run(client(), now) });
  return { request, client };
}

/** A command on one location. */
export interface LocationCommand<Answer, State> extends Pick<
  LocationRequest<Answer, State>,
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
