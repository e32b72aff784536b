/** Describes a failed submission: whether the workflow may have started, and the next action. */
import { errorText } from '#api/errorText.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { NotConfirmedError } from '#dashboard/managers/commands/commandResult.ts';
import { managerErrorText } from '#dashboard/managers/errors/errorText.ts';
import { formatDuration } from '#dashboard/base/time.ts';
import { submitTexts } from './texts.ts';

/**
 * `refused`: not started, needs a fix. `again`: not started, can be sent again. `unclear`: unknown; not sent again before
 * the user has checked.
 */
export interface Failure {
  readonly kind: 'refused' | 'again' | 'unclear';
  readonly text: string;
}

const texts = submitTexts.outcome;

/** Removes the manager's prefix of every reason. */
const stripPrefix = (reason: string) => reason.replace(/^Error starting workflow: /, '').replace(/\.$/, '');

export function describeFailure(error: unknown): Failure {
  if (error instanceof NotConfirmedError) return { kind: 'unclear', text: error.message };
  if (!(error instanceof ManagerError)) return { kind: 'again', text: texts.broken(errorText(error)) };
  const reason = managerErrorText(stripPrefix(error.reason)).text;
  const isStart = error.endpoint === 'startWorkflow';
  if (error.status === 429) {
    const wait =
      error.retryAfterMs === null
        ? ''
        : ` It takes more in ${formatDuration(Math.ceil(error.retryAfterMs / 1000) * 1000)}.`;
    return { kind: 'again', text: `The manager is busy: too many requests.${wait} Nothing was started.` };
  }
  switch (error.kind) {
    case 'http':
      return {
        kind: 'refused',
        text: isStart ? texts.refusedStart(reason) : `The manager refuses this definition: ${reason}.`,
      };
    case 'not-sent':
      return { kind: 'refused', text: texts.broken(reason) };
    case 'unreachable':
      // The start may have arrived before the manager was lost.
      return isStart
        ? {
            kind: 'unclear',
            text: `The definition arrived, then the workcell manager could no longer be reached (${reason}). It may have been started: look in the list of active workflows before sending again.`,
          }
        : { kind: 'again', text: `The workcell manager could not be reached, so nothing was started: ${reason}.` };
    case 'timeout':
    case 'unreadable':
    case 'not-understood':
    case 'aborted':
      return isStart
        ? {
            kind: 'unclear',
            text: `No readable answer to the start (${reason}). It may have been started: look in the list of active workflows before sending again.`,
          }
        : {
            kind: 'again',
            text: `No readable answer to the definition (${reason}). Nothing was started yet: you can submit again.`,
          };
  }
}
