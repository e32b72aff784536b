/** `--doctor`: prints the checks in order, for people and, with `--json`, for programs. */
import { describeResultCounts, type CheckReport, type CheckResult } from '../../api/diagnostics.ts';
import { nothingToDo, type PortOccupant } from './checks/check.ts';

const resultLabels: Readonly<Record<CheckResult, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  problem: 'PROBLEM',
  unknown: 'unknown',
};

/** Describes the program on the port in a sentence. */
export function serviceText(service: PortOccupant | null): string {
  if (service === null) return 'The running service is unknown: the settings have errors.';
  switch (service.kind) {
    case 'running':
      return `A lab manager (version ${service.history.service.version}) runs at ${service.url}.`;
    case 'other':
      return `No lab manager of ours runs at ${service.url}: the port is used by ${service.program}.`;
    case 'none':
      return service.follow === null
        ? `No lab manager runs at ${service.url}.`
        : `The Lab Manager app follows the lab manager at ${service.follow}. No lab manager runs at ${service.url}: the checks are of this machine’s own settings.`;
  }
}

/**
 * The output of `--doctor`: one line per check, and for each finding the reason, the suggested action, and its entry in
 * the user guide.
 * @param helpFor returns the address of that entry; by default the page's name, for a text that another machine shows
 */
export function doctorText(
  service: PortOccupant | null,
  reports: readonly CheckReport[],
  helpFor: (page: string) => string = (page) => page,
): string {
  const width = Math.max(...reports.map(({ title }) => title.length));
  const lines = reports.flatMap(({ result, title, guide, what, why, whatToDo, fix }) => [
    `${resultLabels[result].padEnd(8)} ${title.padEnd(width)}  ${what}`,
    ...(result === 'ok' || whatToDo === nothingToDo
      ? []
      : [
          `         Why it matters: ${why}`,
          `         What to do: ${whatToDo}`,
          ...(fix?.command ? [`         Command: ${fix.command}`] : []),
          `         Help: ${helpFor(guide)}`,
        ]),
  ]);
  return [serviceText(service), ...lines, describeResultCounts(reports)].join('\n');
}

/** The output of `--doctor --json`; `service` is the program on the port. */
export function doctorJson(service: PortOccupant | null, reports: readonly CheckReport[]): string {
  const kind = service?.kind ?? 'unknown';
  const follow = service?.kind === 'none' ? service.follow : null;
  return JSON.stringify({ service: { kind, url: service?.url ?? null, follow }, checks: reports }, null, 2);
}
