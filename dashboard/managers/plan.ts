/** What the page reads, and how often while it is visible. One table; nothing else polls. */
import { health, labContext, labHistory, settingsAnswer, type LabHistory } from '../../api/lab.ts';
import type { Schema } from './fetchBody.ts';

export interface Plan<Body> {
  /** Relative to the page's base. */
  readonly path: string;
  readonly schema: Schema<Body>;
  /** Between two reads while something on screen needs it, in ms. */
  readonly interval: number;
  /** How long after `body` something new is expected, in ms, where that is known; the interval is the longest wait. */
  readonly news?: (body: Body) => number;
}

function plan<Body>(path: string, schema: Schema<Body>, interval: number, news?: Plan<Body>['news']): Plan<Body> {
  return news === undefined ? { path, schema, interval } : { path, schema, interval, news };
}

/** What the watch's answers need to arrive after they are due, and the least time between two reads, in ms. */
const margin = 150;
const shortest = 500;

/**
 * When the watch has asked one of the managers again. With a read right after that, what happens in the lab is on
 * screen within 6 s: an interval of the watch and a little.
 */
export function untilNextCheck(history: Pick<LabHistory, 'now' | 'interval_seconds' | 'managers'>): number {
  const now = Date.parse(history.now);
  const due = history.managers.flatMap(({ last_checked: checked }) => {
    const ms = checked === null ? 0 : Date.parse(checked) + history.interval_seconds * 1000 - now + margin;
    return ms > 0 ? [ms] : [];
  });
  return Math.max(shortest, Math.min(...due));
}

/** Requests a minute with everything on screen: about 40 + 2 + 2 + 2. */
export const plans = {
  /** The watch's state; reading it asks no manager. Always needed: chip, title, announcements. */
  labHistory: plan('lab_health/history', labHistory, 2000, untilNextCheck),
  /** Addresses change only with the settings. */
  context: plan('context', labContext, 30_000),
  settings: plan('settings', settingsAnswer, 30_000),
  health: plan('health', health, 30_000),
} as const;
