/** Feeds of updates whose packages can be replaced on the way. Pure. */
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { LabSettings } from '../schema/labSettings.ts';
import type { SettingsProblem } from '../schema/types.ts';
import { warningOf, type Candidate } from '../parse/merge.ts';

/** Whether anyone on the network can replace what comes from a feed: plain http, and no key that its list is signed with. */
export function isUnprotected(feed: string, isSigned: boolean): boolean {
  const { protocol, hostname } = new URL(feed);
  return protocol === 'http:' && !isSigned && !isLoopbackHost(hostname);
}

/** A warning for such a feed. */
export function feedProblems(
  { updateFeed, updatePublicKey }: Pick<LabSettings, 'updateFeed' | 'updatePublicKey'>,
  candidate: Candidate | undefined,
): readonly SettingsProblem[] {
  if (updateFeed === null || candidate === undefined || !isUnprotected(updateFeed, updatePublicKey !== null)) return [];
  return [
    warningOf(candidate, {
      value: updateFeed,
      message:
        'the update feed is read by plain http and its list is not signed, so anyone on the network can replace a package',
      expected: 'an https address, or LAB_UPDATE_PUBLIC_KEY',
    }),
  ];
}
