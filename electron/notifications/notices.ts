/** The notices for window and tray, each shown as long as its cause exists. */
import { type LowSpace, lowSpaceText } from '../../server/diagnostics/checks/disk.ts';
import { formatProblem } from '../../server/settings/parse/problem.ts';
import { differenceText, unidentifiedText } from '../../api/lab/followedLab.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { OtherOwner } from '../../server/attached/ownSettings.ts';
import type { ServiceStatus } from '../../server/status.ts';
import { formatShellTime } from '../preferences/clockTime.ts';
import { hungAfterMs } from '../service/heartbeat.ts';
import { fileProblemText, type FolderProblem, folderProblemText } from '../folders/folders.ts';
import type { MenuChoice } from '../connect/connectLab.ts';
import type { Notice } from '../ipc/contract.ts';
import { countStopped, type StopReport } from '../safetyStop/safetyStop.ts';

export interface NoticeInput {
  readonly status: ServiceStatus;
  readonly lab: LabStatus | null;
  readonly unresponsiveSince: number | null;
  readonly folders: readonly FolderProblem[];
  /** Files of the last run that can't be read. */
  readonly files: readonly FolderProblem[];
  /** The chosen lab folder and its problem, as the end of a sentence: `does not exist`. */
  readonly labFolder: { readonly path: string; readonly problem: string } | null;
  /** Error messages of this app, the latest last. */
  readonly errors: readonly string[];
  /** A disk that is nearly full; `null` without one. */
  readonly disk: LowSpace | null;
  readonly stop: StopReport | null;
  /** A lab that was chosen in a menu and is not shown yet. */
  readonly choice: MenuChoice | null;
  /** Whether the program on the disk is newer than this app. */
  readonly isReplaced: boolean;
  readonly logDir: string;
  readonly now: number;
}

/** Returns the notices, the most severe first. */
export function createNotices(input: NoticeInput): readonly Notice[] {
  return [
    ...stopNotices(input),
    ...serviceNotices(input),
    ...choiceNotices(input),
    ...followedNotices(input.lab),
    ...settingsNotices(input.status),
    ...(input.isReplaced ? [replacedNotice] : []),
    ...folderNotices(input),
    ...(input.disk === null ? [] : [diskNotice(input.disk)]),
    ...input.errors.slice(-1).map((error) => failureNotice('internal-error', errorNoticeText(error, input.logDir))),
  ];
}

function stopNotices({ stop, lab, now }: NoticeInput): Notice[] {
  if (stop === null) return [];
  const { id: stopId, at, nodes } = stop.stop;
  const id = stopId !== null && lab?.safety_stop?.id === stopId ? 'safety-stop-published' : 'safety-stop';
  const time = at === null ? '' : ` sent at ${formatShellTime(Date.parse(at), now)}`;
  const sent = `Safety stop of ${stop.lab}${time}`;
  if (nodes.length === 0) {
    return [failureNotice('safety-stop', `${sent}, but no node is known. Use the hardware emergency stop.`)];
  }
  const { confirmedCount, otherNodes } = countStopped(stop.stop);
  const count = `${confirmedCount} of ${nodes.length} nodes confirmed.`;
  if (otherNodes.length === 0) return [attentionNotice(id, `${sent}: ${count}`)];
  const advice = `Not confirmed: ${otherNodes.join(', ')}. Use the hardware emergency stop there.`;
  return [failureNotice(id, `${sent}: ${count} ${advice}`)];
}

