/**
 * Sends a user's command once, after checking its premise (`performCommand.ts`), and reports the outcome: the server's
 * own message, or the observed state if the browser can't read the response. The display changes only after the server
 * has accepted.
 */
import { useQueryClient } from '@tanstack/vue-query';
import type { RouteLocationRaw } from 'vue-router';
import type { Api } from '../../../api/client/endpoint.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import { useCommandLog } from './commandLog.ts';
import { mayHaveHappened, resultOfFailure, type CommandResult } from './commandResult.ts';
import { useCommandQuestion } from './commandQuestion.ts';
import { performCommand, type Command, type Reconfirm } from './performCommand.ts';
import { notSentTexts } from './texts.ts';
import { useConnection, type Connection } from '../transport/clients.ts';
import { readAgain } from '../transport/poll/queryKey.ts';
import { useOutcomes } from './outcomes.ts';

export interface CommandRequest<Answer, State> extends Command<Answer, State> {
  /** `Pause “Growth assay”` */
  readonly what: string;
  /** The part that the user typed, for the confirmation: `Set to 60 µl`. */
  readonly sends?: string;
  readonly to?: RouteLocationRaw;
  /**
   * Interprets the response: a command may be rejected with status 200, or have another effect. `now`: the state right
   * before it was sent.
   */
  readonly interpretAnswer: (answer: Answer, now: State | null) => CommandResult | string;
  /** Describes the current state briefly, if no response could be read. */
  readonly afterwards?: () => string;
  /** Called once the server has accepted, or may have: the page polls fast until the change is visible. */
  readonly follow?: () => void;
  /** Whether the stored object is itself the record in the event log. */
  readonly isOwnRecord?: boolean;
  /** Asks for confirmation in its own dialog; `common` shows the common one. */
  readonly reconfirm?: OwnReask;
}

export type OwnReask = (
  finding: Parameters<Reconfirm>[0],
  common: () => Promise<boolean>,
) => boolean | Promise<boolean>;

/** For a form that shows changes next to its fields; submitting again overwrites them. */
export const shownInForm: OwnReask = (finding, common) => (finding.kind === 'changed' ? false : common());

/** Returns the function that sends a command; it resolves with the response, or with `null` if it failed. */
export function useCommand() {
  const outcomes = useOutcomes();
  const question = useCommandQuestion();
  const log = useCommandLog();
  const queries = useQueryClient();
  return async function act<Answer, State>(request: CommandRequest<Answer, State>): Promise<Answer | null> {
    const { what, to, manager, run, interpretAnswer: message, afterwards, follow } = request;
    const judge = (answer: Answer, now: State | null): CommandResult => {
      const text = message(answer, now);
      return typeof text === 'string' ? { state: 'done', text } : text;
    };
    const readAll = () => readAgain(queries, ['manager', manager]);
    let report: ReturnType<typeof outcomes.begin> | null = null;
    try {
      const command = {
        ...request,
        run: (now: State | null) => {
          report = outcomes.begin(what, to);
          return run(now);
        },
      };
      const reconfirm: Reconfirm = (finding) => {
        const common = (): Promise<boolean> => question.confirmFirst(what, finding, request.sends);
        return request.reconfirm === undefined ? common() : request.reconfirm(finding, common);
      };
      const performed = await performCommand(command, reconfirm, (settled) => {
        const result = 'error' in settled ? resultOfFailure(settled.error, '') : judge(settled.answer, settled.now);
        if (request.isOwnRecord !== true || result.state !== 'done') log.recordCommand(request, what, settled, result);
      });
      if (!performed.sent) {
        if (performed.refusal !== null) outcomes.begin(what, to)('notSent', performed.refusal);
        // The displayed state is out of date.
        void readAll();
        return null;
      }
      const { answer, now } = performed;
      const outcome = judge(answer, now);
      (report ?? outcomes.begin(what, to))(outcome.state, outcome.text, outcome.to ?? to);
      void readAll();
      follow?.();
      return outcome.state === 'done' || outcome.state === 'queued' ? answer : null;
    } catch (error) {
      if (mayHaveHappened(error)) {
        await readAll();
        follow?.();
      } else void readAll();
      const outcome = resultOfFailure(error, afterwards?.() ?? '');
      (report ?? outcomes.begin(what, to))(outcome.state, outcome.text);
      return null;
    }
  };
}

/** Commands to one manager, with the clients that are current at the press. */
export function useManagerCommand<A extends Api & { readonly server: ManagerKey }>(api: A) {
  const manager = useConnection(api);
  const act = useCommand();
  return {
    /** @throws Error if the manager no longer has an address */
    connection(): Connection<A> {
      if (manager.value === null) throw new Error(notSentTexts.noManager(api.server));
      return manager.value;
    },
    act: <Answer, State>(request: Omit<CommandRequest<Answer, State>, 'manager'>): Promise<Answer | null> =>
      act({ ...request, manager: api.server }),
  };
}
