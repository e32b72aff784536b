/**
 * An incident, once per soak: a node becomes unreachable and the lab is stopped, and the pages must show both, with their
 * start, until the release.
 */
import type { Page } from 'playwright';
import { setTimeout as sleep } from 'node:timers/promises';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { maxDisplayDelayMs, type LoadRecord } from './record.ts';

/** A load that supports an incident. */
export interface Stoppable {
  /** The node that becomes unreachable; it has a safety stop. */
  readonly outageNode: string;
  setReachable(isReachable: boolean): Promise<void>;
  /** The nodes without a safety stop. */
  readonly nodesWithoutStop: readonly string[];
  /** Whether a node is stopped or locked. */
  isStopped(): boolean;
}

/** Longer than the 30 s after which the workcell manager renews the error of an unreachable node. */
const outageMs = 45_000;
const releaseMs = 60_000;

/** The maximum duration of an incident in ms, including the time in which its end is judged. */
export const incidentMs = outageMs + maxDisplayDelayMs + 20_000 + releaseMs + maxDisplayDelayMs + 20_000;

export async function runIncident(page: Page, load: Stoppable, record: LoadRecord): Promise<void> {
  const outage = { node: load.outageNode, from: Date.now(), to: Number.POSITIVE_INFINITY };
  record.outages.push(outage);
  await load.setReachable(false);
  await sleep(outageMs);

  const unconfirmed = [load.outageNode, ...load.nodesWithoutStop];
  const stop = { pressedAt: Date.now(), releasedAt: Number.POSITIVE_INFINITY, unconfirmed };
  record.stop = stop;
  await page.getByRole('button', { name: texts.button, exact: true }).click();
  await sleep(maxDisplayDelayMs + 20_000);

  outage.to = Date.now();
  // The node confirms as soon as it is reachable; until then a banner that names it is accepted.
  stop.releasedAt = Date.now();
  await load.setReachable(true);
  const report = page.getByRole('region', { name: texts.title });
  const deadline = Date.now() + releaseMs;
  while (load.isStopped()) {
    if (Date.now() > deadline) throw new Error('The safety stop was not released within a minute');
    await report.getByRole('button', { name: texts.release }).click();
    await report.getByRole('button', { name: /^Release .* now$/ }).click();
    await sleep(5000);
  }
  stop.releasedAt = Date.now();
}
