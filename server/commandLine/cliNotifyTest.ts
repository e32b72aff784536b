/** `--notify-test`: sends one message to each webhook of the settings and prints the results. */
import { numberDuplicates } from '../../api/deliveryTexts.ts';
import { exitCodes } from '../status.ts';
import { sendTest } from '../notifications/sendTest.ts';
import type { LabSettings } from '../settings/schema/types.ts';

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
