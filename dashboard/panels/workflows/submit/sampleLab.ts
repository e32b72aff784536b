/** A small lab for tests: what its nodes can do, and where things are. */
import type { ActionDefinition, ArgumentDefinition } from '../../../../api/action.ts';
import type { NodeInfo, NodeStatus } from '../../../../api/node.ts';
import type { LabKnowledge } from './labKnowledge.ts';

export const argument = (name: string, type: string, more: Partial<ArgumentDefinition> = {}): ArgumentDefinition => ({
  name,
  argument_type: type,
  required: true,
  default: null,
  description: '',
  ...more,
});

const byName = (list: readonly ArgumentDefinition[]) => Object.fromEntries(list.map((item) => [item.name, item]));

const action = (
  name: string,
  args: readonly ArgumentDefinition[],
  locations: readonly ArgumentDefinition[] = [],
  files: readonly ArgumentDefinition[] = [],
): ActionDefinition => ({
  name,
  description: `Does ${name}.`,
  args: byName(args),
  locations: byName(locations),
  files: byName(files),
  results: { json_result: { result_label: 'json_result', result_type: 'json' } },
});

const info = (name: string, actions: readonly ActionDefinition[]): NodeInfo => ({
  node_name: name,
  actions: Object.fromEntries(actions.map((item) => [item.name, item])),
});

export const ready: NodeStatus = {
  busy: false,
  paused: false,
  locked: false,
  stopped: false,
  errored: false,
  disconnected: false,
  initializing: false,
  ready: true,
  description: 'Node is ready',
};

const optional = { required: false };

export const sampleLab: LabKnowledge = {
  nodes: {
    reader: info('reader', [
      action('read_plate', [
        argument('wavelength', 'int', { description: 'nm', default: 600, ...optional }),
        argument('mode', "Literal['fast', 'exact']", { default: 'fast', ...optional }),
      ]),
      action('read_well', [argument('well', 'str')]),
      action('run_protocol', [], [], [argument('protocol', 'file')]),
    ]),
    arm: info('arm', [
      action(
        'move',
        [argument('speed', 'Optional[float]', optional)],
        [argument('source', 'location'), argument('target', 'location')],
      ),
    ]),
    silent: null,
  },
  statuses: {
    reader: ready,
    arm: { ...ready, disconnected: true, errored: true, ready: false },
    silent: null,
  },
  locations: [
    { name: 'deck_1', representations: ['arm'] },
    { name: 'nest', representations: ['arm', 'reader'] },
    { name: 'store', representations: [] },
  ],
  workcell: { answers: true, reason: '' },
  location: { answers: true, reason: '' },
  data: { answers: true, reason: '' },
  stuck: null,
};
