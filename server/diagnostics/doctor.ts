/** `--doctor`: the checks in order, for people and, with `--json`, for programs. */
import { exitCodes } from '../lifecycle/status.ts';
import { nothingToDo, type CheckReport, type CheckResult, type ServiceFound } from './check.ts';

const words: Readonly<Record<CheckResult, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  problem: 'PROBLEM',
  unknown: 'unknown',
};

/** Who answers on the port, in a sentence. */
export function serviceWords(service: ServiceFound | null): string {
  if (service === null) return 'It is not known who runs here: the settings have errors.';
  switch (service.kind) {
    case 'running':
      return `A lab manager (version ${service.history.service.version}) runs at ${service.url}.`;
    case 'other':
      return `No lab manager of ours runs at ${service.url}: the port is used by ${service.who}.`;
    case 'none':
      return `No lab manager runs at ${service.url}.`;
  }
}

/** `1 problem, 2 warnings, 9 ok` */
export function countWords(reports: readonly CheckReport[]): string {
  const count = (result: CheckResult) => reports.filter((report) => report.result === result).length;
  const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return [
    plural(count('problem'), 'problem'),
    plural(count('warning'), 'warning'),
    `${count('unknown')} unknown`,
    `${count('ok')} ok`,
  ].join(', ');
}

/** What `--doctor` prints: a line for each check, and below those that aren't well why it matters and what to do. */
export function doctorText(service: ServiceFound | null, reports: readonly CheckReport[]): string {
  const width = Math.max(...reports.map(({ title }) => title.length));
  const lines = reports.flatMap(({ result, title, what, why, whatToDo }) => [
    `${words[result].padEnd(8)} ${title.padEnd(width)}  ${what}`,
    ...(result === 'ok' || whatToDo === nothingToDo
      ? []
      : [`         Why it matters: ${why}`, `         What to do: ${whatToDo}`]),
  ]);
  return [serviceWords(service), ...lines, countWords(reports)].join('\n');
}

/** What `--doctor --json` prints; `service` is who has the port. */
export function doctorJson(service: ServiceFound | null, reports: readonly CheckReport[]): string {
  const kind = service?.kind ?? 'unknown';
  return JSON.stringify({ service: { kind, url: service?.url ?? null }, checks: reports }, null, 2);
}

/** 0 where no check found a problem. */
export function doctorExit(reports: readonly CheckReport[]): number {
  return reports.some(({ result }) => result === 'problem') ? exitCodes.failure : exitCodes.ok;
}
