/** The safety stop: the time from the press at the service to the first command at each node, with failing nodes and managers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readKnownNodes } from '../server/lab/knownNodes.ts';
import { StopLab, withoutLog, type NodeKind } from '../server/fixtures/stopLab.ts';
import { requestJson } from '../server/net/requestJson.ts';
import { SafetyStops } from '../server/safetyStop/safetyStops.ts';
import { median, type Result } from './dashboard/table.ts';

const nodes: Readonly<Record<string, NodeKind>> = {
  stopper: 'stopper',
  withoutStop: 'without-stop',
  refuser: 'refuser',
  unsuccessful: 'unsuccessful',
  slow: 'slow',
  hanging: 'hanging',
  remote: 'remote',
};
const managerStates = ['healthy', 'slow', 'hung', 'dead'] as const;
const presses = 25;
/** The time after each press in which commands are recorded, in ms. */
const recordedMs = 1500;

export async function benchSafetyStop(): Promise<Result[]> {
  const results: Result[] = [];
  for (const state of managerStates) {
    const delays: number[] = [];
    let missed = 0;
    for (let press = 0; press < presses; press += 1) {
      const first = await pressOnce(state);
      // Only the workcell manager reaches a node without an HTTP address.
      const reachable = Object.keys(nodes).filter(
        (name) => name !== 'remote' || state === 'healthy' || state === 'slow',
      );
      for (const name of reachable) {
        const delay = first.get(name);
        if (delay === undefined) missed += 1;
        else delays.push(delay);
      }
    }
    const worst = Math.max(...delays);
    results.push({
      measurement: `safety stop: first command at a node, ${presses} presses, workcell manager ${state}`,
      value: `median ${median(delays).toFixed(0)} ms, worst ${worst.toFixed(0)} ms, missed ${missed}`,
      baseline: null,
      ratio: null,
      goal: 'median ≤ 200 ms, worst ≤ 1 s',
      isMet: median(delays) <= 200 && worst <= 1000 && missed === 0,
    });
  }
  return results;
}

/** Returns the time of the first command at each node, in ms after the press. */
async function pressOnce(state: (typeof managerStates)[number]): Promise<ReadonlyMap<string, number>> {
  const lab = await StopLab.start({ nodes });
  const stops = new SafetyStops(withoutLog(lab.workcell));
  const listed = await requestJson(`${lab.workcell}nodes`, 5000);
  const known = listed.ok ? readKnownNodes(lab.workcell, listed.body) : null;
  if (known === null) throw new Error('The simulated workcell manager lists no nodes');
  stops.setNodes(known);
  lab.workcellState = state;
  const first = new Map<string, number>();
  const pressedAt = performance.now();
  lab.onCommand = ({ node }) => {
    if (!first.has(node)) first.set(node, performance.now() - pressedAt);
  };
  stops.press({ machine: 'bench', user: null, application: 'relay' });
  await sleep(recordedMs);
  lab.stop();
  await stops.stop();
  return first;
}
