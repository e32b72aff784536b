/** What an import of locations came to, by the manager's answer. Pure. */
import type { NewLocation } from '../../../../api/managers/location.ts';
import type { CommandResult } from '../../../managers/commands/commandResult.ts';
import { importedCount, type ImportAnswer } from '../../../managers/location/importPlan.ts';
import { importingTexts as texts } from './texts.ts';

export function importResult(sent: readonly NewLocation[], answer: ImportAnswer): CommandResult {
  const imported = importedCount(sent, answer);
  if (imported === null) return { state: 'unclear', words: texts.unnamedInAnswer(answer.imported) };
  return { state: imported === sent.length ? 'done' : 'failed', words: texts.done(imported, sent.length) };
}
