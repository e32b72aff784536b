/** The appearance of check results and problems, with the shapes and colours of states. */
import { managerAppearances, outcomeAppearances, type StateAppearance } from '#api/states.ts';
import { submitTexts } from './texts.ts';
import type { CheckStatus } from '../definition/fillStep.ts';
import type { Severity } from '../definition/source.ts';

const appearances: Readonly<Record<CheckStatus, StateAppearance>> = {
  ok: outcomeAppearances.done,
  warning: outcomeAppearances.unclear,
  problem: outcomeAppearances.failed,
  unchecked: managerAppearances.unknown,
};

export function checkAppearance(status: CheckStatus): StateAppearance {
  return { ...appearances[status], label: submitTexts.statuses[status] };
}

const bySeverity: Readonly<Record<Severity, CheckStatus>> = {
  error: 'problem',
  warning: 'warning',
  unchecked: 'unchecked',
};

/** Returns the appearance of a severity; `null`: there is no problem. */
export function severityAppearance(severity: Severity | null): Pick<StateAppearance, 'shape' | 'color'> {
  const { shape, color } = appearances[severity === null ? 'ok' : bySeverity[severity]];
  return { shape, color };
}
