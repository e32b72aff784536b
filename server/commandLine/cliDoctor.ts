/** `--doctor`: looks for what is wrong, whether or not a lab manager runs. */
import { checksFor } from '../diagnostics/checks/all.ts';
import { makeContext } from '../diagnostics/context.ts';
import { doctorExit, doctorJson, doctorText } from '../diagnostics/doctor.ts';
import { runChecks } from '../diagnostics/runChecks.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';

/** Prints the checks. @returns 0 where none found a problem, else 1 */
export async function examine(inputs: SettingsInputs, asJson: boolean, print: (text: string) => void): Promise<number> {
  const { context } = await makeContext({ inputs });
  const reports = await runChecks(checksFor(false), context);
  const service = context.lab?.service ?? null;
  print(asJson ? doctorJson(service, reports) : doctorText(service, reports));
  return doctorExit(reports);
}
