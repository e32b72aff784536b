/** The followed lab manager: lab and machine that are shown, and the conditions for sending commands to it. */
import { isLoopbackHost } from '../hosts.ts';
import { defaultPorts, managerTitle } from '../managers.ts';
import type { FollowedLab, LabStatus } from './lab.ts';
import { stringifyExactJson } from '../exactJson.ts';

type NamedLab = Pick<LabStatus, 'lab_name' | 'followed'>;

/** `Bench`, or `Bench on lab-pc` if it is followed. */
export function labLabel({ lab_name: name, followed }: NamedLab, unnamed = 'Lab'): string {
  return followed === undefined ? (name ?? unnamed) : `${name ?? unnamed} on ${followed.machine}`;
}

/**
 * Identifies a lab, for data that belongs to one lab only: two labs on two machines can have the same loopback addresses.
 * @param workcell address of its workcell manager, `null` without one
 * @param followedUrl the address of the followed lab manager; `null` for the service's own lab
 */
export function labKey(workcell: string | null, followedUrl: string | null): string {
  return stringifyExactJson([followedUrl, workcell]);
}

/**
 * `http://lab-pc:8000/` → `lab-pc`, `http://lab-pc:8010/` → `lab-pc:8010`, because one machine can have several labs. A
 * loopback address always keeps its port, which may be a tunnel to another machine.
 */
export function machineLabel(url: string): string {
  const { hostname, host, port } = new URL(url);
  return port === String(defaultPorts.lab) && !isLoopbackHost(hostname) ? hostname : host;
}

/** The followed lab before the first response of its lab manager. */
export function unreadFollowedLab(url: string): FollowedLab {
  return { url, machine: machineLabel(url), identified: !isLoopbackHost(new URL(url).hostname), reported: null };
}

/** The label of a lab manager that is known only by its address and the name of its lab: `Bench on lab-pc`. */
export function savedLabLabel({ url, name }: { readonly url: string; readonly name: string | null }): string {
  return labLabel({ lab_name: name, followed: unreadFollowedLab(url) }, 'A lab');
}

/** The reason why commands to the lab are refused now; `null` if they are allowed. */
export function commandRefusal(followed: FollowedLab | undefined): string | null {
  if (followed === undefined || followed.identified) return null;
  return `${followed.machine} does not identify the lab’s machine. Confirm the machine in the Lab Manager app: File → Confirm Machine`;
}

/** The reason for the refusal, and the suggested action. */
export function unidentifiedText({ url }: Pick<FollowedLab, 'url'>): string {
  return (
    `${url} is a loopback address and does not identify a machine: it may be a tunnel to another one, while loopback ` +
    `addresses of its managers and nodes mean this one. Commands and the safety stop need the machine to be confirmed ` +
    `first: File → Confirm Machine, or the window of the safety stop.`
  );
}

/** Describes where the followed lab manager's report differs from the health measured here; `null` if both agree. */
export function differenceText(
  lab: Pick<LabStatus, 'followed' | 'healthy_managers' | 'total_managers'>,
): string | null {
  const { followed } = lab;
  if (!followed?.reported || followed.reported.differing.length === 0) return null;
  const { healthy_managers: healthy, total_managers: total, differing } = followed.reported;
  const measured = `${lab.healthy_managers}/${lab.total_managers}`;
  return (
    `The lab manager on ${followed.machine} reports ${healthy}/${total} managers healthy; measured from this machine: ` +
    `${measured}. They differ for: ${differing.map(managerTitle).join(', ')}.`
  );
}
