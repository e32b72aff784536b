/** Styles of check results, with the shapes and colors of states. */
import { managerLooks, outcomeLooks, type StateLook } from '../../../../api/states.ts';
import { submitTexts } from './texts.ts';
import type { CheckVerdict } from '../definition/fillStep.ts';
import type { Severity } from '../definition/source.ts';

const looks: Readonly<Record<CheckVerdict, StateLook>> = {
  ok: outcomeLooks.done,
  warning: outcomeLooks.unclear,
  problem: outcomeLooks.failed,
  unchecked: managerLooks.unknown,
};

export function checkStyle(verdict: CheckVerdict): StateLook {
  return { ...looks[verdict], label: submitTexts.verdicts[verdict] };
}

const bySeverity: Readonly<Record<Severity, CheckVerdict>> = {
  error: 'problem',
  warning: 'warning',
  unchecked: 'unchecked',
};

/** The style of a severity; `null` is no problem. */
export function severityStyle(severity: Severity | null): Pick<StateLook, 'shape' | 'color'> {
  const { shape, color } = looks[severity === null ? 'ok' : bySeverity[severity]];
  return { shape, color };
}
