/** What the page reads, and how often while it is visible. One table; nothing else polls. */
import { health, labContext, labHistory, settingsAnswer } from '../../api/lab.ts';
import type { Schema } from './fetchBody.ts';

export interface Plan<Body> {
  /** Relative to the page's base. */
  readonly path: string;
  readonly schema: Schema<Body>;
  /** Between two reads while something on screen needs it, in ms. */
  readonly interval: number;
}

function plan<Body>(path: string, schema: Schema<Body>, interval: number): Plan<Body> {
  return { path, schema, interval };
}

/** Requests a minute with everything on screen: 30 + 2 + 2 + 2. */
export const plans = {
  /** The watch's state; reading it asks no manager. Always needed: chip, title, announcements. */
  labHistory: plan('lab_health/history', labHistory, 2000),
  /** Addresses change only with the settings. */
  context: plan('context', labContext, 30_000),
  settings: plan('settings', settingsAnswer, 30_000),
  health: plan('health', health, 30_000),
} as const;
