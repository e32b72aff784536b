/**
 * Sends a user's command once, after checking its premise (`performCommand.ts`), and reports the outcome: the server's
 * own message, or the observed state if the browser can't read the response. The display changes only after the server
 * has accepted.
 */
import { currentTime } from '../../base/clock.ts';
import { useQueryClient, type QueryClient } from '@tanstack/vue-query';
import type { RouteLocationRaw } from 'vue-router';
import type { Api } from '#api/client/endpoint.ts';
import type { ManagerKey } from '#api/managers.ts';
import { useCommandLog } from './commandLog.ts';
import { mayHaveBeenExecuted, resultFromError, type CommandResult } from './commandResult.ts';
import { useCommandConfirmation } from './commandConfirmation.ts';
import type { Command, Reconfirm } from './performCommand.ts';
import { usePerformCommand } from './usePerformCommand.ts';
import { useConnection, type Connection } from '../transport/clients.ts';
import { receivedTime } from '../transport/poll/poll.ts';
import { invalidateManagerQueries } from '../transport/poll/queryKey.ts';
import { useOutcomes } from './outcomes.ts';

export interface CommandRequest<Body, State> extends Command<Body, State> {
  /** `Pause “Growth assay”` */
  readonly commandText: string;
  /** The part that the user typed, for the confirmation: `Set to 60 µl`. */
  readonly inputText?: string;
  readonly to?: RouteLocationRaw;
  /**
   * Interprets the response: a command may be rejected with status 200, or have another effect.
   * `freshState`: the state right before it was sent.
   */
  readonly interpretResponse: (response: Body, freshState: State | null) => CommandResult | string;
  /** Describes the current state briefly, if no response could be read. */
  readonly describeState?: () => string;
  /** Called once the server has accepted, or may have: the page polls fast until the change is visible. */
  readonly onAccepted?: () => void;
  /** Whether the stored object is itself the record in the event log, as a note is. */
  readonly isOwnRecord?: boolean;
  /** Shows the current state after the command; by default, all visible data of the manager is read again. */
  readonly refresh?: (outcome: 'done' | 'uncertain') => Promise<unknown>;
  /** Requests the confirmation in a dialog of its own; by default in the common dialog. */
  readonly reconfirm?: ReconfirmHandler;
}

export type ReconfirmHandler = (
  finding: Parameters<Reconfirm>[0],
  showCommonDialog: () => Promise<boolean>,
) => boolean | Promise<boolean>;

/** For a form that shows changes next to its fields; submitting again overwrites them. */
export const reconfirmInForm: ReconfirmHandler = (finding, showCommonDialog) =>
  finding.kind === 'changed' ? false : showCommonDialog();

/** Returns the function that sends a command: it resolves with the response, or `null` without a certain success. */
export function useCommand() {
  const outcomes = useOutcomes();
  const confirmation = useCommandConfirmation();
  const log = useCommandLog();
  const performCommand = usePerformCommand();
  const queries = useQueryClient();
  return async function act<Body, State>(request: CommandRequest<Body, State>): Promise<Body | null> {
    const { commandText, to, manager, run, interpretResponse, describeState, onAccepted } = request;
    const toResult = (response: Body, freshState: State | null): CommandResult => {
      const result = interpretResponse(response, freshState);
      return typeof result === 'string' ? { state: 'done', text: result } : result;
    };
    const refresh = request.refresh ?? (() => invalidateManagerQueries(queries, ['manager', manager]));
    let report: ReturnType<typeof outcomes.begin> | null = null;
    try {
      const command = {
        ...request,
        run: (freshState: State | null) => {
          report = outcomes.begin(commandText, to);
          return run(freshState);
        },
      };
      const reconfirm: Reconfirm = (finding) => {
        const showCommonDialog = (): Promise<boolean> =>
          confirmation.requestConfirmation(commandText, finding, request.inputText);
        return request.reconfirm === undefined ? showCommonDialog() : request.reconfirm(finding, showCommonDialog);
      };
      const performed = await performCommand(command, reconfirm, (settled) => {
        const result =
          'error' in settled ? resultFromError(settled.error, '') : toResult(settled.response, settled.freshState);
        if (request.isOwnRecord !== true || result.state !== 'done')
          log.recordCommand(request, commandText, settled, result);
      });
      if (!performed.sent) {
        if (performed.refusal !== null) outcomes.begin(commandText, to)('notSent', performed.refusal);
        // The displayed state is out of date.
        void refresh('uncertain');
        return null;
      }
      const { response, freshState } = performed;
      const outcome = toResult(response, freshState);
      (report ?? outcomes.begin(commandText, to))(outcome.state, outcome.text, outcome.to ?? to);
      void refresh(outcome.state === 'done' ? 'done' : 'uncertain');
      onAccepted?.();
      return outcome.state === 'done' || outcome.state === 'queued' ? response : null;
    } catch (error) {
      // A reading that began before the command can arrive after it.
      const failedAt = currentTime();
      if (mayHaveBeenExecuted(error)) {
        await refresh('uncertain');
        onAccepted?.();
      } else void refresh('uncertain');
      const outcome = resultFromError(error, isReadSince(queries, manager, failedAt) ? (describeState?.() ?? '') : '');
      (report ?? outcomes.begin(commandText, to))(outcome.state, outcome.text);
      return null;
    }
  };
}

/** Whether everything that the page shows of the manager left it after `time`, in ms since the epoch by the service's clock. */
function isReadSince(queries: QueryClient, manager: ManagerKey, time: number): boolean {
  const shown = queries.getQueryCache().findAll({ queryKey: ['manager', manager], type: 'active' });
  return shown.every(({ state }) => (receivedTime(state.dataUpdatedAt, state.data) ?? 0) >= time);
}

/** Returns functions that send commands to one manager, with the clients that are current when the user confirms. */
export function useManagerCommand<A extends Api & { readonly server: ManagerKey }>(api: A) {
  const manager = useConnection(api);
  const act = useCommand();
  return {
    /** @throws Error if the manager no longer has an address */
    connection(): Connection<A> {
      if (manager.value === null) throw new Error(`No ${api.server} manager is configured.`);
      return manager.value;
    },
    act: <Body, State>(request: Omit<CommandRequest<Body, State>, 'manager'>): Promise<Body | null> =>
      act({ ...request, manager: api.server }),
  };
}
