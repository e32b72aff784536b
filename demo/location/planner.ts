/** Plans a transfer: a workflow definition with a step for each part of the way, neither stored nor started. */
import type { Location } from '../../api/managers/location.ts';
import type { WorkflowDefinition } from '../../api/managers/workflowDefinition.ts';
import { Refusal } from '../base/handling.ts';
import type { LocationStore } from './store.ts';
import type { Edge } from './transfers.ts';

function located(store: LocationStore, id: string, which: 'Source' | 'Target'): Location {
  const location = store.byId(id);
  if (location === undefined) throw new Refusal(404, `${which} location ${id} not found`);
  return location;
}

function checkAllowed(location: Location, which: 'Source' | 'Target'): void {
  if (location.allow_transfers !== false) return;
  const { location_name: name, location_id: id } = location;
  throw new Refusal(400, `${which} location '${name}' (${id}) does not allow transfers`);
}

function step(store: LocationStore, edge: Edge, index: number) {
  const name = (id: string) => store.byId(id)?.location_name ?? id;
  const key = `transfer_step_${index + 1}`;
  const { node, action, source, target } = edge.best;
  return {
    name: key,
    key,
    description: `Transfer step ${index + 1} using ${node}`,
    action,
    node,
    args: {},
    files: {},
    locations: { [source]: name(edge.source), [target]: name(edge.target) },
    conditions: [],
    data_labels: {},
    use_parameters: null,
  };
}

/** By IDs. 404 where a location or a way isn't there, 400 where one doesn't allow transfers. */
export function planTransfer(store: LocationStore, sourceId: string, targetId: string, id: string): WorkflowDefinition {
  const source = located(store, sourceId, 'Source');
  const target = located(store, targetId, 'Target');
  checkAllowed(source, 'Source');
  checkAllowed(target, 'Target');
  const way = store.graph.path(sourceId, targetId);
  if (way === undefined) throw new Refusal(404, `No transfer path exists between ${sourceId} and ${targetId}`);
  const [from, to] = [source.location_name, target.location_name];
  const same = way.length === 0;
  return {
    name: same ? 'Transfer: Same location' : `Transfer: '${from}' -> '${to}'`,
    workflow_definition_id: id,
    definition_metadata: {
      author: null,
      description: same
        ? 'Transfer within the same location'
        : `Transfer from ${from} (${sourceId}) to ${to} (${targetId})`,
      version: '',
      ownership_info: null,
    },
    parameters: { json_inputs: [], file_inputs: [], feed_forward: [] },
    steps: way.map((edge, index) => step(store, edge, index)),
  };
}
