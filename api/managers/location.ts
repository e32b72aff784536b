/**
 * The location manager's contract (port 8006): locations, their representations, the resources at them, and transfers.
 * Source: MADSci 0.8.1, location manager. Paths use the location's name in 0.8 and its ID in 0.7 (`path07`), so a call
 * passes both; queries and the transfer planner use IDs in both.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { location, locationListApi } from './locationList.ts';
import { locationTemplateEndpoints } from './locationTemplate.ts';
import { resourceHierarchy } from './resourceTypes.ts';
import { healthEndpoint, serviceHealth, settingsEndpoint } from '../lab/service.ts';
import { workflowDefinition } from './workflowDefinition.ts';
import { id, jsonObject, managerTime, messageResponse, jsonInteger, jsonNumber } from '../client/wire.ts';

export const locationHealth = z.extend(serviceHealth, {
  document_db_connected: z.nullish(z.boolean()),
  cache_connected: z.nullish(z.boolean()),
  redis_connected: z.nullish(z.boolean()),
  num_locations: z.nullish(jsonInteger),
  num_representation_templates: z.nullish(jsonInteger),
  num_location_templates: z.nullish(jsonInteger),
  num_unresolved_locations: z.nullish(jsonInteger),
  num_node_managed_locations: z.nullish(jsonInteger),
  num_lab_managed_locations: z.nullish(jsonInteger),
  last_reconciliation_at: z.nullish(managerTime),
});

export { location, type Location } from './locationList.ts';

/**
 * A location to add: the name consists of letters, digits, `_`, `.` and `-`. A `resource_id` is dropped by the server unless
 * `resource_template_name` is set (attach it afterwards), and `representations` must not be null.
 */
export const newLocation = z.extend(location, {
  location_id: z.optional(id),
  representations: z.optional(z.record(z.string(), z.unknown())),
});
export type NewLocation = z.infer<typeof newLocation>;

/** The numbers of a reconciliation's results. */
const reconciliationResults = z.looseObject({
  resources_resolved: z.optional(jsonInteger),
  representations_updated: z.optional(jsonInteger),
  templates_synced: z.optional(jsonInteger),
  locations_synced: z.optional(jsonInteger),
  training_applied: z.optional(jsonInteger),
  training_skipped: z.optional(jsonInteger),
});

export const reconciliationStatus = z.looseObject({
  last_reconciliation_at: z.nullish(managerTime),
  last_results: z.nullish(reconciliationResults),
  reconciliation_enabled: z.optional(z.boolean()),
  reconciliation_interval_seconds: z.optional(jsonNumber),
  lab_config_file: z.nullish(z.string()),
});

/** The locations reachable in one step, by location ID; locations without any are missing. */
export const transferGraph = z.record(z.string(), z.array(id));
export type TransferGraph = z.infer<typeof transferGraph>;

/** The direct transfers with the nodes that can make them and the lowest cost. */
export const detailedTransferGraph = z.looseObject({
  edges: z.array(
    z.looseObject({
      source_location_id: id,
      target_location_id: id,
      node_names: z.array(z.string()),
      min_cost: jsonNumber,
    }),
  ),
});
export type DetailedTransferGraph = z.infer<typeof detailedTransferGraph>;

const noLocation = { 404: 'Location {location_name} not found' } as const;

