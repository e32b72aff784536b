/** Commands on locations: premise, request, and the expected response; and the export. */
import { type Location, type NewLocation, locationApi } from '#api/managers/location.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { locationPage } from '../../base/objectPages.ts';
import { saveText } from '../../components/page/saveFile.ts';
import { useOutcomes } from '../../managers/commands/outcomes.ts';
import {
  resultFromConfirmation,
  resultFromError,
  resultFromMessage,
  type CommandResult,
} from '../../managers/commands/commandResult.ts';
import { sameValue } from '#api/sameJson.ts';
import {
  attachPremise,
  locationPremise,
  missingLocation,
  type AttachedResource,
  type LocationClient,
  type ReadResource,
} from '../../managers/location/locationPremise.ts';
import { locationsTexts, editTexts, importingTexts } from './texts.ts';
import { countImported, type ImportResponse } from '../../managers/location/importPlan.ts';
import { useManagerCommand, type CommandRequest, reconfirmInForm } from '../../managers/commands/useCommand.ts';
import { shallowRef } from 'vue';
import { unacceptedConflicts, type Conflict } from '../../managers/commands/conflicts.ts';
import { evaluateDifferences } from '../../managers/commands/premise.ts';
import {
  addLocation,
  attachExclusively,
  mergeLocation,
  saveLocation,
  type AddedLocation,
  type LocationEdit,
} from '../../managers/location/saveLocation.ts';
import { readPresentResource } from '../../managers/resource/resourcePremise.ts';
import { useConnection, useManagerVersion } from '../../managers/transport/clients.ts';

const texts = locationsTexts.page;

type GetClient = () => LocationClient;
type LocationAction<Body, State> = Pick<LocationCommand<Body, State>, 'premise' | 'run' | 'interpretResponse'>;
type ExistingLocationAction<Body> = LocationAction<Body, Location>;

/** Returns a function that interprets a response that contains the updated location. */
const interpretLocation =
  (
    { location_id: id }: Location,
    isExpected: (updated: Location) => boolean,
    describeDifference: (updated: Location) => string = () => texts.unexpectedResponse,
  ) =>
  (updated: Location): CommandResult => {
    const isConfirmed = updated.location_id === id && isExpected(updated);
    return resultFromConfirmation(isConfirmed, 'The location manager confirmed it.', describeDifference(updated));
  };

export function createAttachCommand(
  getClient: GetClient,
  location: Location,
  resource: AttachedResource,
  readResource: ReadResource,
): LocationAction<Location, readonly Location[]> {
  return {
    premise: attachPremise(getClient, location, resource, readResource),
    run: (client, ids, locations) => attachExclusively(client, ids, resource.id, locations),
    interpretResponse: interpretLocation(
      location,
      ({ resource_id: attachedId }) => attachedId === resource.id,
      () => texts.notAttached,
    ),
  };
}

export function createDetachCommand(
  getClient: GetClient,
  location: Location,
  getResourceName: (resource: string) => string,
): ExistingLocationAction<Location> {
  return {
    premise: locationPremise(getClient, location, 'resource', getResourceName),
    run: (client, ids) => client.detachResource(ids),
    interpretResponse: interpretLocation(
      location,
      ({ resource_id: attachedId }) => (attachedId ?? '') === '',
      ({ resource_id: attachedId }) =>
        (attachedId ?? '') === ''
          ? texts.unexpectedResponse
          : `The location manager answered, but ${getResourceName(attachedId ?? '')} is attached.`,
    ),
  };
}

export function createDeleteCommand(
  getClient: GetClient,
  location: Location,
): ExistingLocationAction<{ readonly message: string }> {
  return {
    premise: locationPremise(getClient, location, 'all'),
    run: (client, ids) => client.deleteLocation(ids),
    interpretResponse: (response) => resultFromMessage(texts.manager, response),
  };
}

/** @param premise replaces the default premise, for a form that compares its own fields */
export function createSetRepresentationCommand(
  getClient: GetClient,
  location: Location,
  node: string,
  value: unknown,
  premise = locationPremise(getClient, location, { representation: node }),
): ExistingLocationAction<Location> {
  return {
    premise,
    run: (client, ids) => client.setRepresentation({ ...ids, node_name: node, body: value }),
    interpretResponse: interpretLocation(location, ({ representations }) => sameValue(representations?.[node], value)),
  };
}

export function createRemoveRepresentationCommand(
  getClient: GetClient,
  location: Location,
  node: string,
): ExistingLocationAction<Location> {
  return {
    premise: locationPremise(getClient, location, { representation: node }),
    run: (client, ids) => client.removeRepresentation({ ...ids, node_name: node }),
    interpretResponse: interpretLocation(
      location,
      ({ representations }) => !Object.hasOwn(representations ?? {}, node),
    ),
  };
}

/** Source of a new location: manual fields with optional contents, or a template. */
export type NewLocationBody =
  | {
      readonly kind: 'manual';
      readonly body: Parameters<LocationClient['addLocation']>[0]['body'];
      readonly resource: AttachedResource | null;
    }
  | { readonly kind: 'template'; readonly body: Parameters<LocationClient['addLocationFromTemplate']>[0]['body'] };

