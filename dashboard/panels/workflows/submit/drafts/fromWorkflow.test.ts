import { describe, expect, it } from 'vitest';
import { workflow, type Workflow } from '#api/managers/workflow.ts';
import { checkSubmission } from '../preflight.ts';
import { validateDefinition } from '../../definition/validateDefinition.ts';
import { examples } from './examples.ts';
import { toInitialContent } from './fromWorkflow.ts';
import { emptyKnowledge } from '../../definition/labKnowledge.ts';
import { toRequestBody } from '../../definition/model.ts';
import { sampleLabKnowledge } from '#dashboard/fixtures/sampleLabKnowledge.ts';

const samples = import.meta.glob<unknown>('../../../../../api/samples/workflow_*.json', {
  eager: true,
  import: 'default',
});

/** Every workflow in the samples, recorded from real managers. */
const workflows = Object.entries(samples).flatMap(([name, sample]): [string, Workflow][] => {
  const bodies = [sample, ...Object.values(sample as object)] as unknown[];
  const parsedWorkflow = bodies.map((body) => workflow.safeParse(body)).find(({ success }) => success);
  return parsedWorkflow?.success ? [[name.split('/').at(-1) ?? name, parsedWorkflow.data]] : [];
});

describe('a workflow of the samples', () => {
  it('is one of more than five', () => expect(workflows.length).toBeGreaterThan(5));

  it.each(workflows)('%s can be resubmitted', (_name, original) => {
    const { text, from } = toInitialContent(original);
    const { definition, problems } = validateDefinition(text, emptyKnowledge);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(from).toBe(original.name);
    const steps = original.step_definitions ?? original.steps;
    expect(toRequestBody(definition!).steps?.map(({ action }) => action)).toEqual(
      steps.map(({ action }) => action ?? undefined),
    );
    expect(text).not.toMatch(/step_id|workflow_definition_id|status/);
  });

  it.each([[[]], [{}], ['']])('the resubmitted definition keeps the default %j of a parameter', (value) => {
    const [[, base]] = workflows as [[string, Workflow]];
    const { text } = toInitialContent({ ...base, parameters: { json_inputs: [{ key: 'a', default: value }] } });
    expect(text).toContain(`default: ${JSON.stringify(value)}\n`);
  });

  it('is resubmitted with its values and owner, but without the results of its steps', () => {
    const [[, base]] = workflows as [[string, Workflow]];
    const original: Workflow = {
      ...base,
      parameters: { json_inputs: [{ key: 'a', default: null }], feed_forward: [{ key: 'b', step: 0 }] },
      parameter_values: { a: 1, b: 'made' },
      ownership_info: { experiment_id: 'E', workcell_id: 'W', manager_id: 'M' },
    };
    expect(toInitialContent(original)).toMatchObject({ values: { a: 1 }, ownership: { experiment_id: 'E' } });
    expect(toInitialContent({ ...original, ownership_info: { workcell_id: 'W' } }).ownership).toBeNull();
  });
});

it.each(examples.map(({ title, text }) => [title, text] as const))('the example “%s” is valid', (_title, text) => {
  expect(validateDefinition(text, emptyKnowledge).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

describe('checkSubmission', () => {
  const { definition } = validateDefinition(
    'name: x\nsteps:\n  - action: wait\n    args: {seconds: 1}',
    sampleLabKnowledge,
  );
  it('passes without problems', () => {
    const { worst, groups } = checkSubmission(definition!, sampleLabKnowledge, {});
    expect(worst).toBe('ok');
    expect(groups.map(({ title, lines }) => [title, lines.length])).toEqual([
      ['Managers', 2],
      ['1. wait', 3],
    ]);
  });
  it('names the missing values', () => {
    const incompleteDefinition = validateDefinition(
      'name: x\nparameters: {json_inputs: [{key: speed}]}\nsteps: []',
      sampleLabKnowledge,
    ).definition!;
    const missing = [{ section: 'args', name: 'speed', problem: 'Required.' }] as const;
    const { worst, groups } = checkSubmission(incompleteDefinition, sampleLabKnowledge, {}, [], missing);
    expect(worst).toBe('problem');
    expect(groups[1]?.lines).toEqual([{ status: 'problem', text: 'speed: Required.', path: null }]);
    expect(checkSubmission(incompleteDefinition, sampleLabKnowledge, { speed: 1 }).groups[1]?.worst).toBe('ok');
  });
  it('does not accept a step whose file is not selected', () => {
    const withFile = validateDefinition(
      'name: x\nparameters: {file_inputs: [{key: f}]}\nsteps:\n  - action: wait\n    args: {seconds: 1}\n    files: {protocol: f}',
      sampleLabKnowledge,
    ).definition!;
    const missing = [{ section: 'files', name: 'f', problem: 'Required.' }] as const;
    const step = checkSubmission(withFile, sampleLabKnowledge, {}, [], missing).groups.at(-1);
    expect(step?.worst).toBe('problem');
    expect(step?.lines.at(-1)).toEqual({
      status: 'problem',
      text: 'f: Required.',
      path: ['steps', 0, 'files', 'protocol'],
    });
  });
  it('requires the location manager even for steps without locations', () => {
    const lab = { ...sampleLabKnowledge, location: { isResponding: false, reason: 'no connection' } };
    const { worst, groups } = checkSubmission(definition!, lab, {});
    expect(worst).toBe('problem');
    expect(groups[0]?.lines[1]?.text).toBe('Location manager does not answer: no connection. Every start needs it.');
  });
  it('requires the data manager for files, and reports a stuck workcell', () => {
    const files = validateDefinition(
      'name: x\nparameters: {file_inputs: [{key: f}]}\nsteps: []',
      sampleLabKnowledge,
    ).definition!;
    const lab = { ...sampleLabKnowledge, data: { isResponding: false, reason: 'gone' }, engineFailure: 'engine died' };
    const [managers] = checkSubmission(files, lab, {}).groups;
    expect(managers?.lines.map(({ status }) => status)).toEqual(['ok', 'ok', 'problem', 'warning']);
  });
});
