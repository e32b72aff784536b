/** What the demo lab's instruments can do. */
import type { JsonObject } from '../../api/wire.ts';
import { declare, numberOf, textFile, textOf, type ActionCall, type ActionEnd } from './definition.ts';
import type { NodeKind } from './node.ts';

const seconds = (length: number) => length * 1000;

/** Counts in the node's state. */
function count(call: ActionCall, key: string, more = 1): void {
  const before = call.state[key];
  call.state[key] = (typeof before === 'number' ? before : 0) + more;
}

const failed = (message: string, type: string): ActionEnd => ({ status: 'failed', message, type });

/** The places of a node and a template for such places. */
function deck(template: string, places: readonly string[]): Pick<NodeKind, 'intrinsicLocations' | 'locationTemplates'> {
  return {
    intrinsicLocations: places.map((place, index) => ({
      location_name: place,
      description: null,
      representation_template_name: template,
      representation_overrides: { slot: index + 1 },
      resource_template_name: null,
      resource_template_overrides: null,
      allow_transfers: true,
      tags: null,
    })),
    locationTemplates: [
      {
        template_name: template,
        default_values: { slot: 0 },
        schema_def: null,
        required_overrides: null,
        tags: null,
        version: '1.0.0',
        description: null,
      },
    ],
  };
}

/** Takes tips; a rack that has too few is changed, and the action fails. */
function useTips(call: ActionCall, tips: number): ActionEnd | null {
  const left = call.state['tips_left'];
  if (typeof left !== 'number' || left < tips) {
    call.state['tips_left'] = 96;
    return failed('out of tips', 'TipError');
  }
  call.state['tips_left'] = left - tips;
  return null;
}

/** `commands`: the two liquid handlers differ in what they can be told. */
export function liquidHandler(commands: readonly string[], tips: number): NodeKind {
  return {
    moduleName: 'demo_liquid_handler',
    moduleVersion: '1.2.0',
    description: 'A liquid handler with eight channels',
    nodeType: 'device',
    commands,
    config: { channels: 8, deck_temperature: 22.5, simulate_errors: false },
    state: { tips_left: tips, protocols_run: 0, deck_temperature: 22.5 },
    ...deck('liquid_handler_deck', ['deck_1', 'deck_2', 'deck_3']),
    actions: [
      declare({
        name: 'run_command',
        description: 'Run a single command.',
        args: { command: { type: 'str', description: 'The command, in words' } },
        json: 'dict',
        takes: () => seconds(2),
        end: (call) => ({ status: 'succeeded', json: { command: textOf(call, 'command', ''), done: true } }),
      }),
      declare({
        name: 'transfer_liquid',
        description: 'Move liquid from one well to another.',
        args: {
          volume: { type: 'float', description: 'µL' },
          source_well: { type: 'str', default: 'A1' },
          target_well: { type: 'str', default: 'B1' },
          mix_after: { type: 'Optional[bool]', default: null },
        },
        locations: { plate: 'Where the plate is' },
        json: 'dict',
        takes: () => seconds(6),
        end: (call) => {
          const volume = numberOf(call, 'volume', 0);
          if (volume > 1000) return failed(`Volume ${volume} is more than a tip holds`, 'ValueError');
          return (
            useTips(call, 1) ?? { status: 'succeeded', json: { dispensed: call.random.normal(volume, volume * 0.01) } }
          );
        },
      }),
      declare({
        name: 'deck_transfer',
        description: 'Carry a plate with the gripper, on the deck or next to it.',
        locations: { source_location: 'Where to take it', target_location: 'Where to put it' },
        takes: () => seconds(15),
        end: (call) => carried(call, 'source_location', 'target_location') ?? { status: 'succeeded' },
      }),
      declare({
        name: 'run_protocol',
        description: 'Run a protocol file.',
        files: { protocol: { type: 'file', description: 'The protocol' } },
        args: { parameters: { type: 'Optional[dict]', default: null } },
        json: 'dict',
        takes: () => seconds(20),
        end: (call) => {
          const [file] = call.files['protocol'] ?? [];
          count(call, 'protocols_run');
          return useTips(call, 8) ?? { status: 'succeeded', json: { lines: lineCount(file?.bytes), tips_used: 8 } };
        },
      }),
    ],
  };
}