function serviceNotices({ status, unresponsiveSince, now }: NoticeInput): Notice[] {
  if (unresponsiveSince !== null) {
    const since = formatShellTime(unresponsiveSince, now);
    return [
      failureNotice(
        'service-silent',
        `The lab manager service has not responded since ${since}. It is restarted after ${hungAfterMs / 1000} s without a response.`,
      ),
    ];
  }
  if (status.phase === 'attached' && !status.lost && status.otherOwner)
    return [{ ...attentionNotice('other-owner', otherOwnerText(status.otherOwner)), action: 'Choose…' }];
  if (status.phase === 'attached' && status.lost) {
    const { since, reason } = status.lost;
    const subject = `The lab manager service at ${status.url}`;
    return [
      failureNotice('service-lost', `${subject} has not answered since ${formatShellTime(since, now)}: ${reason}.`),
    ];
  }
  if (status.phase === 'running' && status.followLost) {
    const { since, reason } = status.followLost;
    const subject = `The lab manager at ${status.followedUrl ?? ''}`;
    const fallbackText = 'Its last known addresses are used.';
    return [
      failureNotice(
        'followed-lost',
        `${subject} has not answered since ${formatShellTime(since, now)}: ${reason}. ${fallbackText}`,
      ),
    ];
  }
  return [];
}

/** The user must know whose lab the window shows. */
function otherOwnerText({ account, settingsFile, ownSettingsFile }: OtherOwner): string {
  const runner = account === null ? 'with other settings' : `by the account ${account}`;
  return `This window shows the lab manager that is run ${runner} on this machine (${settingsFile}). Your own settings (${ownSettingsFile}) are not used.`;
}

/** The time for which a failed connection to a chosen lab is reported, in ms. */
const choiceFailureMs = 60_000;

function choiceNotices({ choice, now }: NoticeInput): Notice[] {
  if (choice === null) return [];
  const { label, failure } = choice;
  if (failure === null) return [attentionNotice('choice', `Connecting to ${label}…`)];
  if (now - failure.at > choiceFailureMs) return [];
  return [failureNotice('choice-failed', `${label} is not shown: ${failure.reason}`)];
}

function followedNotices(lab: LabStatus | null): Notice[] {
  const difference = lab === null ? null : differenceText(lab);
  const followed = lab?.followed;
  return [
    ...(followed?.identified === false ? [attentionNotice('followed-unidentified', unidentifiedText(followed))] : []),
    ...(difference === null ? [] : [attentionNotice('followed-differs', difference)]),
  ];
}

function settingsNotices(status: ServiceStatus): Notice[] {
  if (status.phase !== 'running') return [];
  const { problems, restartNeeded, mixedSettings } = status;
  const [first] = problems;
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  const result: Notice[] = [];
  if (first) {
    const earlier = 'The earlier settings stay in force until this is fixed.';
    result.push(
      failureNotice('settings-errors', `The settings have errors: ${formatProblem(first)}${more}. ${earlier}`),
    );
  }
  if (mixedSettings !== null) result.push(attentionNotice('settings-mixed', `${formatProblem(mixedSettings)}.`));
  if (restartNeeded.length > 0) {
    const names = restartNeeded.join(' and ');
    const advice = 'Choose Restart Service in the Help menu or in the tray.';
    result.push(attentionNotice('restart-needed', `${names} changed: requires a restart. ${advice}`));
  }
  return result;
}

function folderNotices({ folders, files, labFolder }: NoticeInput): Notice[] {
  const problems = [
    ...folders.map((problem) => attentionNotice(`folder:${problem.path}`, folderProblemText(problem))),
    ...files.map((problem) => attentionNotice(`file:${problem.path}`, fileProblemText(problem))),
  ];
  if (labFolder === null) return problems;
  const advice = 'Choose another one in File → Choose Lab Folder.';
  return [
    ...problems,
    attentionNotice('lab-folder', `The lab folder ${labFolder.path} ${labFolder.problem}. ${advice}`),
  ];
}

const replacedNotice: Notice = {
  ...attentionNotice('replaced', 'Lab Manager was updated on this machine. Restart the app to finish the update.'),
  action: 'Restart…',
};

function diskNotice(disk: LowSpace): Notice {
  return { id: 'disk-space', severity: disk.limit === 'problem' ? 'failed' : 'attention', text: lowSpaceText(disk) };
}

function errorNoticeText(error: string, logDir: string): string {
  return `An error occurred in Lab Manager: ${error}. It keeps running; details are in the log (${logDir}).`;
}

function attentionNotice(id: string, text: string): Notice {
  return { id, severity: 'attention', text };
}

function failureNotice(id: string, text: string): Notice {
  return { id, severity: 'failed', text };
}
