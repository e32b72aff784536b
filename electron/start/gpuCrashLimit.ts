/**
 * Chromium crashes the app when its graphics process fails to start several times within milliseconds. A logout ends
 * that process and its parent together with the app, before the app handles its signal. Therefore the limit applies
 * only to losses that continue for longer than the app's exit.
 */
import { app } from 'electron';
import { clock } from '../../api/time/clock.ts';
import { appExitGraceMs } from '../../server/lifecycle/endSignals.ts';

/** Source: Chromium's gpu_switches; read at each loss. */
const noLimit = 'disable-gpu-process-crash-limit';
/**
 * The number of losses before Chromium's limit applies, the same as Chromium's number before it renders in software.
 */
const maxQuickLosses = 3;
/** After this time without a loss, in milliseconds, the count starts again. */
const stableAfterMs = 60_000;

export function limitGpuCrashes(): void {
  app.commandLine.appendSwitch(noLimit);
  let losses: number[] = [];
  app.on('child-process-gone', (_event, { type }) => {
    if (type !== 'GPU') return;
    const now = clock.monotonic();
    if (now - (losses.at(-1) ?? -Infinity) > stableAfterMs) {
      losses = [];
      app.commandLine.appendSwitch(noLimit);
    }
    losses.push(now);
    if (losses.length > maxQuickLosses && now - (losses[0] ?? now) > appExitGraceMs)
      app.commandLine.removeSwitch(noLimit);
  });
}
