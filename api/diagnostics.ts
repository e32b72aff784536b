/** What the checks of the diagnostics say, for the service, the command line and the app's page. Pure. */
import * as z from 'zod/mini';

/** `unknown`: it could not be found out. */
const checkResults = ['ok', 'warning', 'problem', 'unknown'] as const;
export type CheckResult = (typeof checkResults)[number];

/**
 * What one press can do about a finding. The service does the first two itself and runs the check again; for the others the
 * app opens what is named.
 */
const fixIds = [
  'restrict-access',
  'put-aside-crashes',
  'open-settings',
  'open-log-folder',
  'show-logs',
  'show-lab-page',
] as const;
export type FixId = (typeof fixIds)[number];

/** The label of the fix's button, and the equivalent on the command line; `null` where there is none. */
const checkFix = z.object({ id: z.enum(fixIds), label: z.string(), command: z.nullable(z.string()) });
export type Fix = z.infer<typeof checkFix>;

/** What a check found, in sentences. */
export const checkReport = z.object({
  id: z.string(),
  title: z.string(),
  result: z.enum(checkResults),
  what: z.string(),
  /** Why it matters. */
  why: z.string(),
  whatToDo: z.string(),
  /** Only where it can do no harm. */
  fix: z.optional(checkFix),
  /** Duration of the check, in ms. */
  tookMs: z.number(),
});
export type CheckReport = z.infer<typeof checkReport>;

/** The result of pressing the button of a check's fix. */
export const checkFixed = z.object({
  /** The check, run again. */
  report: checkReport,
  /** What the app opens; `null` where the service applied the fix. */
  open: z.nullable(z.enum(fixIds)),
});
export type CheckFixed = z.infer<typeof checkFixed>;

/** The checks' reports and the content of the bundle, shown before it is saved. */
export const diagnosticsList = z.object({
  /** `1 problem, 2 warnings, 9 ok` */
  counts: z.string(),
  reports: z.array(checkReport),
  /** What the archive would hold; `size` as `12 KB`. */
  files: z.array(z.object({ name: z.string(), what: z.string(), size: z.string() })),
});
export type DiagnosticsList = z.infer<typeof diagnosticsList>;

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
export function countText(reports: readonly { readonly result: CheckResult }[]): string {
  const count = (result: CheckResult) => reports.filter((report) => report.result === result).length;
  const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return [
    plural(count('problem'), 'problem'),
    plural(count('warning'), 'warning'),
    `${count('unknown')} unknown`,
    `${count('ok')} ok`,
  ].join(', ');
}
