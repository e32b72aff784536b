/** The changes that the load made to the lab, by its own clock, and what the pages must show of them. */

/** A period in which a node is unreachable, in ms since the epoch. */
export interface Outage {
  readonly node: string;
  readonly from: number;
  to: number;
}

export interface LabStopRecord {
  readonly pressedAt: number;
  /** The time at which all nodes were released. */
  releasedAt: number;
  /** Nodes that cannot confirm the stop, because they are unreachable or do not support it. */
  readonly unconfirmed: readonly string[];
}

/**
 * The time limit in ms for pages to show a stop, its release or an unreachable node. The service reads the lab every
 * 15 s.
 */
export const maxDisplayDelayMs = 30_000;
/** The tolerance between the clocks of page and load, plus the fraction of a second that `datetime` omits, in ms. */
const slackMs = 1500;

/** The text for a node that did not confirm the current stop. */
export const notStopped = 'Not stopped';

export class LoadRecord {
  readonly outages: Outage[] = [];
  stop: LabStopRecord | null = null;

  /**
   * Checks the banner of a safety stop.
   * @param text the banner's text, `null` if there is none
   * @returns the correct state; `null` if the banner is right, or it is too early to judge
   */
  judgeBanner(text: string | null, at: number): string | null {
    const { stop } = this;
    if (stop === null || at < stop.pressedAt) return text === null ? null : 'the lab has not been stopped';
    if (at < stop.pressedAt + maxDisplayDelayMs) return null;
    if (at >= stop.releasedAt + maxDisplayDelayMs) return text === null ? null : 'every node was released';
    if (at >= stop.releasedAt) return null;
    const missing = stop.unconfirmed.filter((node) => text === null || !text.includes(node));
    if (text !== null && missing.length === 0) return null;
    return `the lab is stopped, and ${missing.join(', ')} did not confirm it`;
  }

  /** Checks the text "Not stopped" of a node. @returns the correct state, `null` if the text is right */
  judgeNotStopped(node: string, at: number): string | null {
    const { stop } = this;
    const isInForce = stop !== null && at >= stop.pressedAt - slackMs && at < stop.releasedAt + maxDisplayDelayMs;
    if (!isInForce) return 'no safety stop is in force';
    // Until its response has arrived, no node has confirmed.
    if (at < stop.pressedAt + maxDisplayDelayMs || stop.unconfirmed.includes(node)) return null;
    return 'it confirmed the safety stop';
  }

  /**
   * Checks the start of a node's outage.
   * @param since the start of the outage that a page shows, `null` if it shows none
   * @returns the correct start, or `null` if the page is right
   */
  judgeSince(node: string, since: number | null, at: number): string | null {
    const outage = this.outages.find(
      (candidate) => candidate.node === node && at >= candidate.from && at < candidate.to,
    );
    if (outage === undefined) return null;
    const correctText = `it went at ${new Date(outage.from).toISOString()}`;
    if (since === null) return at > outage.from + maxDisplayDelayMs ? correctText : null;
    const isCorrect = since >= outage.from - slackMs && since <= outage.from + maxDisplayDelayMs;
    return isCorrect ? null : correctText;
  }
}
