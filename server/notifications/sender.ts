/** The lab that notifications name, and the address of its dashboard for other machines. Pure. */
import { isLoopbackHost } from '../../api/hosts.ts';
import { labLabel } from '../../api/lab/followed.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { unnamedLab, type Sender } from '../channels/channel.ts';

/** An address on localhost is of no use on other machines: the advertised host replaces it, where there is one. */
export function publicUrl(serverUrl: string, advertisedHost: string | null): string | null {
  const url = new URL(serverUrl);
  if (!isLoopbackHost(url.hostname)) return url.href;
  if (advertisedHost === null || advertisedHost === 'auto') return null;
  url.hostname = advertisedHost;
  return url.href;
}

interface SenderSettings {
  readonly managerName: string | null;
  readonly serverUrl: string;
  readonly advertisedHost: string | null;
}

/** From the settings, or of the followed lab manager where one is followed: its lab is what is reported. */
export function senderOf(
  { managerName, serverUrl, advertisedHost }: SenderSettings,
  lab: Pick<LabStatus, 'lab_name' | 'followed'> | null,
): Sender {
  return lab?.followed === undefined
    ? { labName: managerName, url: publicUrl(serverUrl, advertisedHost) }
    : { labName: labLabel(lab, unnamedLab), url: publicUrl(lab.followed.url, null) };
}
