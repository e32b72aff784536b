/** Checks of the managers' responses: health and latency, versions, and clock differences. */
import { healthObject } from '../../health/probe.ts';
import { slowMs } from '../../health/evaluateHealth.ts';
import { nothingToDo, openFix, withoutLab, type Check, type Finding } from './check.ts';
import type { Exchange } from '../../net/exchange.ts';
import { compareVersions, type VersionStatus } from '#api/compareVersions.ts';
import { cleanText } from '../../logging/text.ts';
import { clockOffset, type ClockOffset } from '../../health/clockOffset.ts';

const responsesExplanation = 'While a manager does not respond, its part of the lab is unavailable.';

interface ManagerResult {
  readonly name: string;
  readonly url: string;
  readonly response: Exchange;
}

/** What is wrong with a response; `null` if nothing is. */
function describeFault(response: Exchange): string | null {
  if (!response.ok) return response.reason;
  if (response.status !== 200) return `HTTP ${response.status}`;
  const body = healthObject(response.body);
  if (body === null) return 'answered with something that is not a health object';
  if (body['healthy'] === true) return null;
  return typeof body['description'] === 'string' ? body['description'] : 'reports that it is unhealthy';
}

const elapsedMs = (response: Exchange): number =>
  response.ok ? Math.max(0, response.receivedAt - response.sentAt) : 0;

export function responsesFinding(managers: readonly ManagerResult[]): Finding {
  if (managers.length === 0)
    return { result: 'ok', what: 'The settings have no managers.', why: responsesExplanation, whatToDo: nothingToDo };
  const faults = managers.flatMap(({ name, url, response }) => {
    const text = describeFault(response);
    return text === null ? [] : [`${name} (${url}): ${text}`];
  });
  const slow = managers.filter(({ response }) => elapsedMs(response) >= slowMs);
  if (faults.length > 0)
    return {
      result: 'problem',
      what: `${faults.join('; ')}.`,
      why: responsesExplanation,
      whatToDo:
        'Check whether these managers run, whether their addresses in the settings are correct, and whether a firewall blocks them.',
      fix: openFix('open-settings', 'Open settings'),
    };
  if (slow.length > 0)
    return {
      result: 'warning',
      what: `${slow.map(({ name, response }) => `${name} took ${(elapsedMs(response) / 1000).toFixed(1)} s to answer`).join('; ')}.`,
      why: responsesExplanation,
      whatToDo: 'Check the load of these machines, and the managers’ databases.',
    };
  const longest = Math.max(...managers.map(({ response }) => elapsedMs(response)));
  return {
    result: 'ok',
    what: `All ${managers.length} answer within ${longest} ms.`,
    why: responsesExplanation,
    whatToDo: nothingToDo,
  };
}

export const responses: Check = {
  id: 'answers',
  title: 'The managers answer',
  guide: 'troubleshooting.html#the-managers-answer',
  async run({ lab, health }) {
    if (lab === null) return withoutLab(responsesExplanation);
    return responsesFinding(
      await Promise.all(
        lab.managers.map(async (manager) => ({
          name: manager.name,
          url: manager.url,
          response: await health(manager),
        })),
      ),
    );
  },
};

const versionsExplanation =
  'Managers of different versions may be incompatible, and a version newer than the tested ones may respond in an unexpected format.';

const maxVersionLength = 60;

/** `null` if the manager did not respond or reports no version. */
export function readVersion(response: Exchange): string | null {
  const version = response.ok ? healthObject(response.body)?.['version'] : null;
  return typeof version === 'string' && version !== '' ? cleanText(version, maxVersionLength) : null;
}

