/**
 * Standard output and standard error whose reader ends before this process (`| head -1`, a closed terminal): without a
 * listener, each later line is an uncaught error, and its log line the next one.
 */
import { errorText } from '../../api/errorText.ts';

let report = (_text: string): void => undefined;
let isWatched = false;

/** Discards what can no longer be written. @param onLost called at the first failed write to each stream, with its reason */
export function ignoreClosedStreams(onLost = report): void {
  report = onLost;
  if (isWatched) return;
  isWatched = true;
  for (const [name, stream] of [
    ['Standard output', process.stdout],
    ['Standard error', process.stderr],
  ] as const) {
    let isLost = false;
    stream.on('error', (error) => {
      if (isLost) return;
      isLost = true;
      report(`${name} is closed; later lines are only in the log file (${errorText(error)})`);
    });
  }
}
