/** The demo lab's workflows, and the experiments that they belong to. */
import type { JsonObject } from '../../api/client/wire.ts';
import { readDefinition } from '../workcell/definition.ts';
import type { Definition } from '../workcell/run.ts';

const metadata = (description: string) => ({ author: 'Demo Lab', description, version: 1 });

const growth: JsonObject = {
  name: 'Growth curve',
  definition_metadata: metadata('Prepare a plate and follow one well over time'),
  parameters: { json_inputs: [{ key: 'points', description: 'Readings', default: 40 }] },
  steps: [
    {
      name: 'Dispense medium',
      key: 'dispense',
      node: 'liquidhandler_1',
      action: 'run_command',
      args: { command: 'dispense 180 µL of medium into columns 1 to 12' },
    },
    { name: 'Let it settle', key: 'settle', action: 'wait', args: { seconds: 5 } },
    {
      name: 'Read the curve',
      key: 'curve',
      node: 'platereader_1',
      action: 'kinetic_read',
      args: { well: 'A1' },
      data_labels: { json_result: 'growth_curve' },
      use_parameters: { args: { points: 'points' } },
    },
  ],
};

const dilution: JsonObject = {
  name: 'Serial dilution',
  definition_metadata: metadata('Dilute along a row and read the plate'),
  parameters: { json_inputs: [{ key: 'wavelength', description: 'nm', default: 600 }] },
  steps: [
    {
      name: 'Dilute',
      key: 'dilute',
      node: 'liquidhandler_2',
      action: 'run_command',
      args: { command: 'serial dilution 1:2 along row A, 100 µL' },
    },
    { name: 'Home the arm', key: 'home', node: 'robotarm_1', action: 'home' },
    {
      name: 'Read the plate',
      key: 'read',
      node: 'platereader_1',
      action: 'read_plate',
      data_labels: { file: 'absorbance.csv' },
      use_parameters: { args: { wavelength: 'wavelength' } },
    },
  ],
};

const spot: JsonObject = {
  name: 'Spot check',
  definition_metadata: metadata('Read one well and evaluate the value'),
  parameters: {
    json_inputs: [{ key: 'well', default: 'B3' }],
    feed_forward: [{ key: 'reading', parameter_type: 'feed_forward_json', step: 'read', data_type: 'json' }],
  },
  steps: [
    {
      name: 'Read one well',
      key: 'read',
      node: 'platereader_1',
      action: 'read_well',
      use_parameters: { args: { well: 'well' } },
    },
    {
      name: 'Evaluate the value',
      key: 'evaluate',
      node: 'advanced_example_node',
      action: 'every_argument',
      args: { whole: 1, text: 'spot check' },
      use_parameters: { args: { real: 'reading' } },
    },
  ],
};

const maintenance: JsonObject = {
  name: 'Warm up',
  definition_metadata: metadata('Move every axis and run the pumps'),
  steps: [
    { name: 'Home the arm', key: 'home', node: 'robotarm_1', action: 'home' },
    { name: 'Prime 1', key: 'prime_1', node: 'liquidhandler_1', action: 'run_command', args: { command: 'prime' } },
    { name: 'Prime 2', key: 'prime_2', node: 'liquidhandler_2', action: 'run_command', args: { command: 'prime' } },
  ],
};

/** Submitted occasionally to show a failure: its last step raises an exception. */
export const failingProtocol: JsonObject = {
  name: 'Shaker test',
  definition_metadata: metadata('Shake a plate; the motor is old'),
  steps: [
    { name: 'Shake', key: 'shake', node: 'advanced_example_node', action: 'slow', args: { seconds: 10 } },
    { name: 'Shake harder', key: 'shake_harder', node: 'advanced_example_node', action: 'crash' },
  ],
};

/** Moves a plate between two places by a transfer of the workcell; the places are parameters. */
export const transferProtocol: JsonObject = {
  name: 'Move a plate',
  definition_metadata: metadata('Carry a plate between two places'),
  parameters: {
    json_inputs: [
      { key: 'from', description: 'Location to take it from' },
      { key: 'to', description: 'Location to put it' },
    ],
  },
  steps: [
    {
      name: 'Carry',
      key: 'carry',
      action: 'transfer',
      use_parameters: { args: { source: 'from', target: 'to' } },
    },
  ],
};

export const protocols: readonly JsonObject[] = [growth, dilution, spot, maintenance];

export const campaignName = 'Media screening 2026';

/** The experiment names, used in turn. */
export const designs = [
  { experiment_name: 'Glucose series', experiment_description: 'Growth at eight glucose concentrations' },
  { experiment_name: 'Nitrogen series', experiment_description: 'Growth at eight nitrogen concentrations' },
  { experiment_name: 'Trace metals', experiment_description: 'Growth with and without trace metals' },
] as const;

const longNames = ['Screen', 'Assay', 'Dilution series', 'Calibration'] as const;

/** Returns workflows with any number of steps that use the nodes in turn, for a lab of any size. */
export function longProtocols(steps: number, nodes: readonly string[], ulid: () => string): readonly Definition[] {
  return longNames.map((name, shift) =>
    readDefinition(
      {
        name,
        steps: Array.from({ length: steps }, (_none, index) => ({
          name: `${name} ${index + 1}`,
          node: nodes[(index + shift) % Math.max(1, nodes.length)],
          action: 'run',
        })),
      },
      ulid,
    ),
  );
}
