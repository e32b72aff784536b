/**
 * Compares the check of a definition with the manager's result: a definition with errors is refused or fails, a valid one
 * completes.
 */
import { beforeEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ManagerError } from '#api/client/managerError.ts';
import type { NewWorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import { emptyKnowledge, type LabKnowledge } from '#dashboard/panels/workflows/definition/labKnowledge.ts';
import { validateDefinition } from '#dashboard/panels/workflows/definition/validateDefinition.ts';
import { locations, nodeNames, workcell } from './lab.ts';
import { waitUntilEnded, resetNodes } from './workflows.ts';

beforeEach(resetNodes);

type Steps = readonly Readonly<Record<string, unknown>>[];
const slow = (args: unknown) => [{ name: 'slow', node: nodeNames.slow, action: 'slow', args }];
const quick = (args: unknown) => [{ name: 'quick', node: nodeNames.quick, action: 'every_argument', args }];
const wait = (args: unknown) => [{ name: 'wait', action: 'wait', args }];

async function loadKnowledge(): Promise<LabKnowledge> {
  const [{ nodes }, places] = await Promise.all([workcell.getState({}), locations.getLocations({})]);
  const respondingManager = { isResponding: true, reason: '' };
  return {
    ...emptyKnowledge,
    nodes: Object.fromEntries(Object.entries(nodes).map(([name, { info }]) => [name, info])),
    statuses: Object.fromEntries(Object.entries(nodes).map(([name, { status }]) => [name, status])),
    locations: places.map(({ location_name: name, location_id: id, resource_id, representations }) => ({
      name,
      id,
      resource: resource_id ?? null,
      representations: Object.keys(representations ?? {}),
    })),
    workcell: respondingManager,
    location: respondingManager,
    data: respondingManager,
  };
}

/** Starts a definition and returns the manager's result. */
async function runDefinition(definition: NewWorkflowDefinition): Promise<'refused' | 'failed' | 'completed'> {
  try {
    const workflow_definition_id = await workcell.addWorkflowDefinition({ body: definition });
    const { workflow_id } = await workcell.startWorkflow({ body: { workflow_definition_id } });
    const { status } = await waitUntilEnded(workflow_id);
    return status.completed ? 'completed' : 'failed';
  } catch (error) {
    if (error instanceof ManagerError && error.kind === 'http') return 'refused';
    throw error;
  }
}

it.each<[string, Steps]>([
  ['a wait', wait({ seconds: 0 })],
  ['a wait of a fraction of a second', wait({ seconds: 0.1 })],
  ['a negative wait', wait({ seconds: -1 })],
  ['a wait without seconds', wait({})],
  ['a wait with a text for the seconds', wait({ seconds: 'abc' })],
  ['a step on a node', slow({ seconds: 0 })],
  ['a text for a number', slow({ seconds: 'abc' })],
  ['a number as text', slow({ seconds: '0' })],
  ['an unknown argument', slow({ seconds: 0, speed: 1 })],
  ['an action with its argument', quick({ whole: 1 })],
  ['a fraction for a whole number', quick({ whole: 1.5 })],
  ['a list for a whole number', quick({ whole: [1] })],
  ['an unknown node', [{ name: 'a', node: 'missing_node', action: 'slow', args: {} }]],
  ['an unknown action', [{ name: 'a', node: nodeNames.slow, action: 'fly', args: {} }]],
  ['an unknown built-in action', [{ name: 'a', action: 'fly', args: {} }]],
  [
    'an unknown location',
    [{ name: 'a', node: nodeNames.slow, action: 'slow', args: { seconds: 0 }, locations: { at: 'nowhere' } }],
  ],
  [
    'two steps with one key',
    [...slow({ seconds: 0 }), ...slow({ seconds: 0 })].map((step) => ({ ...step, key: 'same' })),
  ],
  [
    'a parameter without a value',
    slow({ seconds: 0 }).map((step) => ({ ...step, use_parameters: { args: { seconds: 'missing' } } })),
  ],
])('the definition checker and the manager agree on %s', async (_what, steps) => {
  const definition = { name: 'Checked definition', steps } as unknown as NewWorkflowDefinition;
  const { errors, problems } = validateDefinition(stringify(definition), await loadKnowledge());
  const result = await runDefinition(definition);
  const messages = problems.map(({ severity, message }) => `${severity}: ${message}`).join(' | ');
  expect({ passes: errors === 0, result }, messages).toEqual({
    passes: result === 'completed',
    result,
  });
});
