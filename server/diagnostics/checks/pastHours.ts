/** Checks the managers' last 24 hours, as recorded by the running lab manager. */
import type { ManagerHistory } from '#api/lab/lab.ts';
import { slowMs } from '../../health/evaluateHealth.ts';
import { nothingToDo, openFix, withoutLab, type Check, type Finding } from './check.ts';

const explanation =
  'Some faults are intermittent: a network that drops connections, a database that fills up, an overloaded machine.';

/** The requested window. */
export const pastWindowHours = 24;
/** Thresholds of availability, in percent of the watched time. */
const availabilityLimits = { warning: 99.5, problem: 90 } as const;
/** The minimum watched time for a result, in seconds. */
const minSeconds = 300;

type Past = Pick<ManagerHistory, 'name' | 'availability' | 'usual_latency_ms' | 'state' | 'reason'>;

export function pastFinding(managers: readonly Past[]): Finding {
  const measured = managers.filter(({ availability }) => (availability?.counted_seconds ?? 0) >= minSeconds);
  const down = managers.filter(({ state }) => state === 'unreachable' || state === 'unhealthy');
  const lowAvailability = measured.flatMap(({ name, availability }) => {
    const percent = availability?.percent ?? 100;
    return percent < availabilityLimits.warning ? [{ percent, text: `${name} was up ${percent.toFixed(1)} %` }] : [];
  });
  const slow = managers
    .filter(({ usual_latency_ms: ms }) => ms !== null && ms >= slowMs)
    .map(({ name, usual_latency_ms: ms }) => `${name} usually answers in ${((ms ?? 0) / 1000).toFixed(1)} s`);
  const parts = [
    ...down.map(({ name, state, reason }) => `${name} is ${state} now${reason === null ? '' : ` (${reason})`}`),
    ...lowAvailability.map((manager) => manager.text),
    ...slow,
  ];
  if (parts.length > 0)
    return {
      result:
        down.length > 0 || lowAvailability.some(({ percent }) => percent < availabilityLimits.problem)
          ? 'problem'
          : 'warning',
      what: `${parts.join('; ')}.`,
      why: explanation,
      whatToDo:
        'The Lab page lists each incident with its reason. Check that manager’s log, its machine’s load and the network to it.',
      fix: openFix('show-lab-page', 'Show the Lab page'),
    };
  if (measured.length === 0)
    return {
      result: 'unknown',
      what: 'The lab manager has not watched for long enough.',
      why: explanation,
      whatToDo: 'Run the checks again after some minutes.',
    };
  return {
    result: 'ok',
    what: `Every manager was up and fast in the watched part of the last ${pastWindowHours} h.`,
    why: explanation,
    whatToDo: nothingToDo,
  };
}

export const pastHours: Check = {
  id: 'past-hours',
  title: 'Errors and delays of the last hours',
  guide: 'troubleshooting.html#errors-and-delays-of-the-last-hours',
  run({ lab }) {
    if (lab === null) return Promise.resolve(withoutLab(explanation));
    if (lab.service.kind === 'running') return Promise.resolve(pastFinding(lab.service.history.managers));
    return Promise.resolve({
      result: 'unknown',
      what: 'No lab manager of this project runs here, so nothing was watched.',
      why: explanation,
      whatToDo: 'Start the lab manager, and run the checks again after some minutes.',
    });
  },
};
