/** What the load itself did to the lab, by its own clock, and what the pages must show of that. Pure. */

/** A node that nobody can reach from one moment to another, in ms since the epoch. */
export interface Outage {
  readonly node: string;
  readonly from: number;
  to: number;
}

export interface LabStopRecord {
  readonly pressedAt: number;
  /** When every node was released. */
  releasedAt: number;
  /** Nodes that can't confirm it, because they are unreachable or have no safety stop. */
  readonly unconfirmed: readonly string[];
}

/** Within this time everybody sees a stop or its release, or a node that is gone: the service reads the lab each 15 s. */
export const seenWithinMs = 30_000;
/** Between the clocks of page and load, and what `datetime` leaves out below a second, in ms. */
const slackMs = 1500;

/** The word of a node that did not confirm the stop in force. */
export const notStopped = 'Not stopped';

export class LoadRecord {
  readonly outages: Outage[] = [];
  stop: LabStopRecord | null = null;

  /** @param text of the banner, `null` where there is none @returns what is so instead; `null` where it is right, or too early to say */
  judgeBanner(text: string | null, at: number): string | null {
    const { stop } = this;
    if (stop === null || at < stop.pressedAt) return text === null ? null : 'nobody has stopped the lab';
    if (at < stop.pressedAt + seenWithinMs) return null;
    if (at >= stop.releasedAt + seenWithinMs) return text === null ? null : 'every node was released';
    if (at >= stop.releasedAt) return null;
    const missing = stop.unconfirmed.filter((node) => text === null || !text.includes(node));
    if (text !== null && missing.length === 0) return null;
    return `the lab is stopped, and ${missing.join(', ')} did not confirm it`;
  }

  /** Whether a node may be called not stopped. @returns what is so instead, or `null` */
  judgeNotStopped(node: string, at: number): string | null {
    const { stop } = this;
    const isInForce = stop !== null && at >= stop.pressedAt - slackMs && at < stop.releasedAt + seenWithinMs;
    if (!isInForce) return 'no safety stop is in force';
    // Until its answer is in, no node has confirmed.
    if (at < stop.pressedAt + seenWithinMs || stop.unconfirmed.includes(node)) return null;
    return 'it confirmed the safety stop';
  }

  /** @param since when a page says that an unreachable node went, `null` where it does not @returns what is so instead, or `null` */
  judgeSince(node: string, since: number | null, at: number): string | null {
    const outage = this.outages.find((each) => each.node === node && at >= each.from && at < each.to);
    if (outage === undefined) return null;
    const went = `it went at ${new Date(outage.from).toISOString()}`;
    if (since === null) return at > outage.from + seenWithinMs ? went : null;
    const isRight = since >= outage.from - slackMs && since <= outage.from + seenWithinMs;
    return isRight ? null : went;
  }
}
