import { describe, expect, it, vi } from 'vitest';
import { sampleWorkflow } from './sampleWorkflow.ts';
import { oneStepWorkflow, stepOf, submitWorkflow, type OneStep } from './submission.ts';

const file = new File(['a'], 'My protocol.py');
const step: OneStep = {
  node: 'reader',
  action: 'read',
  name: 'read',
  args: { wavelength: 600, label: '600' },
  locations: { plate: 'carriage' },
  files: { protocol: file },
};

describe('stepOf', () => {
  it('keeps values as they are typed, and gives each file a parameter of its argument’s name', () => {
    expect(stepOf(step)).toEqual({
      name: 'read',
      node: 'reader',
      action: 'read',
      args: { wavelength: 600, label: '600' },
      locations: { plate: 'carriage' },
      files: { protocol: 'protocol' },
    });
  });
  it('leaves out what is empty', () => {
    expect(stepOf({ ...step, args: {}, locations: {}, files: {} })).toEqual({
      name: 'read',
      node: 'reader',
      action: 'read',
    });
  });
});

describe('submitWorkflow', () => {
  it('sends the definition, then starts it with its files under their keys', async () => {
    const workflow = sampleWorkflow();
    const client = {
      addWorkflowDefinition: vi.fn(async () => 'DEFINITION'),
      startWorkflow: vi.fn(async () => workflow),
    };
    const submission = oneStepWorkflow(step, { name: 'read on reader', description: 'By hand' });
    await expect(submitWorkflow(client, submission)).resolves.toBe(workflow);
    expect(client.addWorkflowDefinition).toHaveBeenCalledWith(
      {
        body: {
          name: 'read on reader',
          definition_metadata: { description: 'By hand' },
          parameters: {
            json_inputs: [],
            file_inputs: [{ key: 'protocol', parameter_type: 'file_input' }],
            feed_forward: [],
          },
          steps: [stepOf(step)],
        },
      },
      {},
    );
    expect(client.startWorkflow).toHaveBeenCalledWith(
      {
        body: {
          workflow_definition_id: 'DEFINITION',
          json_inputs: null,
          file_input_paths: { protocol: 'My protocol.py' },
          ownership_info: null,
        },
        files: { protocol: file },
      },
      {},
    );
  });

  it('starts nothing when the definition is refused', async () => {
    const client = {
      addWorkflowDefinition: vi.fn(async () => Promise.reject(new Error('no'))),
      startWorkflow: vi.fn(),
    };
    await expect(submitWorkflow(client, oneStepWorkflow(step, { name: 'n', description: '' }))).rejects.toThrow('no');
    expect(client.startWorkflow).not.toHaveBeenCalled();
  });
});
