/** Runs all checks and collects the bundle, for the command line and the app. */
import { clock } from '../../api/time/clock.ts';
import {
  describeResultCounts,
  type CheckReport,
  type DiagnosticsList,
  type FixId,
  type FixResult,
} from '../../api/diagnostics.ts';
import { findInstallation } from '../storage/installation.ts';
import { collectBundle, saveBundle, sizeText, type BundleFile } from './bundle.ts';
import { checksFor, runChecks } from './checks/all.ts';
import { makeContext, type ContextOptions } from './checks/context.ts';

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

/** Stores the bundle between listing and saving, so that exactly the listed files are saved. */
export class DiagnosticsSession {
  #files: readonly BundleFile[] | null = null;

  /** Runs the checks and collects the bundle; an earlier one is dropped. */
  async collect(options: ContextOptions): Promise<DiagnosticsList> {
    this.#files = null;
    const { reports, files } = await diagnose(options, findInstallation(import.meta.dirname).version);
    this.#files = files;
    return {
      counts: describeResultCounts(reports),
      reports: [...reports],
      files: files.map(({ name, what, text }) => ({ name, what, size: sizeText(text.length) })),
    };
  }

  /**
   * Saves the collected bundle.
   * @param path full path of the archive; `null` drops the bundle
   * @returns the path
   * @throws Error with a user-facing message: no bundle was collected, or it cannot be written
   */
  async save(path: string | null): Promise<string | null> {
    const files = this.#files;
    if (path === null) {
      this.#files = null;
      return null;
    }
    if (files === null) throw new Error('The diagnostics are not collected yet: choose Save Diagnostics again');
    await saveBundle(path, files);
    this.#files = null;
    return path;
  }
}