function lineCount(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : new TextDecoder().decode(bytes).split('\n').length;
}

/** The resource that lies at a location argument, where the workcell knew one. */
function resourceAt(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('resource_id' in value)) return null;
  return typeof value.resource_id === 'string' ? value.resource_id : null;
}

/** Moves what the resource manager has on record; the failure where that can't be done. */
function carried(call: ActionCall, from: string, to: string): ActionEnd | null {
  const [source, target] = [resourceAt(call.args[from]), resourceAt(call.args[to])];
  const why = source === null || target === null ? null : call.world.move(source, target);
  return why === null ? null : failed(why, 'TransferError');
}

export const robotArm: NodeKind = {
  moduleName: 'demo_robot_arm',
  moduleVersion: '2.0.1',
  description: 'An arm on a rail that carries plates',
  nodeType: 'device',
  commands: ['cancel', 'pause', 'resume', 'safety_stop', 'get_location'],
  config: { speed: 50, grip_force: 12 },
  state: { transfers: 0, position: { rail: 0, joints: [0, 45, 90, 0] } },
  actions: [
    declare({
      name: 'transfer',
      description: 'Carry a plate from one place to another.',
      locations: { source: 'Where to take it', target: 'Where to put it' },
      args: { speed: { type: 'float', description: 'Percent', default: 50 } },
      takes: (call) => seconds(400 / Math.max(10, numberOf(call, 'speed', 50))),
      end: (call) => {
        const why = carried(call, 'source', 'target');
        if (why !== null) return why;
        count(call, 'transfers');
        call.state['position'] = { rail: call.random.int(0, 1200), joints: [0, 45, 90, call.random.int(-90, 90)] };
        return { status: 'succeeded' };
      },
    }),
    declare({
      name: 'home',
      description: 'Go to the home position.',
      takes: () => seconds(4),
      end: (call) => {
        call.state['position'] = { rail: 0, joints: [0, 45, 90, 0] };
        return { status: 'succeeded' };
      },
    }),
  ],
};

/** 96 absorbances as a plate reader exports them. */
function plateCsv(call: ActionCall): string {
  const rows = Array.from({ length: 8 }, (_row, row) => {
    const values = Array.from({ length: 12 }, (_column, column) =>
      Math.max(0.04, call.random.normal(0.1 + 0.12 * column, 0.02)).toFixed(3),
    );
    return [String.fromCodePoint(65 + row), ...values].join(',');
  });
  return [['', ...Array.from({ length: 12 }, (_value, index) => String(index + 1))].join(','), ...rows, ''].join('\n');
}

export const plateReader: NodeKind = {
  moduleName: 'demo_plate_reader',
  moduleVersion: '0.9.4',
  description: 'A reader for absorbance and fluorescence',
  nodeType: 'device',
  commands: ['cancel'],
  config: { lamp_hours_limit: 2000 },
  state: { lamp_hours: 1287.5, reads: 0, temperature: 24.8 },
  ...deck('plate_reader_nest', ['plate_carriage']),
  actions: [
    declare({
      name: 'read_plate',
      description: 'Read all wells of a plate.',
      args: { wavelength: { type: 'int', description: 'nm', default: 600 } },
      gives: ['file'],
      takes: () => seconds(12),
      end: (call) => {
        count(call, 'reads');
        return { status: 'succeeded', files: { file: textFile('plate.csv', plateCsv(call), 'text/csv') } };
      },
    }),
    declare({
      name: 'read_well',
      description: 'Read one well.',
      args: { well: { type: 'str' }, wavelength: { type: 'int', description: 'nm', default: 600 } },
      json: 'float',
      takes: () => seconds(3),
      end: (call) => {
        count(call, 'reads');
        return { status: 'succeeded', json: Number(Math.max(0, call.random.normal(0.6, 0.2)).toFixed(4)) };
      },
    }),
    declare({
      name: 'kinetic_read',
      description: 'Read one well again and again.',
      args: { well: { type: 'str', default: 'A1' }, points: { type: 'int', default: 60 } },
      json: 'list',
      gives: ['curve'],
      takes: (call) => seconds(Math.min(120, numberOf(call, 'points', 60) / 2)),
      end: (call) => {
        const points = Array.from({ length: Math.max(1, numberOf(call, 'points', 60)) }, (_value, index) =>
          Number((1.2 / (1 + Math.exp((30 - index) / 6)) + call.random.normal(0.05, 0.01)).toFixed(4)),
        );
        count(call, 'reads', points.length);
        const curve = textFile('curve.csv', points.map((value, index) => `${index},${value}`).join('\n'), 'text/csv');
        return { status: 'succeeded', json: points, files: { curve } };
      },
    }),
  ],
};

