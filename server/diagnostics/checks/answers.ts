/** Whether each manager answers now, says that it is well, and how quickly. */
import { healthObject } from '../../health/probe.ts';
import { slowMs } from '../../health/verdict.ts';
import { nothingToDo, opening, withoutLab, type Check, type Finding } from './check.ts';
import type { Exchange } from '../../net/exchange.ts';

const why = 'What a manager does for the lab stands still while it does not answer.';

export interface Answered {
  readonly name: string;
  readonly url: string;
  readonly answer: Exchange;
}

/** What is wrong with an answer; `null` for nothing. */
function fault(answer: Exchange): string | null {
  if (!answer.ok) return answer.reason;
  if (answer.status !== 200) return `HTTP ${answer.status}`;
  const body = healthObject(answer.body);
  if (body === null) return 'answered with something that is not a health object';
  if (body['healthy'] === true) return null;
  return typeof body['description'] === 'string' ? body['description'] : 'reports that it is unhealthy';
}

const tookMs = (answer: Exchange): number => (answer.ok ? Math.max(0, answer.receivedAt - answer.sentAt) : 0);

export function answersVerdict(managers: readonly Answered[]): Finding {
  if (managers.length === 0)
    return { result: 'ok', what: 'The settings have no managers.', why, whatToDo: nothingToDo };
  const bad = managers.flatMap(({ name, url, answer }) => {
    const words = fault(answer);
    return words === null ? [] : [`${name} (${url}): ${words}`];
  });
  const slow = managers.filter(({ answer }) => tookMs(answer) >= slowMs);
  if (bad.length > 0)
    return {
      result: 'problem',
      what: `${bad.join('; ')}.`,
      why,
      whatToDo:
        'Look whether these managers run, whether their addresses in the settings are right, and whether a firewall lies between.',
      fix: opening('open-settings', 'Open settings'),
    };
  if (slow.length > 0)
    return {
      result: 'warning',
      what: `${slow.map(({ name, answer }) => `${name} took ${(tookMs(answer) / 1000).toFixed(1)} s to answer`).join('; ')}.`,
      why,
      whatToDo: 'Look at the load of these machines, and at the managers’ databases.',
    };
  const longest = Math.max(...managers.map(({ answer }) => tookMs(answer)));
  return { result: 'ok', what: `All ${managers.length} answer within ${longest} ms.`, why, whatToDo: nothingToDo };
}

export const answers: Check = {
  id: 'answers',
  title: 'The managers answer',
  async run({ lab, health }) {
    if (lab === null) return withoutLab(why);
    return answersVerdict(
      await Promise.all(
        lab.managers.map(async (manager) => ({ name: manager.name, url: manager.url, answer: await health(manager) })),
      ),
    );
  },
};
