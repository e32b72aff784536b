import { describe, expect, it } from 'vitest';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { workflowsTexts } from '../texts.ts';
import { listFileInputLines, listValueLines } from './inputs.ts';

const texts = workflowsTexts.inputs;

describe('the inputs of a workflow', () => {
  const workflow = sampleWorkflow({
    steps: [sampleStep({ key: 'read' })],
    parameters: {
      json_inputs: [
        { key: 'points', default: 40, description: 'Readings' },
        { key: 'well' },
        { key: 'gone', default: 1 },
      ],
      file_inputs: [{ key: 'layout' }, { key: 'other' }],
      feed_forward: [
        { key: 'reading', step: 'read', parameter_type: 'feed_forward_json' },
        { key: 'later', step: 3, parameter_type: 'feed_forward_json' },
        { key: 'scan', step: 'lost', parameter_type: 'feed_forward_file' },
      ],
    },
    parameter_values: { points: 40, well: 'B3', reading: 0.6, odd: true },
    file_input_paths: { layout: 'layout.csv' },
    file_input_ids: { layout: 'L', scan: 'S' },
  });

  it('show the origin of each value', () => {
    expect(listValueLines(workflow).map(({ key, value, origin }) => [key, value, origin])).toEqual([
      ['points', 40, 'default'],
      ['well', 'B3', 'given at the start'],
      ['gone', 1, 'default'],
      ['reading', 0.6, texts.produced('1')],
      ['later', undefined, texts.notProduced('4')],
      ['odd', true, 'given, but not part of the definition'],
    ]);
  });

  it('show the origin and the datapoint of each file', () => {
    expect(listFileInputLines(workflow).map(({ key, origin, datapoint }) => [key, origin, datapoint])).toEqual([
      ['layout', 'layout.csv', 'L'],
      ['other', 'not given', null],
      ['scan', texts.produced('lost'), 'S'],
    ]);
  });

  it('are empty without parameters', () => {
    expect(listValueLines(sampleWorkflow())).toEqual([]);
    expect(listFileInputLines(sampleWorkflow())).toEqual([]);
  });
});
