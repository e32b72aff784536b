/** All checks and the bundle of them, for the command line and the app. */
import { collectBundle, type BundleFile } from './bundle/collect.ts';
import type { CheckReport } from './check.ts';
import { checksFor } from './checks/all.ts';
import { makeContext, type ContextOptions } from './context.ts';
import { runChecks } from './runChecks.ts';

export interface Diagnostics {
  readonly reports: readonly CheckReport[];
  readonly files: readonly BundleFile[];
}

/** Runs the checks, at most 15 s, and collects the bundle. @param version of this program */
export async function diagnose(options: ContextOptions, version: string): Promise<Diagnostics> {
  const { context, loaded } = await makeContext(options);
  const reports = await runChecks(checksFor(options.app !== undefined), context);
  const files = await collectBundle({ context, loaded, inputs: options.inputs, reports, version, now: Date.now() });
  return { reports, files };
}
