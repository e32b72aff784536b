/**
 * Does what a person asked for, once, and says what came of it: in the server's own words, or, where the browser may not
 * read the answer, what the state shows afterwards. Nothing on screen changes before the server agreed.
 */
import { useQueryClient } from '@tanstack/vue-query';
import type { RouteLocationRaw } from 'vue-router';
import { ManagerError } from '../../../api/client/managerError.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import type { OutcomeState } from '../../../api/states.ts';
import { errorText } from '../errors/errorText.ts';
import { outcomeTexts } from './texts.ts';
import { readAgain } from '../transport/poll/queryKey.ts';
import { useOutcomes } from './outcomes.ts';

export interface CommandResult {
  readonly state: Exclude<OutcomeState, 'running'>;
  readonly words: string;
  readonly to?: RouteLocationRaw;
}

export interface CommandRequest<Answer> {
  /** `Pause “Growth assay”` */
  readonly what: string;
  readonly to?: RouteLocationRaw;
  /** Whose state is read again afterwards. */
  readonly manager: ManagerKey;
  readonly run: () => Promise<Answer>;
  /** What the answer means; a command may be refused with status 200. Without it every answer is good. */
  readonly said?: (answer: Answer) => CommandResult | string;
  /** What the state says now, in a few words, where no answer could be read. */
  readonly afterwards?: () => string;
  /** Called once the server has agreed, or may have: the page reads fast until it sees the change. */
  readonly follow?: () => void;
}

/** Whether an action with this error may have been done all the same. */
export function mayHaveHappened({ kind }: ManagerError): boolean {
  return kind === 'unreadable' || kind === 'timeout' || kind === 'not-understood';
}

/** What is said of a failed action; `afterwards` is what the state shows now. */
export function resultOf(error: unknown, afterwards: string): CommandResult {
  if (!(error instanceof ManagerError))
    return { state: 'failed', words: error instanceof Error ? error.message : String(error) };
  if (mayHaveHappened(error)) return { state: 'unclear', words: outcomeTexts.unreadable(error.reason, afterwards) };
  const { text } = errorText(error.reason);
  return { state: 'failed', words: `${error.message.replace(error.reason, () => text).replace(/\.$/, '')}.` };
}

/** The function that does it; it resolves with the answer, or with `null` when there was no good one. */
export function useCommand() {
  const outcomes = useOutcomes();
  const queries = useQueryClient();
  return async function act<Answer>({
    what,
    to,
    manager,
    run,
    said,
    afterwards,
    follow,
  }: CommandRequest<Answer>): Promise<Answer | null> {
    const report = outcomes.begin(what, to);
    const readAll = () => readAgain(queries, ['manager', manager]);
    try {
      const answer = await run();
      const words = said?.(answer) ?? outcomeTexts.done;
      const outcome: CommandResult = typeof words === 'string' ? { state: 'done', words } : words;
      report(outcome.state, outcome.words, outcome.to ?? to);
      void readAll();
      follow?.();
      return outcome.state === 'done' || outcome.state === 'queued' ? answer : null;
    } catch (error) {
      if (error instanceof ManagerError && mayHaveHappened(error)) {
        await readAll();
        follow?.();
      } else void readAll();
      const outcome = resultOf(error, afterwards?.() ?? '');
      report(outcome.state, outcome.words);
      return null;
    }
  };
}
