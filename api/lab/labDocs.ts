/** The OpenAPI texts and examples of the lab manager's endpoints, which their tables do not contain. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../client/endpoint.ts';
import { createContextRecord, defaultPorts } from '../managers.ts';
import { fleetApi } from './fleetApi.ts';
import { labApi } from './labApi.ts';

interface QueryParameter {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface DocumentedEndpoint extends Endpoint {
  readonly response: z.ZodMiniType;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The query parameters. */
  readonly parameters: readonly QueryParameter[];
  readonly example: unknown;
}

const exampleAddress = (port: number) => `http://localhost:${port}/`;

const healthyManager = { healthy: true, description: 'Event Manager is running normally', version: '0.8.1' };
const failedManager = { healthy: false, description: 'Failed to connect: connection refused (localhost:8003)' };

export const labEndpoints = [
  {
    ...labApi.endpoints.getContext,
    operationId: 'get_context',
    summary: 'Lab context',
    description:
      'The addresses of the lab manager and the six managers. A manager that is switched off is null. While no lab is ' +
      'chosen in the app, other machines get a 503 with the reason, also from the other endpoints with addresses.',
    parameters: [],
    example: createContextRecord((key) => exampleAddress(defaultPorts[key])),
  },
  {
    ...labApi.endpoints.getHealth,
    operationId: 'get_health',
    summary: 'Health of this service',
    description: 'Reports that the lab manager itself runs. It sends no request to other managers.',
    parameters: [],
    example: { healthy: true, description: 'Lab Manager is running', version: '0.1.0' },
  },
  {
    ...labApi.endpoints.getLabHealth,
    operationId: 'get_lab_health',
    summary: 'Health of the lab',
    description:
      'Checks all configured managers in parallel, each with a timeout of 5 s. The lab is healthy when more than half of ' +
      'them are. The status is always 200.',
    parameters: [],
    example: {
      healthy: true,
      description: '1/2 managers are healthy',
      version: '0.1.0',
      managers: { event_manager: healthyManager, resource_manager: failedManager },
      total_managers: 2,
      healthy_managers: 1,
    },
  },
  {
    ...labApi.endpoints.getLabHealthHistory,
    operationId: 'get_lab_health_history',
    summary: 'The lab now and its last two hours',
    description:
      'The results of the service’s own checks: state, reason, time of the last change, latency and version of each ' +
      'manager; and the incidents of a window, with the changes and the availability of each manager in it. It includes ' +
      'what was observed before a restart. Reading it sends no request to a manager.',
    parameters: [
      {
        name: 'hours',
        description: 'The length of the window that ends now, in hours: 1 to 2160 (90 days); 2 by default.',
        schema: { type: 'number', minimum: 1, maximum: 2160 },
      },
    ],
    example: {
      lab_name: 'Example Lab',
      now: '2026-01-15T13:00:05.000Z',
      state: 'down',
      description: '0/1 managers are healthy',
      since: '2026-01-15T12:59:10.000Z',
      interval_seconds: 5,
      total_managers: 1,
      healthy_managers: 0,
      service: { name: 'lab-manager', version: '0.1.0', started: '2026-01-15T09:00:00.000Z' },
      window_seconds: 7200,
      managers: [
        {
          manager: 'resource',
          name: 'Resource Manager',
          url: exampleAddress(8003),
          state: 'unreachable',
          reason: failedManager.description,
          since: '2026-01-15T12:59:10.000Z',
          last_checked: '2026-01-15T13:00:05.000Z',
          last_healthy: '2026-01-15T12:59:05.000Z',
          latency_ms: null,
          usual_latency_ms: 4.2,
          version: '0.8.1',
          health: failedManager,
          changes: [{ at: '2026-01-15T12:59:10.000Z', state: 'unreachable', reason: failedManager.description }],
          availability: { percent: 99.24, counted_seconds: 7200, up_seconds: 7145, window_seconds: 7200 },
          bars: [...Array.from({ length: 89 }, () => 'healthy' as const), 'unreachable'],
        },
      ],
      incidents: [
        {
          kind: 'manager',
          id: 'resource',
          name: 'Resource Manager',
          state: 'unreachable',
          reason: failedManager.description,
          from: '2026-01-15T12:59:10.000Z',
          to: null,
          seconds: 55,
          unwatched_seconds: 0,
        },
      ],
      past_maintenance: [],
      watched: [{ from: '2026-01-15T11:00:05.000Z', to: '2026-01-15T13:00:05.000Z' }],
    },
  },
  {
    ...fleetApi.endpoints.getSummary,
    operationId: 'get_summary',
    summary: 'Summary of the lab',
    description:
      'The state of the lab in a few hundred bytes, for programs that read many labs. An unknown part is null: ' +
      'nodes and workflows while the workcell manager does not respond, and workflows at the first request. Incidents are ' +
      'those of the last seven days; the safety stop is the newest of the last eight days, in force or not. Reading it sends ' +
      'no request to a manager.',
    parameters: [],
    example: {
      service: { name: 'lab-manager', version: '0.1.0' },
      now: '2026-01-15T13:00:05.000Z',
      state: 'degraded',
      lab_name: 'Example Lab',
      since: '2026-01-15T12:59:10.000Z',
      managers: { healthy: 5, total: 6 },
      nodes: { errored: 1, busy: 2, ready: 4 },
      in_need: [{ name: 'robotarm_1', state: 'errored', waiting: 2 }],
      needs: { count: 2, first: 'Resource Manager: Unreachable: connection refused (localhost:8003)' },
      workflows: { queued: 3, running: 2, paused: 0 },
      incidents: {
        open: 1,
        last: {
          name: 'Resource Manager',
          reason: failedManager.description,
          from: '2026-01-15T12:59:10.000Z',
          to: null,
        },
      },
      safety_stop: { at: '2026-01-14T16:20:00.000Z', machine: 'lab-pc', in_force: false, unconfirmed: 0 },
      stops_read: true,
    },
  },
  {
    ...fleetApi.endpoints.getFleetLabs,
    operationId: 'get_fleet_labs',
    summary: 'Many labs',
    description:
      'The labs of LAB_FLEET as last read from their /summary, each every 15 s. A lab manager without this endpoint, such as ' +
      'MADSci’s own, reports only the health of its managers. All times are those of this service’s clock. The ' +
      'response has an ETag and changes at most every 5 s. Reading it sends no request to a lab.',
    parameters: [],
    example: {
      now: '2026-01-15T13:00:05.000Z',
      interval_seconds: 15,
      labs: [
        {
          url: exampleAddress(8000),
          name: 'Example Lab',
          state: 'unreachable',
          since: '2026-01-15T12:59:10.000Z',
          reason: 'Failed to connect: connection refused (localhost:8000)',
          answered: '2026-01-15T12:58:55.000Z',
          version: '0.1.0',
          managers: null,
          nodes: null,
          workflows: null,
          incidents: null,
          safety_stop: { at: '2026-01-14T16:20:00.000Z', machine: 'lab-pc', in_force: false, unconfirmed: 0 },
          stops_read: true,
        },
      ],
    },
  },
  {
    ...labApi.endpoints.getManagers,
    operationId: 'get_managers',
    summary: 'Access through the relay',
    description:
      'Whether LAB_REMOTE_ACCESS allows this service to relay requests to the managers, below /managers/KEY, and the role ' +
      'of the caller: null without access. For the safety stop through the relay: the reason why the caller may not send ' +
      'it (LAB_REMOTE_STOP), or the names of the nodes.',
    parameters: [],
    example: {
      remote_access: 'view',
      role: 'operator',
      managers: ['event', 'workcell'],
      stop: { refusal: null, nodes: ['robotarm_1'] },
    },
  },
  {
    ...labApi.endpoints.getSettings,
    operationId: 'get_settings',
    summary: 'Effective settings',
    description:
      'The effective settings with redacted secrets, the source of each value, and whether the ID is the one in MADSci’s ' +
      'ID registry.',
    parameters: [
      {
        name: 'include_defaults',
        description: 'Include settings that have their default value.',
        schema: { type: 'boolean', default: true },
      },
      {
        name: 'include_schema',
        description: 'Include the JSON Schema of the settings.',
        schema: { type: 'boolean', default: false },
      },
    ],
    example: {
      settings: { server_url: exampleAddress(8000), manager_name: 'Example Lab' },
      sources: {
        server_url: { source: 'default', name: null, file: null, line: null },
        manager_name: { source: 'yaml', name: 'lab_manager_name', file: 'settings.yaml', line: 3 },
      },
      identity: {
        name: 'Example Lab',
        settled: true,
        problem: null,
        holder: null,
        since: '2026-01-15T12:00:00.000Z',
      },
    },
  },
] as const satisfies readonly DocumentedEndpoint[];
