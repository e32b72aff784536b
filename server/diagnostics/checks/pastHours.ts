/** Checks the managers' last 24 hours, as recorded by the running lab manager. */
import type { ManagerHistory } from '#api/lab/lab.ts';
import { slowMs } from '../../health/evaluateHealth.ts';
import { finding, ofLab, type Check, type Finding } from './check.ts';

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
    return finding(
      down.length > 0 || lowAvailability.some(({ percent }) => percent < availabilityLimits.problem)
        ? 'problem'
        : 'warning',
      `${parts.join('; ')}.`,
      'The Lab page lists each incident with its reason. Check that manager’s log, its machine’s load and the network to it.',
      { id: 'show-lab-page', label: 'Show the Lab page', command: null },
    );
  if (measured.length === 0)
    return finding(
      'unknown',
      'The lab manager has not watched for long enough.',
      'Run the checks again after some minutes.',
    );
  return finding('ok', `Every manager was up and fast in the watched part of the last ${pastWindowHours} h.`);
}

export const pastHours: Check = {
  id: 'past-hours',
  title: 'Errors and delays of the last hours',
  guide: 'troubleshooting.html#errors-and-delays-of-the-last-hours',
  why: 'Some faults are intermittent: a network that drops connections, a database that fills up, an overloaded machine.',
  run: ofLab((lab) => {
    if (lab.service.kind === 'running') return pastFinding(lab.service.history.managers);
    return finding(
      'unknown',
      'No lab manager of this project runs here, so nothing was watched.',
      'Start the lab manager, and run the checks again after some minutes.',
    );
  }),
};
