/** Checks the role of this server if two of them watch the lab. */
import { isLoopbackHost } from '#api/hosts.ts';
import type { DatabaseStatus, LabHistory } from '#api/lab/lab.ts';
import { plural } from '#api/countText.ts';
import { readActiveServer } from '../../standby/activeServer.ts';
import { finding, openSettings, ofLab, type Check, type Finding, type LabDetails } from './check.ts';

/**
 * @param history of the lab manager of this machine; `null` if none runs
 * @param sharedProblem why no active lab manager responds at the shared address; `null` if one does
 */
export function twoServersFinding(
  { sharedAddress, serverUrl, hasDatabase }: Pick<LabDetails, 'sharedAddress' | 'serverUrl' | 'hasDatabase'>,
  history: Pick<LabHistory, 'standby' | 'database'> | null,
  sharedProblem: string | null,
): Finding {
  if (sharedAddress === null && !hasDatabase) return finding('ok', 'The settings name no second server.');
  if (history === null)
    return finding('warning', 'No lab manager runs on this machine.', 'Start the lab manager on this machine too.');
  const { standby, database } = history;
  const role = standby === undefined ? 'This server is active.' : `This server is on standby: ${standby}.`;
  if (sharedProblem !== null)
    return finding(
      'problem',
      `${role} No active lab manager responds at ${serverUrl}: ${sharedProblem}.`,
      `Check keepalived on both servers, and that LAB_SERVER_URL of both resolves to the shared address ${sharedAddress}.`,
    );
  if (database?.problem)
    return {
      ...finding(
        'problem',
        `${role} The database can't be used: ${database.problem.reason}${waitingText(database, '. ')}.`,
        'Check LAB_DATABASE_URL, the database, and the network to it.',
        openSettings,
      ),
      why: 'Without the database each server has only its own part of the history.',
    };
  if (hasDatabase && sharedAddress === null && isLoopbackHost(new URL(serverUrl).hostname))
    return {
      ...finding(
        'warning',
        `${role} LAB_SERVER_URL is ${serverUrl}, which leads to this machine.`,
        'Set LAB_SERVER_URL of both servers to an address that resolves to the active one, such as that of a load balancer.',
        openSettings,
      ),
      why: 'Without the database, a server looks at LAB_SERVER_URL for an active one. If it finds none, both become active, and each sends the notifications.',
    };
  return finding('ok', role);
}

/** `2 records wait on this server` after a separator; empty if there are none. */
export function waitingText({ waiting }: DatabaseStatus, separator: string): string {
  return waiting === 0 ? '' : `${separator}${plural(waiting, 'record waits', 'records wait')} on this server`;
}

export const twoServers: Check = {
  id: 'two-servers',
  title: 'Two servers',
  guide: 'troubleshooting.html#two-servers',
  why: 'Exactly one of two servers may be active: without an active one, nobody is notified of an outage.',
  run: ofLab(async (lab, _context, signal) => {
    const active = lab.sharedAddress === null ? null : await readActiveServer(lab.serverUrl, signal);
    const problem = active !== null && 'reason' in active ? active.reason : null;
    return twoServersFinding(lab, lab.service.kind === 'running' ? lab.service.history : null, problem);
  }),
};