const echo = (call: ActionCall): ActionEnd => ({ status: 'succeeded', json: call.args });

/** One with every kind of argument, and with every way to end. */
export const everyArgument: NodeKind = {
  moduleName: 'demo_every_argument',
  moduleVersion: '0.1.0',
  description: 'A module whose actions take every kind of argument',
  nodeType: 'compute',
  commands: ['cancel', 'pause', 'resume'],
  config: { delay: 1, label: 'demo', options: { retries: 2 } } satisfies JsonObject,
  state: { calls: 0 },
  ...deck('shaker_nest', ['nest']),
  actions: [
    declare({
      name: 'every_argument',
      description: 'Take one of each type and give them back.',
      args: {
        whole: { type: 'int', description: 'A whole number' },
        real: { type: 'float', description: 'A number', default: 1.5 },
        text: { type: 'str', default: 'words' },
        yes: { type: 'bool', default: true },
        names: { type: 'list[str]', default: ['a', 'b'] },
        options: { type: 'dict[str, int]', default: { a: 1 } },
        maybe: { type: 'Optional[int]', default: null },
        either: { type: 'Union[int, str]', default: 'x' },
      },
      json: 'dict',
      end: echo,
    }),
    declare({
      name: 'use_location',
      description: 'Say how this node knows a location.',
      locations: { target: 'Any location' },
      json: 'dict',
      end: echo,
    }),
    declare({
      name: 'count_bytes',
      description: 'Count the bytes of a file.',
      args: { unit: { type: 'str', default: 'bytes' } },
      files: { document: { type: 'file', description: 'Any file' }, more: { type: 'list[file]', default: null } },
      json: 'dict',
      end: (call) => {
        const bytes = (call.files['document'] ?? []).reduce((sum, file) => sum + file.bytes.length, 0);
        return { status: 'succeeded', json: { count: bytes, unit: textOf(call, 'unit', 'bytes') } };
      },
    }),
    declare({
      name: 'make_files',
      description: 'Give two files and a value.',
      args: { text: { type: 'str', default: 'hello' } },
      json: 'str',
      gives: ['first', 'second'],
      end: (call) => {
        const text = textOf(call, 'text', 'hello');
        const files = { first: textFile('first.txt', text), second: textFile('second.txt', `${text}\n${text}`) };
        return { status: 'succeeded', json: text, files };
      },
    }),
    declare({
      name: 'slow',
      description: 'Take a while; can be paused and cancelled.',
      args: { seconds: { type: 'Optional[float]', default: null } },
      takes: (call) => seconds(numberOf(call, 'seconds', numberOf({ ...call, args: call.config }, 'delay', 1))),
    }),
    declare({
      name: 'fail',
      description: 'Report a failure; the node stays ready.',
      end: () => failed('out of tips', 'TipError'),
    }),
    declare({
      name: 'crash',
      description: 'Raise an exception: the node is in an error state until it is reset.',
      end: () => ({ status: 'crashed', message: 'motor stalled', type: 'ValueError' }),
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