export const locationApi = {
  server: 'location',
  endpoints: {
    health: healthEndpoint(locationHealth),
    settings: settingsEndpoint,
    ...locationListApi.endpoints,
    /** Requires exactly one of ID and name; the same in 0.7. */
    findLocation: {
      purpose: 'read the location',
      method: 'GET',
      path: '/location',
      query: z.object({ location_id: z.nullish(id), name: z.nullish(z.string()) }),
      response: location,
      errors: { ...noLocation, 400: "Exactly one of 'location_id' or 'name' query parameter must be provided." },
    },
    getLocation: {
      purpose: 'read the location',
      method: 'GET',
      path: '/location/{location_name}',
      path07: '/location/{location_id}',
      response: location,
      errors: noLocation,
    },
    /** In 0.7 a location with the same ID is overwritten. */
    addLocation: {
      purpose: 'add the location',
      method: 'POST',
      path: '/location',
      body: { type: 'json', schema: newLocation },
      response: location,
      errors: { 409: "Location with name '{location_name}' already exists" },
    },
    /** Get or create by name; an existing one is returned unchanged. */
    initLocation: {
      purpose: 'set up the location',
      method: 'POST',
      path: '/location/init',
      since: '0.8',
      body: { type: 'json', schema: newLocation },
      response: location,
    },
    addLocationFromTemplate: {
      purpose: 'add the location from the template',
      method: 'POST',
      path: '/location/from_template',
      since: '0.8',
      body: {
        type: 'json',
        schema: z.object({
          location_name: z.string(),
          template_name: z.string(),
          node_bindings: z.optional(z.record(z.string(), z.string())),
          representation_overrides: z.optional(z.record(z.string(), jsonObject)),
          resource_template_overrides: z.nullish(jsonObject),
          description: z.nullish(z.string()),
          allow_transfers: z.nullish(z.boolean()),
        }),
      },
      response: location,
      errors: {
        404: 'The template is not known',
        409: "Location with name '{location_name}' already exists",
        422: "Missing node binding for role 'arm'",
      },
    },
    /** Its resource remains. */
    deleteLocation: {
      purpose: 'delete the location',
      method: 'DELETE',
      path: '/location/{location_name}',
      path07: '/location/{location_id}',
      response: messageResponse,
      errors: noLocation,
    },
    setRepresentation: {
      purpose: 'change the representation',
      method: 'POST',
      path: '/location/{location_name}/set_representation/{node_name}',
      path07: '/location/{location_id}/set_representation/{node_name}',
      body: { type: 'json', schema: z.unknown() },
      response: location,
      errors: noLocation,
    },
    removeRepresentation: {
      purpose: 'remove the representation',
      method: 'DELETE',
      path: '/location/{location_name}/remove_representation/{node_name}',
      path07: '/location/{location_id}/remove_representation/{node_name}',
      response: location,
      errors: noLocation,
    },
    /** The manager does not check that the resource exists. */
    attachResource: {
      purpose: 'attach the resource',
      method: 'POST',
      path: '/location/{location_name}/attach_resource',
      path07: '/location/{location_id}/attach_resource',
      query: z.object({ resource_id: id }),
      response: location,
      errors: noLocation,
    },
    detachResource: {
      purpose: 'detach the resource',
      method: 'DELETE',
      path: '/location/{location_name}/detach_resource',
      path07: '/location/{location_id}/detach_resource',
      response: location,
      errors: { 404: 'No resource is attached to the location' },
    },
    /** `resource_id` is empty if there is no resource. */
    getLocationResources: {
      purpose: 'read what is at the location',
      method: 'GET',
      path: '/location/{location_name}/resources',
      path07: '/location/{location_id}/resources',
      response: resourceHierarchy,
      errors: noLocation,
    },
    exportLocations: {
      purpose: 'export the locations',
      method: 'GET',
      path: '/locations/export',
      since: '0.8',
      response: z.array(location),
      lists: [{ member: '' }],
    },
    /**
     * With `overwrite` existing ones are replaced completely: send every field. Resources are not created immediately.
     */
    importLocations: {
      purpose: 'import the locations',
      method: 'POST',
      path: '/locations/import',
      since: '0.8',
      query: z.object({ overwrite: z.optional(z.boolean()) }),
      body: { type: 'json', schema: z.array(newLocation) },
      response: z.looseObject({
        imported: jsonInteger,
        skipped: jsonInteger,
        errors: z.array(z.string()),
        locations: z.array(location),
      }),
      timeoutMs: 60_000,
    },
    ...locationTemplateEndpoints,
    reconcile: {
      purpose: 'reconcile the locations',
      method: 'POST',
      path: '/reconcile',
      since: '0.8',
      response: reconciliationResults,
      timeoutMs: 60_000,
    },
    getReconciliationStatus: {
      purpose: 'read the state of the reconciliation',
      method: 'GET',
      path: '/reconciliation/status',
      since: '0.8',
      response: reconciliationStatus,
    },
    getTransferGraph: {
      purpose: 'read the transfer graph',
      method: 'GET',
      path: '/transfer/graph',
      response: transferGraph,
    },
    getDetailedTransferGraph: {
      purpose: 'read the transfer graph',
      method: 'GET',
      path: '/transfer/graph/detailed',
      since: '0.8',
      response: detailedTransferGraph,
    },
    /** Uses IDs, not names. The plan is a workflow definition, neither stored nor started. */
    planTransfer: {
      purpose: 'plan the transfer',
      method: 'POST',
      path: '/transfer/plan',
      reads: true,
      query: z.object({ source_location_id: id, target_location_id: id }),
      response: workflowDefinition,
      errors: { 400: 'The location does not allow transfers', 404: 'No transfer path exists between the locations' },
    },
  },
} as const satisfies Api;
