/** The demo lab in a utility process of this app. */
import { utilityProcess, type UtilityProcess } from 'electron';
import { demoReady, type RunningDemo } from '../../server/lifecycle/demo.ts';
import { appEndMs } from '../../server/lifecycle/endSignals.ts';
import { describeExit } from './describeExit.ts';

const startTimeoutMs = 20_000;

/**
 * @param entry absolute path of the demo lab's program
 * @param onLost called with the reason if it exits later
 */
export function startDemoProcess(
  entry: string,
  onLost: (reason: string) => void = () => undefined,
): Promise<RunningDemo> {
  return new Promise((resolve, reject) => {
    const child = utilityProcess.fork(entry, [], { serviceName: 'Demo lab', stdio: 'ignore' });
    const timer = setTimeout(() => fail('its managers do not answer'), startTimeoutMs);
    let stopping = false;
    let isReady = false;
    child.once('exit', (code) => {
      if (!isReady) fail(`it ${describeExit(code)}`);
      else setTimeout(() => stopping || onLost(`It ${describeExit(code)}`), appEndMs);
    });
    function fail(reason: string): void {
      clearTimeout(timer);
      child.kill();
      reject(new Error(`The demo lab did not start: ${reason}`));
    }
    child.on('message', (message: unknown) => {
      const ready = demoReady.safeParse(message);
      if (!ready.success) return;
      clearTimeout(timer);
      isReady = true;
      const stop = (): Promise<void> => {
        stopping = true;
        return waitForExit(child);
      };
      resolve({ ...ready.data, stop });
    });
  });
}

function waitForExit(child: UtilityProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}
