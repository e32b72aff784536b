/** The demo lab as the suite's target: in this process, without simulated activity, and as fast as the real lab. */
import { managerKeys } from '../../api/managers.ts';
import { startDemoLab } from '../../demo/lab/lab.ts';
import type { RunningTarget } from './target.ts';
import type { ManagerAddresses } from './realLab.ts';

/** The node that has every kind of argument and every kind of result. */
const advancedNode = 'advanced_example_node';

export async function startDemoTarget(): Promise<RunningTarget> {
  const lab = await startDemoLab({
    seed: 1,
    simulation: false,
    past: false,
    timing: { tick: 400, poll: 300, info: 30_000, reconnect: 2000 },
  });
  const addresses = managerKeys.map((key) => [key, lab.context[`${key}_server_url`]] as const);
  return {
    target: {
      kind: 'demo',
      madsci: '0.8.1',
      context: Object.fromEntries(addresses) as ManagerAddresses,
      nodeNames: {
        quick: advancedNode,
        slow: advancedNode,
        steady: advancedNode,
        careful: advancedNode,
        faulty: advancedNode,
        arm: 'robotarm_1',
      },
      nodeUrls: Object.fromEntries(lab.nodes.map((node) => [node.name, node.url])),
    },
    stop: lab.stop,
  };
}
