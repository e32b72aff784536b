/** The demo lab's instruments. The arm and the plate reader are declared here, the others in separate files. */
import { declareAction, numberArgument, textFile, type ActionCall, type NodeKind } from './definition.ts';
import { everyArgument } from './everyArgument.ts';
import { moveResource, incrementCounter, deck, seconds } from './instrument.ts';
import { liquidHandler } from './liquidHandler.ts';

const robotArm: NodeKind = {
  moduleName: 'demo_robot_arm',
  moduleVersion: '2.0.1',
  description: 'An arm on a rail that carries plates',
  nodeType: 'device',
  commands: ['cancel', 'pause', 'resume', 'safety_stop', 'get_location'],
  config: { speed: 50, grip_force: 12 },
  state: { transfers: 0, position: { rail: 0, joints: [0, 45, 90, 0] } },
  actions: [
    declareAction({
      name: 'transfer',
      description: 'Carry a plate from one place to another.',
      locations: { source: 'Where to take it', target: 'Where to put it' },
      args: { speed: { type: 'float', description: 'Percent', default: 50 } },
      durationMs: (call) => seconds(400 / Math.max(10, numberArgument(call, 'speed', 50))),
      end: (call) => {
        const failure = moveResource(call, 'source', 'target');
        if (failure !== null) return failure;
        incrementCounter(call, 'transfers');
        call.state['position'] = { rail: call.random.int(0, 1200), joints: [0, 45, 90, call.random.int(-90, 90)] };
        return { status: 'succeeded' };
      },
    }),
    declareAction({
      name: 'home',
      description: 'Go to the home position.',
      durationMs: () => seconds(4),
      end: (call) => {
        call.state['position'] = { rail: 0, joints: [0, 45, 90, 0] };
        return { status: 'succeeded' };
      },
    }),
  ],
};

/** Returns 96 absorbances in the export format of a plate reader. */
function plateCsv(call: ActionCall): string {
  const rows = Array.from({ length: 8 }, (_row, row) => {
    const values = Array.from({ length: 12 }, (_column, column) =>
      Math.max(0.04, call.random.normal(0.1 + 0.12 * column, 0.02)).toFixed(3),
    );
    return [String.fromCodePoint(65 + row), ...values].join(',');
  });
  return [['', ...Array.from({ length: 12 }, (_value, index) => String(index + 1))].join(','), ...rows, ''].join('\n');
}

const plateReader: NodeKind = {
  moduleName: 'demo_plate_reader',
  moduleVersion: '0.9.4',
  description: 'A reader for absorbance and fluorescence',
  nodeType: 'device',
  commands: ['cancel'],
  config: { lamp_hours_limit: 2000 },
  state: { lamp_hours: 1287.5, reads: 0, temperature: 24.8 },
  ...deck('plate_reader_nest', ['plate_carriage']),
  actions: [
    declareAction({
      name: 'read_plate',
      description: 'Read all wells of a plate.',
      args: { wavelength: { type: 'int', description: 'nm', default: 600 } },
      fileLabels: ['file'],
      durationMs: () => seconds(12),
      end: (call) => {
        incrementCounter(call, 'reads');
        return { status: 'succeeded', files: { file: textFile('plate.csv', plateCsv(call), 'text/csv') } };
      },
    }),
    declareAction({
      name: 'read_well',
      description: 'Read one well.',
      args: { well: { type: 'str' }, wavelength: { type: 'int', description: 'nm', default: 600 } },
      json: 'float',
      durationMs: () => seconds(3),
      end: (call) => {
        incrementCounter(call, 'reads');
        return { status: 'succeeded', json: Number(Math.max(0, call.random.normal(0.6, 0.2)).toFixed(4)) };
      },
    }),
    declareAction({
      name: 'kinetic_read',
      description: 'Read one well repeatedly.',
      args: { well: { type: 'str', default: 'A1' }, points: { type: 'int', default: 60 } },
      json: 'list',
      fileLabels: ['curve'],
      durationMs: (call) => seconds(Math.min(120, numberArgument(call, 'points', 60) / 2)),
      end: (call) => {
        const points = Array.from({ length: Math.max(1, numberArgument(call, 'points', 60)) }, (_value, index) =>
          Number((1.2 / (1 + Math.exp((30 - index) / 6)) + call.random.normal(0.05, 0.01)).toFixed(4)),
        );
        incrementCounter(call, 'reads', points.length);
        const curve = textFile('curve.csv', points.map((value, index) => `${index},${value}`).join('\n'), 'text/csv');
        return { status: 'succeeded', json: points, files: { curve } };
      },
    }),
  ],
};

/** The lab's five nodes, by name. */
export const demoNodes: readonly (readonly [name: string, kind: NodeKind])[] = [
  ['liquidhandler_1', liquidHandler(['cancel', 'pause', 'resume', 'safety_stop'], 80)],
  ['liquidhandler_2', liquidHandler([], 34)],
  ['robotarm_1', robotArm],
  ['platereader_1', plateReader],
  ['advanced_example_node', everyArgument],
];
