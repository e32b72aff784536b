import { describe, expect, it } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { extractOwnership, submitWorkflow, extractResubmissionInputs, extractInputValues } from './submission.ts';

/** A workcell manager that returns the given responses in turn and records its requests. */
function createManager(...responses: (readonly [status: number, body: unknown])[]) {
  const requests: { readonly url: string; readonly body: FormData | string }[] = [];
  const fetch = (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    requests.push({ url: String(url), body: init?.body as FormData | string });
    const [status, body] = responses[requests.length - 1] ?? [500, { detail: 'asked too often' }];
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  };
  return {
    client: createClient(workcellApi, { baseUrl: 'http://lab:8005/', fetch: fetch as typeof globalThis.fetch }),
    requests,
  };
}

describe('submitting a workflow', () => {
  it('sends the definition, then the start with each file named by its parameter', async () => {
    const { client, requests } = createManager([200, 'DEF'], [200, sampleWorkflow()]);
    const started = await submitWorkflow(
      client,
      { name: 'Growth assay', steps: [] },
      {
        values: { points: 40 },
        files: { layout: new File(['a,b'], 'plate 14.csv') },
        ownership: { experiment_id: 'EXP' },
      },
    );
    expect(started.name).toBe('Growth assay');
    expect(requests.map(({ url }) => url)).toEqual(['http://lab:8005/workflow_definition', 'http://lab:8005/workflow']);
    const form = requests[1]?.body as FormData;
    expect([...form.keys()]).toEqual([
      'workflow_definition_id',
      'json_inputs',
      'file_input_paths',
      'ownership_info',
      'files',
    ]);
    expect(form.get('workflow_definition_id')).toBe('DEF');
    expect(form.get('json_inputs')).toBe('{"points":40}');
    expect(form.get('file_input_paths')).toBe('{"layout":"plate 14.csv"}');
    expect(form.get('ownership_info')).toBe('{"experiment_id":"EXP"}');
    expect((form.get('files') as File).name).toBe('layout');
  });

  it('omits empty values', async () => {
    const { client, requests } = createManager([200, 'DEF'], [200, sampleWorkflow()]);
    await submitWorkflow(client, { name: 'Growth assay' });
    expect([...(requests[1]!.body as FormData).keys()]).toEqual(['workflow_definition_id']);
  });

  it('starts nothing when the definition is rejected and reports the reason', async () => {
    const { client, requests } = createManager([422, { detail: 'Step keys must be unique across workflow' }]);
    await expect(submitWorkflow(client, { name: 'Growth' })).rejects.toThrow(
      'Could not submit the workflow definition: Workcell Manager (lab:8005) answered 422: Step keys must be unique',
    );
    expect(requests).toHaveLength(1);
  });

  it('reports the manager’s reason when the start fails', async () => {
    const { client } = createManager(
      [200, 'DEF'],
      [500, { detail: 'Error starting workflow: Node x not in Workcell w' }],
    );
    await expect(submitWorkflow(client, { name: 'Growth' })).rejects.toThrow(
      /Could not start.*Node x not in Workcell w/,
    );
  });
});

describe('the inputs of a resubmission', () => {
  const earlier = sampleWorkflow({
    steps: [sampleStep()],
    step_definitions: [{ name: 'Move', node: 'arm', action: 'transfer', locations: { source: 'deck_1' } }],
    definition_metadata: { author: 'Ada' },
    parameters: {
      json_inputs: [{ key: 'points' }],
      file_inputs: [{ key: 'layout' }],
      feed_forward: [{ key: 'reading', step: 'read' }],
    },
    parameter_values: { points: 40, reading: 0.6 },
    file_input_paths: { layout: 'C:\\plates\\plate 14.csv' },
    ownership_info: {
      user_id: 'U',
      experiment_id: 'E',
      campaign_id: 'C',
      workflow_id: 'W',
      step_id: 'S',
      manager_id: 'M',
      workcell_id: 'M',
      project_id: null,
    },
  });

  it('include definition, values, owner and the names of its files', () => {
    expect(extractResubmissionInputs(earlier)).toEqual({
      definition: {
        name: 'Growth assay',
        definition_metadata: { author: 'Ada' },
        parameters: earlier.parameters,
        steps: earlier.step_definitions,
      },
      values: { points: 40 },
      ownership: { user_id: 'U', experiment_id: 'E', campaign_id: 'C' },
      files: { layout: 'plate 14.csv' },
    });
  });

  it('include no definition when the workflow does not store its steps as submitted', () => {
    expect(extractResubmissionInputs(sampleWorkflow()).definition).toBeNull();
  });

  it('are empty when the manager omits them', () => {
    expect(extractInputValues(sampleWorkflow({ parameter_values: null }))).toEqual({});
    expect(extractOwnership({ ownership_info: {} })).toEqual({});
  });
});
