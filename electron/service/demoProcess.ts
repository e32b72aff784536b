/** The demo lab in a utility process of this app. */
import { utilityProcess, type UtilityProcess } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { demoStarted, type RunningDemo } from '../../server/lifecycle/demo.ts';
import { appExitGraceMs } from '../../server/lifecycle/endSignals.ts';
import { describeExit } from './describeExit.ts';

/**
 * @param entry absolute path of the demo lab's program
 * @param onLost called with the reason if it exits later
 */
export async function startDemoProcess(
  entry: string,
  onLost: (reason: string) => void = () => undefined,
): Promise<RunningDemo> {
  const child = utilityProcess.fork(entry, [], { serviceName: 'Demo lab', stdio: 'ignore' });
  const exit = new Promise<string>((resolve) => child.once('exit', (code) => resolve(describeExit(code))));
  const started = await demoStarted(
    child,
    exit.then((text) => `it ${text}`),
  );
  let isStopping = false;
  void exit.then((text) => clock.setTimeout(() => isStopping || onLost(`It ${text}`), appExitGraceMs));
  const stop = (): Promise<void> => {
    isStopping = true;
    return waitForExit(child);
  };
  return { ...started, stop };
}

function waitForExit(child: UtilityProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}
