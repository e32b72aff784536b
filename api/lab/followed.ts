/** Which lab on which machine is shown, where it is that of another lab manager; and what must be known before it is commanded. Pure. */
import { isLoopbackHost } from '../hosts.ts';
import type { StopReading } from '../safetyStop/labStop.ts';
import { managerTitle, type ManagerKey } from '../managers.ts';
import type { FollowedLab, LabStatus } from './lab.ts';

type NamedLab = Pick<LabStatus, 'lab_name' | 'followed'>;

/** `Bench`, or, where it is followed, `Bench on lab-pc`. */
export function labLabel({ lab_name: name, followed }: NamedLab, unnamed = 'Lab'): string {
  return followed === undefined ? (name ?? unnamed) : `${name ?? unnamed} on ${followed.machine}`;
}

/**
 * Which lab it is, for what belongs to one lab alone: two labs on two machines can have the same loopback addresses.
 * @param workcell address of its workcell manager, `null` without one
 * @param follows the lab manager that is followed; `null` for the service's own lab
 */
export function labKey(workcell: string | null, follows: string | null): string {
  return JSON.stringify([follows, workcell]);
}

/** What a status reports of the safety stops of its lab. */
export function stopReadingOf(
  lab: Pick<LabStatus, 'managers' | 'safety_stop' | 'held_stop' | 'stops_read' | 'followed'>,
  follows = lab.followed?.url ?? null,
): StopReading {
  const urlOf = (key: ManagerKey) => lab.managers.find(({ manager }) => manager === key)?.url ?? null;
  return {
    lab: labKey(urlOf('workcell'), follows),
    eventManager: urlOf('event'),
    isRead: lab.stops_read === true,
    stopRecord: lab.safety_stop ?? lab.held_stop ?? null,
  };
}

/** `http://lab-pc:8000/` → `lab-pc`. A loopback address keeps its port: it means whatever listens there, such as a tunnel. */
export function machineOf(url: string): string {
  const { hostname, host } = new URL(url);
  return isLoopbackHost(hostname) ? host : hostname;
}

/** What is known of a lab manager by its address alone, before it has answered. */
export function unreadLab(url: string): FollowedLab {
  return { url, machine: machineOf(url), identified: !isLoopbackHost(new URL(url).hostname), reported: null };
}

/** Why nothing may be sent to the lab now; `null` when it may. */
export function commandRefusal(followed: FollowedLab | undefined): string | null {
  if (followed === undefined || followed.identified) return null;
  return `${followed.machine} does not identify the lab’s machine. Confirm the machine in the Lab Manager app: File → Confirm Machine`;
}

/** The reason for the refusal, and what to do. */
export function unidentifiedText({ url }: Pick<FollowedLab, 'url'>): string {
  return (
    `${url} is a loopback address and does not identify a machine: it may be a tunnel to another one, while loopback ` +
    `addresses of its managers and nodes mean this one. Commands and the safety stop need the machine to be confirmed ` +
    `first: File → Confirm Machine, or the question that the safety stop asks.`
  );
}

/** What the followed lab manager reports, where that is not what is measured here; `null` where both agree. */
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
