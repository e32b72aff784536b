/**
 * Chromium ends the app with a crash when its graphics process fails to start several times within milliseconds. A logout
 * ends that process and the one that starts it together with the app, before the app handles its own signal. Therefore the
 * limit applies only to losses that go on for longer than the end of an app takes.
 */
import { app } from 'electron';
import { appEndMs } from '../../server/lifecycle/endSignals.ts';

/** Source: Chromium's gpu_switches; read at each loss. */
const noLimit = 'disable-gpu-process-crash-limit';
/** Losses after which Chromium's limit applies: its own number before it falls back to software rendering. */
const toleratedLosses = 3;
/** After this time without a loss, in milliseconds, the count starts again. */
const steadyMs = 60_000;

export function limitGpuCrashes(): void {
  app.commandLine.appendSwitch(noLimit);
  let losses: number[] = [];
  app.on('child-process-gone', (_event, { type }) => {
    if (type !== 'GPU') return;
    const now = performance.now();
    if (now - (losses.at(-1) ?? -Infinity) > steadyMs) {
      losses = [];
      app.commandLine.appendSwitch(noLimit);
    }
    losses.push(now);
    if (losses.length > toleratedLosses && now - (losses[0] ?? now) > appEndMs) app.commandLine.removeSwitch(noLimit);
  });
}
