/**
 * What nobody caught: it is logged, the request it belongs to is answered, and the process ends only when its state may
 * be broken. Whoever started it starts it again then.
 */
import { errorCode, errorText } from '../../api/errorText.ts';
import { sendFailure } from '../http/errors.ts';
import { currentResponse } from '../http/requests.ts';
import type { Log } from '../logging/log.ts';
import { exitCodes } from '../status.ts';

/** Errors survived within the window before one more is a sign that something is broken for good. */
const maxSurvived = 20;
const windowMs = 60_000;

/** An error that nobody caught, and where. */
export interface Stray {
  readonly error: unknown;
  /** It came out of a request, which shares no half-changed state with others. */
  readonly inRequest: boolean;
  /** How many were survived within the last minute. */
  readonly survived: number;
}

/**
 * Whether the process can go on. An error of a request ends that request; one of the system (a socket that closed, a file
 * that can't be read) says nothing about our state. Anything else may have left something half done.
 */
export function canContinue({ error, inRequest, survived }: Stray): boolean {
  return survived < maxSurvived && (inRequest || isSystemError(error));
}

/** An error that the operating system or Node's streams report, as against one of our own code. */
function isSystemError(error: unknown): boolean {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === null) return false;
  return 'syscall' in error || /^ERR_(STREAM|HTTP|SOCKET|SSL|TLS)_|^HPE_|^ECONN|^EPIPE$/.test(code);
}

/**
 * Takes care of uncaught exceptions and unhandled rejections of this process.
 * @param exit ends the process, for this reason; called at most once
 * @returns what undoes it
 */
export function installLastResort(log: Log, exit: (code: number, reason: string) => void): () => void {
  let times: number[] = [];
  let ended = false;
  const onFault = (kind: string) => (error: unknown) => {
    const now = performance.now();
    times = times.filter((time) => now - time < windowMs);
    const response = currentResponse();
    const continues = canContinue({ error, inRequest: response !== null, survived: times.length });
    times.push(now);
    const stack = error instanceof Error ? error.stack : undefined;
    log.error(`${kind}: ${errorText(error)}${continues ? '' : '; the service ends, because its state may be broken'}`, {
      ...(stack === undefined ? {} : { stack }),
      ...(response === null ? {} : { request: `${response.req.method} ${response.req.path}` }),
    });
    if (response !== null) sendFailure(response, error);
    if (continues || ended) return;
    ended = true;
    exit(exitCodes.failure, `${kind}: ${errorText(error)}`);
  };
  const onException = onFault('Uncaught exception');
  const onRejection = onFault('Unhandled rejection');
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}
