/** The suite's target: the real lab. */
import { startRealLab } from './realLab.ts';
import type { RunningTarget } from './globalSetup.ts';

export async function startRealTarget(): Promise<RunningTarget> {
  const python = process.env['LAB_MANAGER_MADSCI_PYTHON'];
  if (python === undefined) throw new Error('There is no Python with MADSci: run it with npm run test:interop');
  const lab = await startRealLab(python);
  return {
    target: {
      kind: 'real',
      context: lab.managers,
      nodeNames: { quick: 'quick', slow: 'slow', careful: 'careful', faulty: 'faulty', arm: 'careful' },
      nodeUrls: lab.nodes,
    },
    stop: lab.stop,
  };
}
