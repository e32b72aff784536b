/** The demo lab as a process of the app or of the service: it tells its parent the addresses and ends with it. */
import { startDemoLab } from './lab/lab.ts';

/** Electron's way to the parent; Node's own is `process.send`. */
interface ParentPort {
  postMessage(message: unknown): void;
}

const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort };

const lab = await startDemoLab();
const ready = { type: 'demo-ready', addresses: lab.context, control: lab.controlUrl };
if (parentPort === undefined) process.send?.(ready);
else parentPort.postMessage(ready);

let stopping: Promise<void> | undefined;
function stop(): void {
  stopping ??= lab.stop().then(() => process.exit(0));
}
// Ctrl+C can reach it twice: from the terminal and from its parent.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
// The parent is gone: nobody would end this process.
process.once('disconnect', stop);
