/** Checks of the managers' responses: health and latency, versions, and clock differences. */
import { healthObject } from '../../health/probe.ts';
import { slowMs } from '../../health/evaluateHealth.ts';
import { finding, openSettings, ofLab, type Check, type Finding, type ManagerAddress } from './check.ts';
import type { Exchange } from '../../net/exchange.ts';
import { compareVersions, type VersionStatus } from '#api/compareVersions.ts';
import { cleanText } from '../../logging/text.ts';
import { clockOffset, type ClockOffset } from '../../health/clockOffset.ts';

interface ManagerResult extends Pick<ManagerAddress, 'name' | 'url'> {
  readonly response: Exchange;
}

const ofResponses = (createFinding: (managers: readonly ManagerResult[]) => Finding) =>
  ofLab(async (lab, { health }) =>
    createFinding(
      await Promise.all(lab.managers.map(async (manager) => ({ ...manager, response: await health(manager) }))),
    ),
  );

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
  if (managers.length === 0) return finding('ok', 'The settings have no managers.');
  const faults = managers.flatMap(({ name, url, response }) => {
    const text = describeFault(response);
    return text === null ? [] : [`${name} (${url}): ${text}`];
  });
  const slow = managers.filter(({ response }) => elapsedMs(response) >= slowMs);
  if (faults.length > 0)
    return finding(
      'problem',
      `${faults.join('; ')}.`,
      'Check whether these managers run, whether their addresses in the settings are correct, and whether a firewall blocks them.',
      openSettings,
    );
  if (slow.length > 0)
    return finding(
      'warning',
      `${slow.map(({ name, response }) => `${name} took ${(elapsedMs(response) / 1000).toFixed(1)} s to answer`).join('; ')}.`,
      'Check the load of these machines, and the managers’ databases.',
    );
  const longest = Math.max(...managers.map(({ response }) => elapsedMs(response)));
  return finding('ok', `All ${managers.length} answer within ${longest} ms.`);
}

export const responses: Check = {
  id: 'answers',
  title: 'The managers answer',
  guide: 'troubleshooting.html#the-managers-answer',
  why: 'While a manager does not respond, its part of the lab is unavailable.',
  run: ofResponses(responsesFinding),
};

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
    return finding('unknown', 'No manager reported its version.', 'Start the managers, then run the checks again.');
  if (has('other', 'different'))
    return finding('warning', `The versions differ: ${what}`, 'Bring all managers to the same version of MADSci.');
  if (has('newer', 'older'))
    return finding(
      'warning',
      `Not a tested version: ${what}`,
      has('older')
        ? 'Bring the managers to a newer version of MADSci.'
        : 'Install a newer version of Lab Manager, or do nothing if everything works.',
    );
  return finding('ok', what);
}

export const versions: Check = {
  id: 'versions',
  title: 'Versions of the managers',
  guide: 'troubleshooting.html#versions-of-the-managers',
  why: 'Managers of different versions may be incompatible, and a version newer than the tested ones may respond in an unexpected format.',
  run: ofResponses((managers) =>
    versionsFinding(managers.map(({ name, response }) => ({ name, version: readVersion(response) }))),
  ),
};

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
    return finding(
      'unknown',
      'No manager answered with the time of its clock.',
      'Start the managers, then run the checks again.',
    );
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
    return finding(
      'ok',
      `The managers’ clocks agree with this machine’s within ${clockLimits.warning} s (measured to ± ${precision.toFixed(1)} s).${rest}`,
    );
  }
  return finding(
    deviating.some(({ minOffset }) => minOffset > clockLimits.problem) ? 'problem' : 'warning',
    `${deviating.map(({ text }) => text.replace(/^t/, 'T')).join('. ')}.${rest}`,
    'Set both machines’ clocks from the same time server (NTP): on Linux, timedatectl set-ntp true.',
  );
}

export const clocks: Check = {
  id: 'clocks',
  title: 'Clocks',
  guide: 'troubleshooting.html#clocks',
  why: 'Times of workflows, events and datapoints come from the managers’ machines: clocks that differ put them in the wrong order.',
  run: ofResponses((managers) =>
    clocksFinding(
      managers.map(({ name, response }) => ({
        name,
        offset: response.ok ? clockOffset(response.headers.date, response) : null,
      })),
    ),
  ),
};
