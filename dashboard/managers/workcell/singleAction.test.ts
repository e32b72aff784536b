import { describe, expect, it } from 'vitest';
import { newWorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import { buildSingleStepDefinition, buildStep, type SingleAction } from './singleAction.ts';

const step: SingleAction = {
  node: 'reader',
  action: 'read',
  args: { wavelength: 600, label: '600' },
  locations: { plate: 'carriage', lid: null },
  files: { protocol: new File(['a'], 'My protocol.py') },
};

describe('the step of a single action', () => {
  it('keeps typed values and gives each file a parameter named after its argument', () => {
    expect(buildStep(step)).toEqual({
      name: 'read',
      node: 'reader',
      action: 'read',
      args: { wavelength: 600, label: '600' },
      locations: { plate: 'carriage', lid: null },
      files: { protocol: 'protocol' },
    });
  });
  it('omits empty parts', () => {
    expect(buildStep({ ...step, args: {}, locations: {}, files: {} })).toEqual({
      name: 'read',
      node: 'reader',
      action: 'read',
    });
  });
});

it('a step becomes a valid definition that declares each file', () => {
  const definition = buildSingleStepDefinition(step, { name: 'read on reader', description: 'By hand' });
  expect(newWorkflowDefinition.safeParse(definition).success).toBe(true);
  expect(definition).toEqual({
    name: 'read on reader',
    definition_metadata: { description: 'By hand' },
    parameters: {
      json_inputs: [],
      file_inputs: [{ key: 'protocol', parameter_type: 'file_input' }],
      feed_forward: [],
    },
    steps: [buildStep(step)],
  });
});
