/** Nodes that did not confirm the safety stop in force: only the hardware stop is known to stop them. */
import { nodeAppearances, type StateAppearance } from '../states.ts';
import { listUnansweredNodes, type LabStop } from './labStop.ts';
import { safetyStopTexts } from './safetyStopTexts.ts';

/** The highest severity of a node. */
export const unconfirmedAppearance: StateAppearance = {
  ...nodeAppearances.stopped,
  severity: nodeAppearances.stopped.severity + 1,
  label: safetyStopTexts.notConfirmedLabel,
};

/**
 * Returns the nodes that did not confirm the safety stop, by name, with the reason as text.
 * @param formatTime formats the time of the stop, in ms since the epoch
 */
export function unconfirmedReasons(
  stop: LabStop | null,
  formatTime: (at: number) => string,
): ReadonlyMap<string, string> {
  if (stop === null || stop.at === null) return new Map();
  const time = formatTime(Date.parse(stop.at));
  return new Map(
    listUnansweredNodes(stop).map(({ name, result, reason, did }) => {
      const { held, noAnswerYet } = safetyStopTexts.outcome;
      const detail = result === 'held' ? held(did) : result === 'sending' ? noAnswerYet : reason;
      return [name, safetyStopTexts.notConfirmed(time, detail)];
    }),
  );
}
