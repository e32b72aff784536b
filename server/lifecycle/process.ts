/**
 * The service in the desktop's utility process: receives the shell's messages, sends status and lab state, ends with its
 * shell.
 */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { endSignals } from './endSignals.ts';
import { handleUncaughtErrors } from './uncaughtErrors.ts';
import { ServiceHost } from './serviceHost.ts';
import { exitDespiteStorage } from '../storage/storageTimeout.ts';
import { shellMessage, type ServiceMessage } from './messages.ts';

/** The used part of Electron's parentPid port of a utility process. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort };
if (!parentPort) throw new Error('This program is started by the desktop shell; run dist/server/main.js instead');

/** Interval of the checks whether the shell runs, in milliseconds. */
const parentCheckIntervalMs = 2000;
/** The shell sends a ping every 2 s; after this time without one, in milliseconds, it counts as unresponsive. */
const unresponsiveAfterMs = 15_000;
const parentPid = process.ppid;

/** The signal that ends this process. */
let endSignal: (typeof endSignals)[number] | null = null;

const host = new ServiceHost(send, end);

/** A message that cannot be sent is dropped without ending the service. */
function send(message: ServiceMessage): void {
  try {
    parentPort?.postMessage(message);
  } catch (error) {
    host.log.error(`A message (${message.type}) could not be sent to the app: ${errorText(error)}`);
  }
}

// A killed shell cannot end its service, which would keep the port. A shell that only hangs is no reason to stop: other
// machines use the service.
let lastMessageAt = clock.monotonic();
let warnedUnresponsive = false;
clock.setInterval(() => {
  const isUnresponsive = clock.monotonic() - lastMessageAt > unresponsiveAfterMs;
  if (isUnresponsive && !warnedUnresponsive)
    host.log.warn('The app has not responded for 15 s; the service keeps running without it');
  warnedUnresponsive = isUnresponsive;
  if (process.ppid === parentPid) return;
  host.log.warn('The app has ended: stopping');
  void host.stop().finally(end);
}, parentCheckIntervalMs);

// A logout and Ctrl+C reach every process of the app, this one before or after the shell.
for (const signal of endSignals) {
  process.on(signal, () => {
    host.log.info(`Stopping: ${signal}`);
    endSignal = signal;
    void host.stop().finally(end);
  });
}

/**
 * Ends with the received signal, if any: `process.exit` returns in a utility process
 * (https://github.com/electron/electron/issues/44174), and a message from the app meanwhile aborts the process.
 */
function end(): void {
  if (endSignal === null) return exitDespiteStorage(0);
  process.removeAllListeners(endSignal);
  process.kill(process.pid, endSignal);
}

handleUncaughtErrors(host.log, (code) => process.exit(code));

parentPort.on('message', ({ data }) => {
  lastMessageAt = clock.monotonic();
  const message = shellMessage.safeParse(data);
  if (message.success) return void host.handle(message.data);
  host.log.error(`Invalid message from the shell: ${message.error.message}`);
});
