/** Styles of check results, with the shapes and colors of states. */
import { managerAppearances, outcomeAppearances, type StateAppearance } from '../../../../api/states.ts';
import { submitTexts } from './texts.ts';
import type { CheckVerdict } from '../definition/fillStep.ts';
import type { Severity } from '../definition/source.ts';

const appearances: Readonly<Record<CheckVerdict, StateAppearance>> = {
  ok: outcomeAppearances.done,
  warning: outcomeAppearances.unclear,
  problem: outcomeAppearances.failed,
  unchecked: managerAppearances.unknown,
};

export function checkStyle(verdict: CheckVerdict): StateAppearance {
  return { ...appearances[verdict], label: submitTexts.verdicts[verdict] };
}

const bySeverity: Readonly<Record<Severity, CheckVerdict>> = {
  error: 'problem',
  warning: 'warning',
  unchecked: 'unchecked',
};

/** The style of a severity; `null` is no problem. */
export function severityStyle(severity: Severity | null): Pick<StateAppearance, 'shape' | 'color'> {
  const { shape, color } = appearances[severity === null ? 'ok' : bySeverity[severity]];
  return { shape, color };
}
