/** The lab for the submit page, accessed through the managers' clients. */
import { computed } from 'vue';
import { dataApi } from '#api/managers/data.ts';
import { locationApi } from '#api/managers/location.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { resourceApi } from '#api/managers/resource.ts';
import type { Resource } from '#api/managers/resourceTypes.ts';
import type { WorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import { workcellApi, type WorkcellState } from '#api/managers/workcell.ts';
import { submitTexts } from './texts.ts';
import { useConnection } from '#dashboard/managers/transport/clients.ts';
import { useSuggestions } from '#dashboard/managers/location/useSuggestions.ts';
import { useCommandLog } from '#dashboard/managers/commands/commandLog.ts';
import { resultFromError } from '#dashboard/managers/commands/commandResult.ts';
import { useCommandConfirmation } from '#dashboard/managers/commands/commandConfirmation.ts';
import { usePerformCommand } from '#dashboard/managers/commands/usePerformCommand.ts';
import {
  createDuplicatePremise,
  submissionDigest,
  submitOnce,
} from '#dashboard/managers/commands/recentSubmissions.ts';
import { useDuplicateCheck } from '#dashboard/managers/commands/duplicateCheck.ts';
import { submitWorkflow } from '#dashboard/managers/commands/submission.ts';
import { hasNoRoom } from '#dashboard/managers/location/locationContents.ts';
import {
  transferKey,
  type LocationContents,
  type PlannedTransfer,
  type Transfer,
} from '../definition/plannedTransfer.ts';
import { emptyKnowledge, type Responsiveness, type LabKnowledge, type SubmitLab } from '../definition/labKnowledge.ts';

const responding: Responsiveness = { isResponding: true, reason: '' };
const notConfigured: Responsiveness = { isResponding: false, reason: submitTexts.noAddress };

async function tryRequest<T>(call: Promise<T> | null): Promise<{ responsiveness: Responsiveness; body: T | null }> {
  if (call === null) return { responsiveness: notConfigured, body: null };
  try {
    return { responsiveness: responding, body: await call };
  } catch (error) {
    const reason = error instanceof ManagerError ? error.reason : String(error);
    return { responsiveness: { isResponding: false, reason }, body: null };
  }
}

/**
 * Returns the reason why the engine starts no steps: it is in an error state until the manager restarts. `null`
 * otherwise.
 */
function findEngineError(state: WorkcellState | null): string | null {
  if (state === null || !state.status.errored) return null;
  return state.status.errors?.at(-1)?.message ?? '';
}

/** Maximum number of planned transfers; large definitions repeat the same few. */
const maxTransfers = 20;

async function planTransfer(call: Promise<WorkflowDefinition> | null): Promise<PlannedTransfer> {
  if (call === null) return { kind: 'unknown', reason: submitTexts.noAddress };
  try {
    const { steps } = await call;
    return { kind: 'planned', nodes: [...new Set((steps ?? []).flatMap(({ node }) => node ?? []))] };
  } catch (error) {
    const reason = error instanceof ManagerError ? error.reason : String(error);
    const isRefused = error instanceof ManagerError && (error.status === 400 || error.status === 404);
    return { kind: isRefused ? 'none' : 'unknown', reason };
  }
}

/** Returns the contents from the location's resource; a resource that is not a container is the content itself. */
function toContents({ base_type: type, quantity, children, capacity }: Resource): LocationContents {
  const childCount =
    children === null || children === undefined ? 0 : Object.values(children).filter((child) => child !== null).length;
  const hasContents = childCount > 0 || (quantity ?? 0) > 0 || type === 'asset' || type === 'resource';
  const isFull = hasNoRoom({ type, children: childCount, capacity: capacity ?? null });
  return { state: hasContents ? 'something' : 'nothing', reason: '', isFull };
}

function useConnections() {
  return {
    workcell: useConnection(workcellApi),
    location: useConnection(locationApi),
    data: useConnection(dataApi),
    resource: useConnection(resourceApi),
  };
}
type Connections = ReturnType<typeof useConnections>;

async function readKnowledge(
  { workcell, location, data }: Connections,
  signal: AbortSignal | undefined,
): Promise<LabKnowledge> {
  const [stateResult, locationsResult, dataResult] = await Promise.all([
    tryRequest(workcell.value?.queries.getState({}, { signal }) ?? null),
    tryRequest(location.value?.queries.getLocations({}, { signal }) ?? null),
    tryRequest(data.value?.queries.health({}, { signal }) ?? null),
  ]);
  const nodes = Object.entries(stateResult.body?.nodes ?? {});
  return {
    ...emptyKnowledge,
    nodes: Object.fromEntries(nodes.map(([name, { info }]) => [name, info])),
    statuses: Object.fromEntries(nodes.map(([name, { status }]) => [name, status])),
    locations: (locationsResult.body ?? []).map(
      ({ location_name: name, location_id: id, resource_id, representations }) => ({
        name,
        id,
        resource: resource_id ?? null,
        representations: Object.keys(representations ?? {}),
      }),
    ),
    workcell: stateResult.responsiveness,
    location: locationsResult.responsiveness,
    data: dataResult.responsiveness,
    engineFailure: findEngineError(stateResult.body),
  };
}

/** Reads the planned path of each transfer, and the contents of its ends. */
async function readTransfers(
  { location, resource }: Connections,
  ...[transfers, ends, locations, signal]: Parameters<SubmitLab['readTransfers']>
): ReturnType<SubmitLab['readTransfers']> {
  const findLocation = (name: string) =>
    locations.find((candidate) => candidate.name === name || candidate.id === name);
  const planOne = async (transfer: Transfer): Promise<(readonly [string, PlannedTransfer])[]> => {
    const [source, target] = [findLocation(transfer.source), findLocation(transfer.target)];
    // A missing location is reported with its name.
    if (source === undefined || target === undefined) return [];
    const query = { source_location_id: source.id, target_location_id: target.id };
    return [
      [transferKey(transfer), await planTransfer(location.value?.queries.planTransfer(query, { signal }) ?? null)],
    ];
  };
  const readContents = async (name: string): Promise<readonly [string, LocationContents]> => {
    const id = findLocation(name)?.resource ?? null;
    if (id === null) return [name, { state: 'unrecorded', reason: '' }];
    const call = resource.value?.queries.getResource({ resource_id: id }, { signal }) ?? null;
    const { responsiveness, body } = await tryRequest(call);
    return [name, body === null ? { state: 'unknown', reason: responsiveness.reason } : toContents(body)];
  };
  const [plans, stored] = await Promise.all([
    Promise.all(transfers.slice(0, maxTransfers).map(planOne)),
    Promise.all(ends.slice(0, 2 * maxTransfers).map(readContents)),
  ]);
  return { transfers: Object.fromEntries(plans.flat()), contents: Object.fromEntries(stored) };
}

/** Must be called in a component's setup. */
export function useSubmitLab(): SubmitLab {
  const connections = useConnections();
  const { workcell } = connections;
  const confirmation = useCommandConfirmation();
  const log = useCommandLog();
  const performCommand = usePerformCommand();
  const checkDuplicates = useDuplicateCheck();
  const requireCommands = () => {
    if (workcell.value !== null) return workcell.value.commands;
    throw new Error(submitTexts.noAddress);
  };
  return {
    available: computed(() => workcell.value !== null),
    suggestions: (fields) => useSuggestions(fields),
    readKnowledge: (signal) => readKnowledge(connections, signal),
    readTransfers: (transfers, ends, locations, signal) =>
      readTransfers(connections, transfers, ends, locations, signal),
    submit: async (definition, { values, files, ownership }, signal) => {
      const start = { values, files, ownership: ownership ?? {} };
      const digest = submissionDigest([definition, start]);
      const performed = await performCommand(
        {
          verb: submitTexts.submit,
          manager: 'workcell',
          target: { kind: 'workflow', id: '', name: definition.name },
          // The check has just read the lab.
          premise: createDuplicatePremise(definition.name, digest),
          run: () =>
            submitOnce(digest, () =>
              submitWorkflow(
                requireCommands(),
                definition,
                start,
                { signal },
                (id) => void checkDuplicates(definition.name, id),
              ),
            ),
        },
        (finding) => confirmation.requestConfirmation(submitTexts.submit, finding),
        (settled) =>
          log.recordCommand(
            { verb: submitTexts.submit, target: { kind: 'workflow', id: '', name: definition.name } },
            `${submitTexts.submit}: ${definition.name}`,
            settled,
            'error' in settled ? resultFromError(settled.error, '') : { state: 'done', text: '' },
          ),
      );
      return performed.sent ? performed.response : null;
    },
    readWorkflow: async (id, signal) => requireCommands().getWorkflow({ workflow_id: id }, { signal }),
  };
}
