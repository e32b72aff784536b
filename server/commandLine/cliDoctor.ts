/**
 * `--doctor` and `--bundle`: reports problems, or saves the diagnostics as one file, even without a running lab manager.
 * `--notify-test`: sends one message to each webhook of the settings and prints the results.
 */
import { describeBundleAccess, describeResultCounts } from '../../api/diagnostics.ts';
import { resolve } from 'node:path';
import { listText, saveBundle } from '../diagnostics/bundle.ts';
import { checksFor, runChecks } from '../diagnostics/checks/all.ts';
import { makeContext } from '../diagnostics/checks/context.ts';
import { diagnose } from '../diagnostics/diagnose.ts';
import { doctorJson, doctorText } from '../diagnostics/doctor.ts';
import { exitCodes } from '../status.ts';
import { getGuideAddress } from '../http/files/guide.ts';
import type { LabSettings, SettingsInputs } from '../settings/schema/types.ts';
import { numberDuplicates } from '../../api/deliveryTexts.ts';
import { sendTest } from '../notifications/sendTest.ts';

/**
 * Prints the checks. @param guideFolder full path of the user guide's pages @returns 0 if none found a problem, otherwise 1
 */
export async function runDoctor(
  inputs: SettingsInputs,
  {
    follow = null,
    asJson,
    guideFolder,
  }: { readonly follow?: string | null; readonly asJson: boolean; readonly guideFolder: string },
  print: (text: string) => void,
): Promise<number> {
  const { context } = await makeContext({ inputs, follow });
  const reports = await runChecks(checksFor(false), context);
  const service = context.lab?.service ?? null;
  print(
    asJson ? doctorJson(service, reports) : doctorText(service, reports, (page) => getGuideAddress(page, guideFolder)),
  );
  return reports.some(({ result }) => result === 'problem') ? exitCodes.failure : exitCodes.ok;
}

export interface BundleRun {
  readonly inputs: SettingsInputs;
  /** The lab manager on another machine that the app follows; `null` if there is none. */
  readonly follow?: string | null;
  /** Path of the bundle, relative to the current directory. */
  readonly file: string;
  /** The version of this program. */
  readonly version: string;
}

/**
 * Saves the diagnostics and prints their contents.
 * @throws Error with a user-facing message if the file cannot be written
 */
export async function bundle(
  { inputs, follow = null, file, version }: BundleRun,
  print: (text: string) => void,
): Promise<number> {
  const path = resolve(inputs.cwd ?? '.', file);
  const { reports, files } = await diagnose({ inputs, follow }, version);
  await saveBundle(path, files);
  print(
    `Saved ${path}. ${describeBundleAccess(process.platform)}\n${listText(files)}\nChecks: ${describeResultCounts(reports)}`,
  );
  return exitCodes.ok;
}

/** @param version of this program @returns 0 if every address accepted it, otherwise 1 */
export async function runNotifyTest(
  settings: LabSettings,
  version: string,
  print: (text: string) => void,
): Promise<number> {
  const results = await sendTest(settings, version, null);
  if (results.length === 0) {
    print('There is no webhook to send a test to: set LAB_NOTIFY_WEBHOOK_URL');
    return exitCodes.failure;
  }
  const addresses = numberDuplicates(results.map(({ address }) => address));
  for (const [index, { problem }] of results.entries()) {
    print(`${addresses[index]}  ${problem ?? 'accepted the test message'}`);
  }
  return results.every(({ problem }) => problem === null) ? exitCodes.ok : exitCodes.failure;
}
