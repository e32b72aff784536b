/**
 * Handles uncaught errors: logs them, responds to the affected request, and ends the process only if its state may be
 * inconsistent. Then the app, or the service manager of the system, restarts it.
 */
import { clock } from '../../api/time/clock.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { sendFailure } from '../http/errors.ts';
import { getCurrentResponse } from '../http/requests.ts';
import type { Log } from '../logging/log.ts';
import { exitCodes } from '../status.ts';

/** The maximum number of survived errors within the window; more indicate a permanent problem. */
const maxSurvived = 20;
const windowMs = 60_000;

/** An uncaught error with its context. */
export interface UncaughtError {
  readonly error: unknown;
  /** Whether it occurred in a request, which shares no inconsistent state with others. */
  readonly inRequest: boolean;
  /** The number of errors survived within the last minute. */
  readonly survivedErrors: number;
}

/**
 * Whether the process can continue. An error of a request ends only that request; a system error (a closed socket, an
 * unreadable file) does not affect our state. Any other may have left inconsistent state.
 */
export function canContinue({ error, inRequest, survivedErrors }: UncaughtError): boolean {
  return survivedErrors < maxSurvived && (inRequest || isSystemError(error));
}

/** Whether the operating system or Node's streams reported the error, as opposed to our own code. */
function isSystemError(error: unknown): boolean {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === null) return false;
  return 'syscall' in error || /^ERR_(STREAM|HTTP|SOCKET|SSL|TLS)_|^HPE_|^ECONN|^EPIPE$/.test(code);
}

/**
 * Handles uncaught exceptions and unhandled rejections of this process.
 * @param exit ends the process for the reason given; called at most once
 * @returns a function that removes the handlers
 */
export function handleUncaughtErrors(log: Log, exit: (code: number, reason: string) => void): () => void {
  let times: number[] = [];
  let hasEnded = false;
  const handleAs = (kind: string) => (error: unknown) => {
    // The errors of a process that ends have one cause, and handling them must not delay the end.
    if (hasEnded) return;
    const now = clock.monotonic();
    times = times.filter((time) => now - time < windowMs);
    const response = getCurrentResponse();
    const continues = canContinue({ error, inRequest: response !== null, survivedErrors: times.length });
    times.push(now);
    const stack = error instanceof Error ? error.stack : undefined;
    log.error(`${kind}: ${errorText(error)}${continues ? '' : '; the service ends, because its state may be broken'}`, {
      ...(stack === undefined ? {} : { stack }),
      ...(response === null ? {} : { request: `${response.req.method} ${response.req.path}` }),
    });
    if (response !== null) sendFailure(response, error);
    if (continues) return;
    hasEnded = true;
    exit(exitCodes.failure, `${kind}: ${errorText(error)}`);
  };
  const onException = handleAs('Uncaught exception');
  const onRejection = handleAs('Unhandled rejection');
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}
