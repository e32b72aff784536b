/** The service in the desktop's utility process: takes the shell's messages, tells status and lab. */
import { errorText } from './log.ts';
import { ServiceHost } from './serviceHost.ts';
import { shellMessage, type ServiceMessage } from './messages.ts';

/** Electron's parent port of a utility process, as far as it is used here. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort };
if (!parentPort) throw new Error('This program is started by the desktop shell; run server/cli.js instead');

const host = new ServiceHost(
  (message: ServiceMessage) => parentPort.postMessage(message),
  () => process.exit(0),
);

// Newer runtimes only warn of these in a utility process; a service in an unknown state must not go on.
process.on('unhandledRejection', (error) => {
  host.log.error(`Unhandled rejection: ${errorText(error)}`, {
    stack: error instanceof Error ? error.stack : undefined,
  });
  process.exit(1);
});

parentPort.on('message', ({ data }) => {
  const message = shellMessage.safeParse(data);
  if (message.success) return void host.take(message.data);
  host.log.error(`A message from the shell is not one: ${message.error.message}`);
});
