/** Runs all checks and collects the bundle, for the command line and the app. */
import { clock } from '../../api/time/clock.ts';
import { collectBundle, type BundleFile } from './collect.ts';
import type { FixResult, CheckReport, FixId } from '../../api/diagnostics.ts';
import { checksFor } from './checks/all.ts';
import { makeContext, type ContextOptions } from './checks/context.ts';
import { runChecks } from './checks/runChecks.ts';

export interface Diagnostics {
  readonly reports: readonly CheckReport[];
  readonly files: readonly BundleFile[];
}

/** Runs the checks for at most 15 s, and collects the bundle. @param version of this program */
export async function diagnose(options: ContextOptions, version: string): Promise<Diagnostics> {
  const { context, settingsResult: loaded } = await makeContext(options);
  const reports = await runChecks(checksFor(options.app !== undefined), context);
  const files = await collectBundle({
    context,
    settingsResult: loaded,
    inputs: options.inputs,
    reports,
    version,
    now: clock.now(),
  });
  return { reports, files };
}

/** Fixes that the check itself applies; the app applies the others. */
const selfApplied: ReadonlySet<FixId> = new Set(['restrict-access', 'put-aside-crashes']);

/**
 * Runs one check; with `fix`, first applies the fix of its current finding, and runs it again.
 * @param id ID of the check
 * @throws Error with a user-facing message: the check does not exist, or the fix failed
 */
export async function runCheckAlone(options: ContextOptions, id: string, fix: boolean): Promise<FixResult> {
  const check = checksFor(options.app !== undefined).find((candidate) => candidate.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}`);
  const run = async (): Promise<CheckReport> => {
    const [report] = await runChecks([check], (await makeContext(options)).context);
    if (report === undefined) throw new Error(`The check ${id} gave no report`);
    return report;
  };
  const report = await run();
  if (!fix || report.fix === undefined) return { report, open: null };
  if (!selfApplied.has(report.fix.id)) return { report, open: report.fix.id };
  await check.fix?.((await makeContext(options)).context);
  return { report: await run(), open: null };
}
