/** The demo lab in a utility process of this app. */
import { utilityProcess, type UtilityProcess } from 'electron';
import { demoReady, type RunningDemo } from '../../server/demo.ts';

const startMs = 20_000;

/** @param entry whole path of the demo lab's program */
export function startDemoProcess(entry: string): Promise<RunningDemo> {
  return new Promise((resolve, reject) => {
    const child = utilityProcess.fork(entry, [], { serviceName: 'Demo lab', stdio: 'ignore' });
    const timer = setTimeout(() => fail('its managers do not answer'), startMs);
    const onExit = (code: number) => fail(`exit code ${code}`);
    function fail(reason: string): void {
      clearTimeout(timer);
      child.kill();
      reject(new Error(`The demo lab did not start: ${reason}`));
    }
    child.once('exit', onExit);
    child.on('message', (message: unknown) => {
      const told = demoReady.safeParse(message);
      if (!told.success) return;
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve({ ...told.data, stop: () => ended(child) });
    });
  });
}

function ended(child: UtilityProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}
