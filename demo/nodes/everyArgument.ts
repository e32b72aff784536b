/** A kind of node for tests, with every kind of argument and every result. */
import type { JsonObject } from '../../api/client/wire.ts';
import {
  declareAction,
  numberArgument,
  textFile,
  textArgument,
  type ActionCall,
  type ActionEnd,
  type NodeKind,
} from './definition.ts';
import { deck, failAction, seconds } from './instrument.ts';

const echo = (call: ActionCall): ActionEnd => ({ status: 'succeeded', json: call.args });

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
    declareAction({
      name: 'every_argument',
      description: 'Return one argument of each type.',
      args: {
        whole: { type: 'int', description: 'A whole number' },
        real: { type: 'float', description: 'A number', default: 1.5 },
        text: { type: 'str', default: 'words' },
        yes: { type: 'bool', default: true },
        names: { type: 'list[str]', default: ['a', 'b'] },
        options: { type: 'dict[str, int]', default: { a: 1 } },
        maybe: { type: 'int', default: null },
        either: { type: 'Union[int, str]', default: 'x' },
      },
      json: 'dict',
      end: echo,
    }),
    declareAction({
      name: 'use_location',
      description: 'Return the representation of a location.',
      locations: { target: 'Any location' },
      json: 'dict',
      end: echo,
    }),
    declareAction({
      name: 'count_bytes',
      description: 'Count the bytes of a file.',
      args: { unit: { type: 'str', default: 'bytes' } },
      files: { document: { type: 'file', description: 'Any file' }, more: { type: 'file', default: null } },
      json: 'dict',
      end: (call) => {
        const count = call.files['document']?.bytes.length ?? 0;
        return { status: 'succeeded', json: { count, unit: textArgument(call, 'unit', 'bytes') } };
      },
    }),
    declareAction({
      name: 'make_files',
      description: 'Return two files and a value.',
      args: { text: { type: 'str', default: 'hello' } },
      json: 'str',
      fileLabels: ['first', 'second'],
      end: (call) => {
        const text = textArgument(call, 'text', 'hello');
        const files = { first: textFile('first.txt', text), second: textFile('second.txt', `${text}\n${text}`) };
        return { status: 'succeeded', json: text, files };
      },
    }),
    declareAction({
      name: 'slow',
      description: 'Take a while; can be paused and cancelled.',
      args: { seconds: { type: 'float', default: null } },
      durationMs: (call) =>
        seconds(numberArgument(call, 'seconds', numberArgument({ ...call, args: call.config }, 'delay', 1))),
    }),
    declareAction({
      name: 'fail',
      description: 'Report a failure; the node stays ready.',
      end: () => failAction('out of tips', 'TipError'),
    }),
    declareAction({
      name: 'crash',
      description: 'Raise an exception: the node is in an error state until it is reset.',
      end: () => ({ status: 'crashed', message: 'motor stalled', type: 'ValueError' }),
    }),
  ],
};
