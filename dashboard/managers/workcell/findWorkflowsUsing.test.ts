import { describe, expect, it } from 'vitest';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { findWorkflowsUsing } from './findWorkflowsUsing.ts';

const workflowWithStep = (name: string, step: Parameters<typeof sampleStep>[0]) =>
  sampleWorkflow({ name, steps: [sampleStep(), sampleStep(step)] });
const all = [
  workflowWithStep('as written', { locations: { source: 'deck_1' } }),
  workflowWithStep('filled in', {
    locations: { target: { representation: [1, 2], location_name: 'deck_1', resource_id: 'R1' } },
  }),
  workflowWithStep('by argument', { args: { resource_id: 'R1' } }),
  workflowWithStep('one of several', { args: { resource_ids: ['R0', 'R1'] } }),
  workflowWithStep('nothing', { args: { speed: 4, note: null }, locations: { target: null } }),
];

describe('findWorkflowsUsing', () => {
  it.each([
    [['deck_1'], ['as written', 'filled in']],
    [['R1'], ['filled in', 'by argument', 'one of several']],
    [
      ['deck_1', 'R0'],
      ['as written', 'filled in', 'one of several'],
    ],
    [['deck_2', ''], []],
  ])('finds the workflows that use %j', (names, expectedNames) => {
    expect(findWorkflowsUsing(all, names).map(({ name }) => name)).toEqual(expectedNames);
  });
});
