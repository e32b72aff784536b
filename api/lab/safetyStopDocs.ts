/** The OpenAPI texts and the example of the endpoints of the safety stop. */
import type { DocumentedEndpoint } from './labDocs.ts';
import { safetyStopApi, type StopResponse } from './safetyStopApi.ts';

const example: StopResponse = {
  stop: {
    id: '01JDMSTOP0000000000000000A',
    at: '2026-01-15T13:00:05.000Z',
    machine: 'lab-pc',
    user: 'ann',
    application: 'dashboard',
    nodes: [
      {
        name: 'robotarm_1',
        workcell: 'http://localhost:8005/',
        result: 'held',
        reason: 'Internal Server Error',
        direct: true,
        did: ['lock', 'pause'],
        before: [],
        attempts: 2,
        now: { state: 'locked', flags: ['busy'] },
      },
    ],
    workflows: [{ id: '01JDMWORKFLOW000000000000A', name: 'Assay', node: 'robotarm_1', step: 0, was_running: false }],
  },
  in_effect: true,
  acknowledged: false,
  known_nodes: 4,
  releases: [{ name: 'robotarm_1', commands: ['unlock', 'resume'] }],
  refusals: { stop: null, release: null, acknowledge: null },
};

const { getStop, stop, release, acknowledge } = safetyStopApi.endpoints;

export const safetyStopEndpoints = [
  {
    ...getStop,
    operationId: 'get_safety_stop',
    summary: 'Safety stop',
    description:
      'The safety stop in effect or else the last one, with the result and the present state of each node, the workflows ' +
      'that it paused, what a release sends, and why the caller may not send each request.',
    parameters: [],
    example,
  },
  {
    ...stop,
    errors: { 409: 'The service must not send commands to this lab' },
    operationId: 'start_safety_stop',
    summary: 'Stop all nodes',
    description:
      'Starts a safety stop of all known nodes, or joins the one that is being sent, and responds at once. Available to this ' +
      'machine, to signed-in operators and, with LAB_REMOTE_STOP=everyone, to everyone. A program that has sent locks and ' +
      'pauses itself describes them in `nodes`, so that a release undoes them, too.',
    parameters: [],
    example,
  },
  {
    ...release,
    operationId: 'release_safety_stop',
    summary: 'Release the safety stop',
    description:
      'Starts the release of all nodes and of the workflows that the stop paused, and responds at once: the stop is ' +
      '`releasing` until its end.',
    parameters: [],
    example,
  },
  {
    ...acknowledge,
    operationId: 'acknowledge_safety_stop',
    summary: 'Acknowledge the safety stop',
    description: 'Hides the safety stop on all screens. It stays in effect: no node is released.',
    parameters: [],
    example,
  },
] as const satisfies readonly DocumentedEndpoint[];
