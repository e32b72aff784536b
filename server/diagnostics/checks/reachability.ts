/**
 * Checks whether other machines can reach the lab manager: whether its port is open on this machine's own addresses, not
 * only on loopback.
 */
import { interfaceAddresses } from '../../net/interfaces.ts';
import { isPortInUse } from '../../net/portOwner.ts';
import { nothingToDo, openFix, withoutLab, type Check, type Finding } from './check.ts';

const explanation =
  'Other machines get the addresses of the lab’s services from this one; they cannot reach a lab manager that listens on loopback only.';

export interface ReachabilityDetails {
  readonly port: number;
  readonly listenHost: string | null;
  readonly listensOnLoopbackOnly: boolean;
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
    return {
      result: 'unknown',
      what: `Nothing accepts connections on port ${port}, so its reachability is unknown.`,
      why: explanation,
      whatToDo: 'Start the lab manager, then run the checks again.',
    };
  if (listensOnLoopbackOnly)
    return {
      result: 'ok',
      what: 'The service here is for this machine only: it shows the demo lab, or the lab of another machine.',
      why: explanation,
      whatToDo: nothingToDo,
    };
  if (networkAddresses.length === 0)
    return {
      result: 'unknown',
      what: 'This machine has no network address now.',
      why: explanation,
      whatToDo: 'Connect it to the lab’s network if other machines should use it.',
    };
  if (open.length === 0)
    return {
      result: 'problem',
      what: `Port ${port} accepts connections on loopback, but not on ${closed.join(', ')}.`,
      why: explanation,
      whatToDo:
        listenHost === null
          ? 'Check which program has the port, and whether a firewall of this machine blocks it.'
          : `LAB_LISTEN_HOST is ${listenHost}: remove it from the settings to listen on all interfaces, then restart the service.`,
      ...(listenHost === null ? {} : { fix: openFix('open-settings', 'Open settings') }),
    };
  if (closed.length > 0)
    return {
      result: listenHost === null ? 'warning' : 'ok',
      what: `Port ${port} accepts connections on ${open.join(', ')}, but not on ${closed.join(', ')}.`,
      why: explanation,
      whatToDo:
        listenHost === null
          ? 'Check whether a firewall of this machine blocks the port on these addresses.'
          : `Nothing, if that is what LAB_LISTEN_HOST (${listenHost}) is for.`,
    };
  return {
    result: 'ok',
    what: `Port ${port} accepts connections on ${open.join(', ')}. Whether a firewall blocks other machines can only be checked from there.`,
    why: explanation,
    whatToDo: nothingToDo,
  };
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
  async run({ lab }) {
    if (lab === null) return withoutLab(explanation);
    const { port, listenHost, listensOnLoopbackOnly } = lab;
    const [isReachedOnLoopback, networkAddresses] = await Promise.all([
      isPortInUse('127.0.0.1', port, 1500),
      Promise.all(
        localNetworkAddresses().map(async (address) => ({ address, reached: await isPortInUse(address, port, 1500) })),
      ),
    ]);
    return reachabilityFinding({ port, listenHost, listensOnLoopbackOnly, isReachedOnLoopback, networkAddresses });
  },
};
