/** An arm that carries plates between locations. */
import { declare, numberOf, type NodeKind } from './definition.ts';
import { carried, count, seconds } from './instrument.ts';

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
