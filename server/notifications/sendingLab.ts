/** The lab that sends notifications: its name, and the address of its dashboard for other machines. */
import { isLoopbackHost } from '../../api/hosts.ts';
import { labLabel } from '../../api/lab/followedLab.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { unnamedLab, type SendingLab } from '../channels/channel.ts';

/** The address for other machines: the advertised host replaces a loopback host. `null` if there is none. */
export function publicUrl(serverUrl: string, advertisedHost: string | null): string | null {
  const url = new URL(serverUrl);
  if (!isLoopbackHost(url.hostname)) return url.href;
  if (advertisedHost === null || advertisedHost === 'auto') return null;
  url.hostname = advertisedHost;
  return url.href;
}

interface SendingLabSettings {
  readonly labName: string | null;
  readonly serverUrl: string;
  readonly advertisedHost: string | null;
}

/** The lab from the settings, or that of the followed lab manager, whose lab is reported then. */
export function getSendingLab(
  { labName, serverUrl, advertisedHost }: SendingLabSettings,
  lab: Pick<LabStatus, 'lab_name' | 'followed'> | null,
): SendingLab {
  return lab?.followed === undefined
    ? { labName, url: publicUrl(serverUrl, advertisedHost) }
    : { labName: labLabel(lab, unnamedLab), url: publicUrl(lab.followed.url, null) };
}