export function versionsFinding(
  managers: readonly { readonly name: string; readonly version: string | null }[],
): Finding {
  const { statuses } = compareVersions(managers.map(({ version }) => version));
  const has = (...expected: readonly VersionStatus[]) => statuses.some((status) => expected.includes(status));
  const what = `${managers.map(({ name, version }) => `${name} ${version ?? 'unknown'}`).join(', ')}.`;
  if (statuses.every((status) => status === 'none'))
    return {
      result: 'unknown',
      what: 'No manager reported its version.',
      why: versionsExplanation,
      whatToDo: 'Start the managers, then run the checks again.',
    };
  if (has('other', 'different'))
    return {
      result: 'warning',
      what: `The versions differ: ${what}`,
      why: versionsExplanation,
      whatToDo: 'Bring all managers to the same version of MADSci.',
    };
  if (has('newer', 'older'))
    return {
      result: 'warning',
      what: `Not a tested version: ${what}`,
      why: versionsExplanation,
      whatToDo: has('older')
        ? 'Bring the managers to a newer version of MADSci.'
        : 'Install a newer version of Lab Manager, or do nothing if everything works.',
    };
  return { result: 'ok', what, why: versionsExplanation, whatToDo: nothingToDo };
}

export const versions: Check = {
  id: 'versions',
  title: 'Versions of the managers',
  guide: 'troubleshooting.html#versions-of-the-managers',
  async run({ lab, health }) {
    if (lab === null) return withoutLab(versionsExplanation);
    return versionsFinding(
      await Promise.all(
        lab.managers.map(async (manager) => ({ name: manager.name, version: readVersion(await health(manager)) })),
      ),
    );
  },
};

const clocksExplanation =
  'Times of workflows, events and datapoints come from the managers’ machines: clocks that differ put them in the wrong order.';

/** Clock differences that are a warning and a problem, in seconds. */
const clockLimits = { warning: 5, problem: 60 } as const;

/** `3 min 20 s` */
function durationText(seconds: number): string {
  const rounded = Math.round(seconds);
  if (rounded >= 7200) return `${Math.round(rounded / 3600)} h`;
  return rounded < 120 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}

export function clocksFinding(
  clocks: readonly { readonly name: string; readonly offset: ClockOffset | null }[],
): Finding {
  const measured = clocks.flatMap(({ name, offset }) => (offset === null ? [] : [{ name, offset }]));
  if (measured.length === 0)
    return {
      result: 'unknown',
      what: 'No manager answered with the time of its clock.',
      why: clocksExplanation,
      whatToDo: 'Start the managers, then run the checks again.',
    };
  const unknownClocks = clocks.filter(({ offset }) => offset === null).map(({ name }) => name);
  const rest = unknownClocks.length === 0 ? '' : ` Not known: ${unknownClocks.join(', ')}.`;
  // Differences within the precision of the measurement don't count.
  const deviating = measured.flatMap(({ name, offset: { seconds, precision } }) => {
    const minOffset = Math.abs(seconds) - precision;
    const text = `the ${name}’s clock is ${durationText(Math.abs(seconds))} ${seconds > 0 ? 'ahead of' : 'behind'} this machine’s (± ${precision.toFixed(1)} s)`;
    return minOffset > clockLimits.warning ? [{ minOffset, text }] : [];
  });
  if (deviating.length === 0) {
    const precision = Math.max(...measured.map(({ offset }) => offset.precision));
    return {
      result: 'ok',
      what: `The managers’ clocks agree with this machine’s within ${clockLimits.warning} s (measured to ± ${precision.toFixed(1)} s).${rest}`,
      why: clocksExplanation,
      whatToDo: nothingToDo,
    };
  }
  return {
    result: deviating.some(({ minOffset }) => minOffset > clockLimits.problem) ? 'problem' : 'warning',
    what: `${deviating.map(({ text }) => text.replace(/^t/, 'T')).join('. ')}.${rest}`,
    why: clocksExplanation,
    whatToDo: 'Set both machines’ clocks from the same time server (NTP): on Linux, timedatectl set-ntp true.',
  };
}

const measureOffset = (response: Exchange): ClockOffset | null =>
  response.ok ? clockOffset(response.headers.date, response) : null;

export const clocks: Check = {
  id: 'clocks',
  title: 'Clocks',
  guide: 'troubleshooting.html#clocks',
  async run({ lab, health }) {
    if (lab === null) return withoutLab(clocksExplanation);
    return clocksFinding(
      await Promise.all(
        lab.managers.map(async (manager) => ({ name: manager.name, offset: measureOffset(await health(manager)) })),
      ),
    );
  },
};
