/** Runs the demo lab as a child process of the app or the service: sends the addresses to its parent and ends with it. */
import { startDemoLab } from './lab/lab.ts';

/** Electron's channel to the parent; Node's is `process.send`. */
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
// Ctrl+C can arrive twice: from the terminal and from its parent.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
// Without its parent, no other process would end this one.
process.once('disconnect', stop);
