/** The results of the diagnostics checks, for the service, the command line and the app's page. */
import * as z from 'zod/mini';
import { plural } from './countText.ts';

/** `unknown`: the check could not determine the result. */
const checkResults = ['ok', 'warning', 'problem', 'unknown'] as const;
export type CheckResult = (typeof checkResults)[number];

/**
 * The fixes for a finding. The service applies the first two itself and repeats the check; for the others the app opens
 * the named target.
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

/** The label of the fix's button, and the equivalent command; `null` if there is none. */
const checkFix = z.object({ id: z.enum(fixIds), label: z.string(), command: z.nullable(z.string()) });
export type Fix = z.infer<typeof checkFix>;

/** A page of the user guide, with an anchor or without. */
export const guidePage = z.string().check(z.regex(/^[\w-]+\.html(#[\w-]+)?$/));

/** The finding of a check, in sentences. */
export const checkReport = z.object({
  id: z.string(),
  title: z.string(),
  /** The entry of the user guide that explains the check. */
  guide: guidePage,
  result: z.enum(checkResults),
  what: z.string(),
  /** The reason why it matters. */
  why: z.string(),
  whatToDo: z.string(),
  /** Missing if the check has no harmless fix. */
  fix: z.optional(checkFix),
  /** Duration of the check, in ms. */
  tookMs: z.number(),
});
export type CheckReport = z.infer<typeof checkReport>;

/** The result of applying a check's fix. */
export const fixResult = z.object({
  /** The report of the repeated check. */
  report: checkReport,
  /** The target that the app opens; `null` if the service applied the fix. */
  open: z.nullable(z.enum(fixIds)),
});
export type FixResult = z.infer<typeof fixResult>;

/** The checks' reports and the content of the bundle, shown before it is saved. */
export const diagnosticsList = z.object({
  /** `1 problem, 2 warnings, 0 unknown, 9 ok` */
  counts: z.string(),
  reports: z.array(checkReport),
  /** The files of the archive; `size` as `12 KB`. */
  files: z.array(z.object({ name: z.string(), what: z.string(), size: z.string() })),
});
export type DiagnosticsList = z.infer<typeof diagnosticsList>;

/** The app's notifications on this desktop. Times are ms since the epoch. */
export const desktopDelivery = z.object({
  /** Whether they are enabled in the app. */
  enabled: z.boolean(),
  /** Whether the desktop shows notifications from apps. */
  supported: z.boolean(),
  mutedUntil: z.nullable(z.number()),
  /** When the desktop last showed one since the app started. */
  shownAt: z.nullable(z.number()),
  /** The last failure, if no notification was shown since. */
  failure: z.nullable(z.object({ at: z.number(), reason: z.string() })),
});
export type DesktopDelivery = z.infer<typeof desktopDelivery>;

/** `1 problem, 2 warnings, 0 unknown, 9 ok` */
export function describeResultCounts(reports: readonly { readonly result: CheckResult }[]): string {
  const count = (result: CheckResult) => reports.filter((report) => report.result === result).length;
  return [
    plural(count('problem'), 'problem'),
    plural(count('warning'), 'warning'),
    `${count('unknown')} unknown`,
    `${count('ok')} ok`,
  ].join(', ');
}

/**
 * A sentence about who can open a saved bundle. On Windows a new file has the permissions of its folder.
 * @param platform a value of `process.platform`
 */
export function describeBundleAccess(platform: string): string {
  return platform === 'win32'
    ? 'The permissions of its folder decide who can open the file.'
    : 'Only your account can open the file.';
}
