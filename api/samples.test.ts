/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { adminCommandResponse } from './managers/action.ts';
import { dataHealth, datapoint, datapoints } from './managers/data.ts';
import { event, eventHealth, events } from './managers/event.ts';
import { campaign } from './managers/campaign.ts';
import { experiment, experimentHealth } from './managers/experiment.ts';
import { health } from './lab/lab.ts';
import {
  detailedTransferGraph,
  location,
  locationHealth,
  reconciliationStatus,
  transferGraph,
} from './managers/location.ts';
import { locationTemplate, representationTemplate } from './managers/locationTemplate.ts';
import { nodeInfo, nodeStatus } from './managers/node.ts';
import { resourceHealth } from './managers/resource.ts';
import { resourceBody } from './managers/resourceBody.ts';
import {
  listChildren,
  resource,
  resourceHierarchy,
  resourceTemplateInfo,
  resourceVersion,
} from './managers/resourceTypes.ts';
import { workcellHealth, workcellInfo, workcellState } from './managers/workcell.ts';
import { workflow, workflows } from './managers/workflow.ts';
import { workflowDefinition } from './managers/workflowDefinition.ts';

const files = import.meta.glob<unknown>('./samples/*.json', { eager: true, import: 'default' });
const samples: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(files).map(([path, body]) => [path.replace('./samples/', ''), body]),
);

const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  'admin_command_response.json': adminCommandResponse,
  'campaign.json': campaign,
  'datapoint_file.json': datapoint,
  'datapoint_json.json': datapoint,
  'datapoint_object_storage.json': datapoint,
  'datapoints.json': datapoints,
  'errors.json': z.record(z.string(), z.looseObject({ status: z.int(), body: z.unknown() })),
  'event.json': event,
  'events.json': events,
  'events_errors.json': events,
  'experiment.json': experiment,
  'experiment_started.json': experiment,
  'experiments.json': z.array(experiment),
  'location.json': location,
  'location_from_template.json': location,
  'location_node_managed.json': location,
  'location_template.json': locationTemplate,
  'location_unresolved.json': location,
  'locations.json': z.array(location),
  'manager_health.json': z.object({
    lab: health,
    event: eventHealth,
    experiment: experimentHealth,
    resource: resourceHealth,
    data: dataHealth,
    workcell: workcellHealth,
    location: locationHealth,
  }),
  'node_info.json': nodeInfo,
  'node_status.json': z.record(z.string(), nodeStatus),
  'reconciliation_status.json': reconciliationStatus,
  'representation_template.json': representationTemplate,
  'resource_hierarchy.json': resourceHierarchy,
  'resource_history.json': z.array(resourceVersion),
  'resource_of_each_type.json': z.record(z.string(), resource),
  'resource_pop.json': z.tuple([resource, resource]),
  'resource_template_info.json': resourceTemplateInfo,
  'transfer_graph.json': transferGraph,
  'transfer_graph_detailed.json': detailedTransferGraph,
  'transfer_plan.json': workflowDefinition,
  'workcell_info.json': workcellInfo,
  'workcell_state.json': workcellState,
  'workflow_active.json': workflows,
  'workflow_cancelled.json': workflow,
  'workflow_completed.json': workflow,
  'workflow_failed.json': workflow,
  'workflow_feed_forward.json': workflow,
  'workflow_file_input.json': workflow,
  'workflow_paused.json': workflow,
  'workflow_resubmitted.json': workflow,
  'workflow_start_response.json': workflow,
  'workflow_transfer.json': workflow,
};

describe('samples', () => {
  it('all have a schema', () => {
    expect(Object.keys(samples).toSorted()).toEqual(Object.keys(schemas).toSorted());
  });

  it.each(Object.entries(schemas))('are parsed without losing a field: %s', (name, schema) => {
    expect(schema.parse(samples[name])).toEqual(samples[name]);
  });
});

describe('schemas', () => {
  it('a workcell state keeps unknown fields at any depth', () => {
    const extended = addFields(samples['workcell_state.json']);
    expect(workcellState.parse(extended)).toEqual(extended);
  });

  it('an unknown event type is accepted', () => {
    const sample = samples['event.json'] as object;
    expect(event.parse({ ...sample, event_type: 'lab_moved' }).event_type).toBe('lab_moved');
  });

  it('accept every resource type that the manager returns as the body of an update', () => {
    for (const [type, returned] of Object.entries(samples['resource_of_each_type.json'] as object))
      expect(resourceBody.parse(returned), type).toEqual(returned);
  });

  it('accept a location from MADSci 0.7', () => {
    const { location_id, location_name } = location.parse(samples['location.json']);
    const old = { location_id, location_name, representations: null, reservation: null, resource_id: null };
    expect(location.parse(old)).toEqual(old);
  });
});

it('listChildren returns the children of every type of container', () => {
  const all = z.record(z.string(), resource).parse(samples['resource_of_each_type.json']);
  const counts = Object.entries(all).flatMap(([type, one]) => (one.children ? [[type, listChildren(one).length]] : []));
  expect(Object.fromEntries(counts)).toEqual({
    collection: 1,
    container: 0,
    grid: 2,
    pool: 1,
    queue: 2,
    row: 0,
    slot: 0,
    stack: 2,
    voxel_grid: 2,
  });
});

/** Adds an unknown field to every step, workflow and node status, each recognized by one of its keys. */
function addFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addFields);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, addFields(item)]));
  return 'step_id' in inner || 'busy' in inner || 'workflow_id' in inner ? { ...inner, added_later: [1] } : inner;
}
