/** Why a node said no, for commands and for the safety stop, which is on every page and has no use for the other commands' words. */
import type { AdminCommandAnswer } from '../../../api/managers/action.ts';
import { errorTextsOf } from '../errors/errorText.ts';

export const refusalTexts = {
  refused: 'The node refused, without a reason.',
  saidNo: (reason: string) => `The node refused: ${reason}`,
} as const;

/** In its own words. */
export function refusalWords({ errors }: AdminCommandAnswer): string {
  const reasons = errorTextsOf(errors).map(({ text }) => text);
  return reasons.length === 0 ? refusalTexts.refused : refusalTexts.saidNo(reasons.join('; '));
}
