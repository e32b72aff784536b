/** Formats durations. */
import { padTwoDigits } from './clockText.ts';

/**
 * Formats a duration: `<1 ms`, `450 ms`, `1.9 s`, `12 s`, `6 min 21 s`, `2 h 05 min`, `3 d 4 h`. Never negative. All
 * displayed durations have this format.
 */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1) return '<1 ms';
  if (ms > 0 && ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms > 0 && ms < 9950) return `${Number((ms / 1000).toFixed(1))} s`;
  return formatElapsed(ms);
}

/** Formats the duration of a running process in whole seconds, so that it stays readable while it counts. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${padTwoDigits(minutes % 60)} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}
