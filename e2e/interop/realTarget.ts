/** The suite's target: the real lab. */
import { startRealLab } from './realLab.ts';
import type { RunningTarget } from './target.ts';

export async function startRealTarget(): Promise<RunningTarget> {
  const python = process.env['LAB_MANAGER_MADSCI_PYTHON'];
  if (python === undefined) throw new Error('There is no Python with MADSci: run it with npm run test:interop');
  const olderPython = process.env['LAB_MANAGER_MADSCI_07_PYTHON'];
  const lab = await startRealLab(python, { olderPython });
  return {
    target: {
      kind: 'real',
      madsci: olderPython === undefined ? '0.8.1' : '0.7.1',
      context: lab.managers,
      nodeNames: {
        quick: 'quick',
        slow: 'slow',
        steady: 'steady',
        careful: 'careful',
        faulty: 'faulty',
        arm: 'careful',
      },
      nodeUrls: lab.nodes,
    },
    stop: lab.stop,
  };
}
