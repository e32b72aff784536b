/**
 * Sends a command of a person, once, after its premise has been checked (`performCommand.ts`), and reports the outcome: in
 * the server's own words, or, where the browser may not read the answer, by the state afterwards. Nothing on screen changes
 * before the server agreed.
 */
import { useQueryClient } from '@tanstack/vue-query';
import type { RouteLocationRaw } from 'vue-router';
import type { Api } from '../../../api/client/endpoint.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import { useCommandLog } from './commandLog.ts';
import { mayHaveHappened, resultOfFailure, type CommandResult } from './commandResult.ts';
import { useCommandQuestion } from './commandQuestion.ts';
import { performCommand, type Command, type Reask } from './performCommand.ts';
import { notSentTexts } from './texts.ts';
import { useConnection, type Connection } from '../transport/clients.ts';
import { readAgain } from '../transport/poll/queryKey.ts';
import { useOutcomes } from './outcomes.ts';

export interface CommandRequest<Answer, State> extends Command<Answer, State> {
  /** `Pause “Growth assay”` */
  readonly what: string;
  /** What of it the person typed, for the question that is put again: `Set to 60 µl`. */
  readonly sends?: string;
  readonly to?: RouteLocationRaw;
  /**
   * What the answer means: a command may be refused with status 200, or do something else. `now`: the state right before
   * it was sent.
   */
  readonly interpretAnswer: (answer: Answer, now: State | null) => CommandResult | string;
  /** What the state says now, in a few words, where no answer could be read. */
  readonly afterwards?: () => string;
  /** Called once the server has agreed, or may have: the page reads fast until it sees the change. */
  readonly follow?: () => void;
  /** Once it is stored, what it stores is its record in the event log. */
  readonly isOwnRecord?: boolean;
  /** Asks in a dialog of its own; `common` puts the common question. */
  readonly reask?: OwnReask;
}

export type OwnReask = (finding: Parameters<Reask>[0], common: () => Promise<boolean>) => boolean | Promise<boolean>;

/** Of a form that shows beside its fields what has changed; sending it once more overwrites that. */
export const shownInForm: OwnReask = (finding, common) => (finding.is === 'changed' ? false : common());

/** The function that does it; it resolves with the answer, or with `null` when there was no good one. */
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
      const reask: Reask = (finding) => {
        const common = (): Promise<boolean> => question.confirmFirst(what, finding, request.sends);
        return request.reask === undefined ? common() : request.reask(finding, common);
      };
      const performed = await performCommand(command, reask, (settled) => {
        const result = 'error' in settled ? resultOfFailure(settled.error, '') : judge(settled.answer, settled.now);
        if (request.isOwnRecord !== true || result.state !== 'done') log.recordCommand(request, what, settled, result);
      });
      if (!performed.sent) {
        if (performed.refusal !== null) outcomes.begin(what, to)('failed', notSentTexts.refused(performed.refusal));
        // What was shown is out of date.
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

/** The commands to one manager, with its clients as they are at the press. */
export function useManagerCommand<A extends Api & { readonly server: ManagerKey }>(api: A) {
  const manager = useConnection(api);
  const act = useCommand();
  return {
    /** @throws Error where the manager has no address any more */
    connection(): Connection<A> {
      if (manager.value === null) throw new Error(notSentTexts.noManager(api.server));
      return manager.value;
    },
    act: <Answer, State>(request: Omit<CommandRequest<Answer, State>, 'manager'>): Promise<Answer | null> =>
      act({ ...request, manager: api.server }),
  };
}
