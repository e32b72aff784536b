/** The clock of each manager's machine against this one's, by the `Date` of its answer. */
import { nothingToDo, withoutLab, type Check, type Finding } from './check.ts';
import { clockOffset, type ClockOffset } from '../../health/clockOffset.ts';
import type { Exchange } from '../../net/exchange.ts';

const why =
  'Times of workflows, events and datapoints come from the managers’ machines: clocks that differ put them in the wrong order.';

/** A difference that is told, and one that is a problem, in seconds. */
const clockLimits = { warning: 5, problem: 60 } as const;

/** `3 min 20 s` */
function lengthWords(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole >= 7200) return `${Math.round(whole / 3600)} h`;
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function clocksVerdict(
  clocks: readonly { readonly name: string; readonly offset: ClockOffset | null }[],
): Finding {
  const known = clocks.flatMap(({ name, offset }) => (offset === null ? [] : [{ name, offset }]));
  if (known.length === 0)
    return {
      result: 'unknown',
      what: 'No manager answered with the time of its clock.',
      why,
      whatToDo: 'Start the managers, then run the checks again.',
    };
  const silent = clocks.filter(({ offset }) => offset === null).map(({ name }) => name);
  const rest = silent.length === 0 ? '' : ` Not known: ${silent.join(', ')}.`;
  // Only what is sure counts.
  const wrong = known.flatMap(({ name, offset: { seconds, precision } }) => {
    const least = Math.abs(seconds) - precision;
    const words = `the ${name}’s clock is ${lengthWords(Math.abs(seconds))} ${seconds > 0 ? 'ahead of' : 'behind'} this machine’s (± ${precision.toFixed(1)} s)`;
    return least > clockLimits.warning ? [{ least, words }] : [];
  });
  if (wrong.length === 0) {
    const precision = Math.max(...known.map(({ offset }) => offset.precision));
    return {
      result: 'ok',
      what: `The managers’ clocks agree with this machine’s within ${clockLimits.warning} s (measured to ± ${precision.toFixed(1)} s).${rest}`,
      why,
      whatToDo: nothingToDo,
    };
  }
  return {
    result: wrong.some(({ least }) => least > clockLimits.problem) ? 'problem' : 'warning',
    what: `${wrong.map(({ words }) => words.replace(/^t/, 'T')).join('. ')}.${rest}`,
    why,
    whatToDo: 'Let both machines set their clocks by the same time server (NTP): on Linux, timedatectl set-ntp true.',
  };
}

const offsetOf = (answer: Exchange): ClockOffset | null =>
  answer.ok ? clockOffset(answer.headers.date, answer) : null;

export const clocks: Check = {
  id: 'clocks',
  title: 'Clocks',
  async run({ lab, health }) {
    if (lab === null) return withoutLab(why);
    return clocksVerdict(
      await Promise.all(
        lab.managers.map(async (manager) => ({ name: manager.name, offset: offsetOf(await health(manager)) })),
      ),
    );
  },
};
