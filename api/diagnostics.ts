/** What the checks of the diagnostics say, for the service, the command line and the app's page. Pure. */
import * as z from 'zod/mini';

/** `unknown`: it could not be found out. */
export const checkResults = ['ok', 'warning', 'problem', 'unknown'] as const;
export type CheckResult = (typeof checkResults)[number];

/** What a check found. */
export const checkReport = z.object({
  id: z.string(),
  title: z.string(),
  result: z.enum(checkResults),
  what: z.string(),
  why: z.string(),
  whatToDo: z.string(),
  /** What one press can do: the words of its button, and what does the same on the command line. */
  fix: z.optional(z.object({ label: z.string(), command: z.nullable(z.string()) })),
});

/** The notifications of the app on this desktop. Times are ms since the epoch. */
export const desktopDelivery = z.object({
  /** They are switched on in the app. */
  enabled: z.boolean(),
  /** The desktop shows notifications of apps. */
  supported: z.boolean(),
  mutedUntil: z.nullable(z.number()),
  /** When the desktop showed the last one, since the app was started. */
  shownAt: z.nullable(z.number()),
  /** The last failure, where none was shown since. */
  failure: z.nullable(z.object({ at: z.number(), reason: z.string() })),
});
export type DesktopDelivery = z.infer<typeof desktopDelivery>;

/** `1 problem, 2 warnings, 0 unknown, 9 ok` */
export function countWords(reports: readonly { readonly result: CheckResult }[]): string {
  const count = (result: CheckResult) => reports.filter((report) => report.result === result).length;
  const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return [
    plural(count('problem'), 'problem'),
    plural(count('warning'), 'warning'),
    `${count('unknown')} unknown`,
    `${count('ok')} ok`,
  ].join(', ');
}