export function createAddCommand(getClient: GetClient, newLocation: NewLocationBody, readResource: ReadResource) {
  const { location_name: name, description } = newLocation.body;
  const resource = newLocation.kind === 'manual' ? newLocation.resource : null;
  return {
    premise: attachPremise(getClient, { location_name: name }, resource, readResource),
    run: async (client: LocationClient, all: readonly Location[] | null): Promise<AddedLocation> =>
      newLocation.kind === 'manual'
        ? addLocation(client, newLocation.body, resource?.id ?? null, all)
        : { location: await client.addLocationFromTemplate({ body: newLocation.body }), attachFailure: null },
    interpretResponse: ({ location, attachFailure }: AddedLocation): CommandResult => {
      const hasExpectedDescription = (description ?? null) === null || location.description === description;
      if (location.location_name !== name || !hasExpectedDescription)
        return { state: 'unclear', text: texts.unexpectedResponse };
      const to = locationPage(location.location_id);
      if (attachFailure !== null)
        return {
          state: 'failed',
          text: `The location was added, but ${resource?.name ?? ''} is not attached: ${attachFailure}. It can be attached on the location’s page.`,
          to,
        };
      if (resource !== null && location.resource_id !== resource.id)
        return { state: 'unclear', text: texts.notAttached, to };
      return { state: 'done', text: 'The location manager added it.', to };
    },
  };
}

export function importResult(sentLocations: readonly NewLocation[], response: ImportResponse): CommandResult {
  const imported = countImported(sentLocations, response);
  if (imported === null) return { state: 'unclear', text: importingTexts.unexpectedLocations(response.imported) };
  return {
    state: imported === sentLocations.length ? 'done' : 'failed',
    text: importingTexts.done(imported, sentLocations.length),
  };
}

/** Returns a function that reads a resource that is to be attached. */
export function useResourceReader(): ReadResource {
  const { connection } = useManagerCommand(resourceApi);
  return (resource, options) => readPresentResource(connection().queries, resource, options);
}

interface LocationRequest<Body, State> extends Omit<CommandRequest<Body, State>, 'manager' | 'run'> {
  readonly run: (client: LocationClient, freshState: State | null) => Promise<Body>;
}

/** Sends commands without an existing location. Resolves with `null` on failure, which is reported already. */
export function useLocationRequest() {
  const { act, connection } = useManagerCommand(locationApi);
  const client = (): LocationClient => connection().commands;
  const request = <Body, State>({ run, ...command }: LocationRequest<Body, State>): Promise<Body | null> =>
    act({ ...command, run: (freshState) => run(client(), freshState) });
  return { request, client };
}

/**
 * Returns a function that saves the manager's current locations as a file in the import format. It only reads from the
 * manager, so it is not a command.
 */
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
      report('done', importingTexts.exported(exportedLocations.length));
    } catch (error) {
      report('failed', resultFromError(error, '').text);
    }
  };
}

export interface LocationCommand<Body, State> extends Pick<
  LocationRequest<Body, State>,
  'verb' | 'premise' | 'interpretResponse' | 'reconfirm' | 'isCurrent'
> {
  readonly location: Location;
  readonly run: (
    client: LocationClient,
    ids: { location_name: string; location_id: string },
    freshState: State | null,
  ) => Promise<Body>;
}

export function useLocationCommand() {
  const { request, client } = useLocationRequest();
  /** Sends both identifiers: MADSci 0.8 uses the name, 0.7 the ID. */
  const act = <Body, State>({ location, run, ...command }: LocationCommand<Body, State>): Promise<Body | null> => {
    const { location_name, location_id } = location;
    return request({
      ...command,
      commandText: `${command.verb}: ${location_name}`,
      target: { kind: 'location', id: location_id, name: location_name },
      to: locationPage(location_id),
      run: (locationClient, freshState) => run(locationClient, { location_name, location_id }, freshState),
      describeState: () => `${location_name} is as shown`,
    });
  };
  return { act, client };
}

/** Returns a function that saves a change of a location's own fields, and the concurrent changes it found. */
export function useSaveLocation() {
  const { act, client } = useLocationCommand();
  const version = useManagerVersion('location');
  /** Concurrent changes of the edited fields; saving again overwrites them. */
  const conflicts = shallowRef<readonly Conflict[]>([]);
  /** @returns whether it was saved */
  async function save(
    verb: string,
    initialLocation: Location,
    edit: LocationEdit,
    isCurrent: () => boolean = () => true,
  ): Promise<boolean> {
    let unaccepted: readonly Conflict[] = [];
    const accepted = conflicts.value;
    const response = await act({
      verb,
      location: initialLocation,
      premise: {
        read: (options) => client().findLocation({ location_id: initialLocation.location_id }, options),
        evaluate: (current) => {
          unaccepted = unacceptedConflicts(mergeLocation(initialLocation, current, edit).conflicts, accepted);
          return evaluateDifferences(unaccepted.map(({ field }) => field));
        },
        missing: missingLocation,
      },
      reconfirm: reconfirmInForm,
      isCurrent,
      run: async (locationClient) => {
        const result = await saveLocation(locationClient, {
          initialLocation,
          edit,
          acceptedConflicts: accepted,
          version: version.value,
        });
        if ('conflicts' in result) unaccepted = result.conflicts;
        return result;
      },
      interpretResponse: (result) => {
        if ('conflicts' in result) return { state: 'failed', text: editTexts.conflicts };
        const others = result.saved.otherChanges.map(({ field }) => locationsTexts.field(field));
        return others.length === 0
          ? 'The location manager confirmed the change.'
          : editTexts.savedWithOtherChanges(others);
      },
    });
    conflicts.value = unaccepted;
    return response !== null;
  }
  return { save, conflicts };
}
