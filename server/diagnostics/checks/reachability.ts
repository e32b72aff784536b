/**
 * Checks whether other machines can reach the lab manager: whether its port is open on this machine's own addresses, not
 * only on loopback.
 */
import { interfaceAddresses } from '../../net/interfaces.ts';
import { isPortInUse } from '../../net/portOwner.ts';
import { finding, openSettings, ofLab, type Check, type Finding, type LabDetails } from './check.ts';

export interface ReachabilityDetails extends Pick<LabDetails, 'port' | 'listenHost' | 'listensOnLoopbackOnly'> {
  readonly isReachedOnLoopback: boolean;
  /** This machine's own addresses, without loopback and link-local ones. */
  readonly networkAddresses: readonly { readonly address: string; readonly reached: boolean }[];
}

export function reachabilityFinding({
  port,
  listenHost,
  listensOnLoopbackOnly,
  isReachedOnLoopback,
  networkAddresses,
}: ReachabilityDetails): Finding {
  const open = networkAddresses.filter((candidate) => candidate.reached).map(({ address }) => address);
  const closed = networkAddresses.filter((candidate) => !candidate.reached).map(({ address }) => address);
  if (!isReachedOnLoopback && open.length === 0)
    return finding(
      'unknown',
      `Nothing accepts connections on port ${port}, so its reachability is unknown.`,
      'Start the lab manager, then run the checks again.',
    );
  if (listensOnLoopbackOnly)
    return finding(
      'ok',
      'The service here is for this machine only: it shows the demo lab, or the lab of another machine.',
    );
  if (networkAddresses.length === 0)
    return finding(
      'unknown',
      'This machine has no network address now.',
      'Connect it to the lab’s network if other machines should use it.',
    );
  if (open.length === 0)
    return finding(
      'problem',
      `Port ${port} accepts connections on loopback, but not on ${closed.join(', ')}.`,
      listenHost === null
        ? 'Check which program has the port, and whether a firewall of this machine blocks it.'
        : `LAB_LISTEN_HOST is ${listenHost}: remove it from the settings to listen on all interfaces, then restart the service.`,
      listenHost === null ? undefined : openSettings,
    );
  if (closed.length > 0)
    return finding(
      listenHost === null ? 'warning' : 'ok',
      `Port ${port} accepts connections on ${open.join(', ')}, but not on ${closed.join(', ')}.`,
      listenHost === null
        ? 'Check whether a firewall of this machine blocks the port on these addresses.'
        : `Nothing, if that is what LAB_LISTEN_HOST (${listenHost}) is for.`,
    );
  return finding(
    'ok',
    `Port ${port} accepts connections on ${open.join(', ')}. Whether a firewall blocks other machines can only be checked from there.`,
  );
}

/**
 * Returns the addresses of this machine's network interfaces, without link-local ones, because people do not use these
 * to reach a service.
 */
function localNetworkAddresses(): readonly string[] {
  return interfaceAddresses()
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address) && !address.startsWith('169.254.'))
    .map(({ address }) => address);
}

export const reachability: Check = {
  id: 'reachable',
  title: 'Reachable from other machines',
  guide: 'troubleshooting.html#reachable-from-other-machines',
  why: 'Other machines get the addresses of the lab’s services from this one; they cannot reach a lab manager that listens on loopback only.',
  run: ofLab(async (lab) => {
    const [isReachedOnLoopback, networkAddresses] = await Promise.all([
      isPortInUse('127.0.0.1', lab.port, 1500),
      Promise.all(
        localNetworkAddresses().map(async (address) => ({
          address,
          reached: await isPortInUse(address, lab.port, 1500),
        })),
      ),
    ]);
    return reachabilityFinding({ ...lab, isReachedOnLoopback, networkAddresses });
  }),
};
