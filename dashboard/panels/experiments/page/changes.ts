/** What was done with an experiment, as the log has it: who did it stands there only where the manager says so. Pure. */
import type { ExperimentEvent } from './useExperimentRecords.ts';
import { experimentsTexts } from '../texts.ts';

export interface Change {
  readonly id: string;
  readonly at: number | null;
  readonly word: string;
  /** ID of the user that the event names; empty where it names nobody. */
  readonly user: string;
}

const words: Readonly<Record<string, string>> = experimentsTexts.page.changed;

/** Oldest first, as things happen. */
export function changesIn(events: readonly ExperimentEvent[]): readonly Change[] {
  return events
    .flatMap(({ id, at, type, user }) => {
      const word = Object.hasOwn(words, type) ? words[type] : undefined;
      return word === undefined ? [] : [{ id, at, word, user }];
    })
    .toReversed();
}
