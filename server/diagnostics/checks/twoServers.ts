/** Checks the role of this server if two of them watch the lab. */
import { isLoopbackHost } from '#api/hosts.ts';
import type { DatabaseStatus, LabHistory } from '#api/lab/lab.ts';
import { plural } from '#api/countText.ts';
import { readActiveServer } from '../../standby/activeServer.ts';
import { nothingToDo, openFix, withoutLab, type Check, type Finding, type LabDetails } from './check.ts';

const explanation = 'Exactly one of two servers may be active: without an active one, nobody is notified of an outage.';

/**
 * @param history of the lab manager of this machine; `null` if none runs
 * @param sharedProblem why no active lab manager responds at the shared address; `null` if one does
 */
export function twoServersFinding(
  { sharedAddress, serverUrl, hasDatabase }: Pick<LabDetails, 'sharedAddress' | 'serverUrl' | 'hasDatabase'>,
  history: Pick<LabHistory, 'standby' | 'database'> | null,
  sharedProblem: string | null,
): Finding {
  if (sharedAddress === null && !hasDatabase)
    return { result: 'ok', what: 'The settings name no second server.', why: explanation, whatToDo: nothingToDo };
  if (history === null)
    return {
      result: 'warning',
      what: 'No lab manager runs on this machine.',
      why: explanation,
      whatToDo: 'Start the lab manager on this machine too.',
    };
  const { standby, database } = history;
  const role = standby === undefined ? 'This server is active.' : `This server is on standby: ${standby}.`;
  if (sharedProblem !== null)
    return {
      result: 'problem',
      what: `${role} No active lab manager responds at ${serverUrl}: ${sharedProblem}.`,
      why: explanation,
      whatToDo: `Check keepalived on both servers, and that LAB_SERVER_URL of both resolves to the shared address ${sharedAddress}.`,
    };
  if (database?.problem)
    return {
      result: 'problem',
      what: `${role} The database can't be used: ${database.problem.reason}${waitingText(database, '. ')}.`,
      why: 'Without the database each server has only its own part of the history.',
      whatToDo: 'Check LAB_DATABASE_URL, the database, and the network to it.',
      fix: openFix('open-settings', 'Open settings'),
    };
  if (hasDatabase && sharedAddress === null && isLoopbackHost(new URL(serverUrl).hostname))
    return {
      result: 'warning',
      what: `${role} LAB_SERVER_URL is ${serverUrl}, which leads to this machine.`,
      why: 'Without the database, a server looks at LAB_SERVER_URL for an active one. If it finds none, both become active, and each sends the notifications.',
      whatToDo:
        'Set LAB_SERVER_URL of both servers to an address that resolves to the active one, such as that of a load balancer.',
      fix: openFix('open-settings', 'Open settings'),
    };
  return { result: 'ok', what: role, why: explanation, whatToDo: nothingToDo };
}

/** `2 records wait on this server` after a separator; empty if there are none. */
export function waitingText({ waiting }: DatabaseStatus, separator: string): string {
  return waiting === 0 ? '' : `${separator}${plural(waiting, 'record waits', 'records wait')} on this server`;
}

export const twoServers: Check = {
  id: 'two-servers',
  title: 'Two servers',
  guide: 'troubleshooting.html#two-servers',
  async run({ lab }, signal) {
    if (lab === null) return withoutLab(explanation);
    const active = lab.sharedAddress === null ? null : await readActiveServer(lab.serverUrl, signal);
    const problem = active !== null && 'reason' in active ? active.reason : null;
    return twoServersFinding(lab, lab.service.kind === 'running' ? lab.service.history : null, problem);
  },
};
