/** Reads the active one of two servers. */
import { labHistory, type LabHistory } from '../../api/lab/lab.ts';
import { requestJson } from '../net/requestJson.ts';

const timeoutMs = 5000;

/** The lab as the active server at `url` reports it, or why there is none. Never rejects. */
export async function readActiveServer(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly history: LabHistory } | { readonly reason: string }> {
  const response = await requestJson(`${url}lab_health/history?hours=1`, timeoutMs, signal);
  if (!response.ok) return { reason: response.reason };
  const read = labHistory.safeParse(response.body);
  if (!read.success) return { reason: 'its answer is not a lab history' };
  return read.data.standby === undefined ? { history: read.data } : { reason: 'it is on standby' };
}
