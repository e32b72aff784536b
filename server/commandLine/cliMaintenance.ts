/**
 * `--maintenance WHAT --until TIME`: puts the lab, a manager or a node into maintenance, for the running service or the
 * next one. With `--every` and `--for` it recurs.
 */
import { existsSync } from 'node:fs';
import type { Output } from './terminal.ts';
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { formatLocalDateTime } from '../../api/time/clockText.ts';
import { errorText } from '../../api/errorText.ts';
import type { CommandFields } from '../../api/commandRecord.ts';
import {
  getHostClock,
  labHistory,
  recurrence,
  type LabHistory,
  type MaintenanceSubject,
  type Recurrence,
} from '../../api/lab/lab.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { HostClock } from '../../api/time/time.ts';
import { nodesRequest } from '../lab/knownNodes.ts';
import { readNodes } from '../readers/readActivity.ts';
import { CommandLog } from '../commandLog/commandLog.ts';
import { requestJson } from '../net/requestJson.ts';
import { ensureTrailingSlash } from '../../api/hosts.ts';
import { stateDir, systemService, userConfigDir } from '../storage/installation.ts';
import { exitCodes } from '../status.ts';
import { getListenTarget } from '../http/listening/listenTarget.ts';
import { formatPlanned } from './cliStatus.ts';
import { silentLog } from '../logging/log.ts';
import {
  activeAt,
  isSameSubject,
  maintenanceFromEntry,
  plannedAt,
  subjectName,
  type MaintenanceChange,
  type MaintenanceState,
} from '../maintenance/entries.ts';
import { changeMaintenance, readMaintenance } from '../maintenance/maintenanceFile.ts';
import { maintenanceRecord, type MaintenanceRecord } from '../maintenance/maintenanceRecord.ts';
import {
  durationSyntax,
  everySyntax,
  parseDuration,
  parseEvery,
  parseSubject,
  parseUntil,
  subjectSyntax,
  untilSyntax,
} from '../maintenance/maintenanceText.ts';
import type { LabSettings, SettingsInputs } from '../settings/schema/types.ts';
import { statePath } from '../labWatches.ts';

export interface MaintenanceRun {
  readonly inputs: SettingsInputs;
  readonly settings: LabSettings;
  readonly subject: string;
  readonly until: string | null;
  readonly every: string | null;
  readonly duration: string | null;
}

/** @returns the exit code @throws Error with a user-facing message if the file cannot be written */
export async function runMaintenance(run: MaintenanceRun, output: Output): Promise<number> {
  const { inputs, settings } = run;
  const { print } = output;
  const now = clock.now();
  const { port } = getListenTarget(settings);
  const state = stateDir(process.platform, inputs.env, inputs.homeDir);
  const path = statePath(state, 'maintenance.json', port);
  if (run.subject.trim().toLowerCase() === 'list') {
    printMaintenance((await readMaintenance(path)).state, now, print);
    return exitCodes.ok;
  }
  const change = readChange(run, now);
  if ('problem' in change) return printUsageError(change.problem, change.expected, output);
  const begins = 'every' in change ? change.every !== null : change.until !== null;
  const expectedNodes = begins ? await listNodesIfUnknown(change, settings.context.workcell_server_url, print) : null;
  if (expectedNodes !== null)
    return printUsageError(`--maintenance: there is no node “${change.id}”`, expectedNodes, output);
  const record = ({ result, reason, hostClock }: MaintenanceOutcome) => {
    const entry = maintenanceRecord(change, { sentAt: now, settledAt: clock.now() }, { result, reason });
    return recordChange(settings, { folder: statePath(state, 'commands', port), hostClock, entry }, print);
  };
  let hasEffect = true;
  try {
    const { state: current } = await readMaintenance(path);
    hasEffect = begins || isKnown(current, change, now);
    if (!hasEffect)
      print(`There is no maintenance of ${subjectName(change)} to ${'every' in change ? 'cancel' : 'end'}`);
    printMaintenance(hasEffect ? await changeMaintenance(path, change, now) : current, now, print);
  } catch (error) {
    await record({ result: 'failed', reason: errorText(error), hostClock: null });
    throw error;
  }
  // The running lab manager may use another state folder: then the change does not take effect, whatever this file contains.
  const { exitCode, ...outcome } = await confirmMaintenance(port, change, {
    ...output,
    print: hasEffect ? print : () => undefined,
  });
  if (hasEffect || exitCode !== exitCodes.ok) await record(outcome);
  return exitCode;
}

/** Whether there is something to end or to cancel. */
function isKnown(state: MaintenanceState, change: MaintenanceChange, now: number): boolean {
  const all: readonly MaintenanceSubject[] = 'every' in change ? state.rules : activeAt(state, now);
  return all.some((subject) => isSameSubject(subject, change));
}

interface UsageProblem {
  readonly problem: string;
  readonly expected: string;
}

function readChange(
  { subject, until, every, duration }: Pick<MaintenanceRun, 'subject' | 'until' | 'every' | 'duration'>,
  now: number,
): MaintenanceChange | UsageProblem {
  const target = parseSubject(subject);
  if (target === null)
    return {
      problem: `--maintenance: “${subject}” can’t be put into maintenance`,
      expected: `${subjectSyntax}, or list`,
    };
  if (every !== null) {
    if (until !== null) return { problem: '--until and --every exclude each other', expected: 'one of them' };
    const rule = readRecurrence(every, duration);
    return rule !== null && 'problem' in rule ? rule : { ...target, every: rule };
  }
  if (duration !== null) return { problem: '--for goes with --every', expected: everySyntax };
  const time = until === null ? null : parseUntil(until, now);
  if (time === null)
    return { problem: `--until: ${until === null ? 'is missing' : `“${until}” is not a time`}`, expected: untilSyntax };
  return { ...target, until: time === 'now' ? null : time };
}

/** @returns `null` to cancel */
function readRecurrence(every: string, duration: string | null): Recurrence | UsageProblem | null {
  const start = parseEvery(every);
  if (start === null) return { problem: `--every: “${every}” is not a day and a time`, expected: everySyntax };
  if (start === 'never') return null;
  const ms = duration === null ? null : parseDuration(duration);
  const read = recurrence.safeParse({ ...start, minutes: ms === null ? null : ms / 60_000 });
  if (read.success) return read.data;
  const reason = duration === null ? 'is missing' : `“${duration}” is not a duration of at most 7 days`;
  return { problem: `--for: ${reason}`, expected: durationSyntax };
}

function printMaintenance(state: MaintenanceState, now: number, print: (text: string) => void): void {
  const active = activeAt(state, now);
  print(active.length === 0 ? 'Nothing is in maintenance now' : 'In maintenance now:');
  for (const { name, until } of active.map(maintenanceFromEntry))
    print(`  ${name.padEnd(20)} until ${formatLocalDateTime(new Date(until))}`);
  const planned = plannedAt(state, now);
  if (planned.length > 0) print('Planned:');
  for (const { name, ...window } of planned) print(`  ${name.padEnd(20)} ${formatPlanned(window)}`);
}

interface MaintenanceOutcome extends Pick<CommandFields, 'result' | 'reason'> {
  /** The clock of the event manager's host, as measured by the running lab manager. */
  readonly hostClock: HostClock | null;
}

/** Records the change in the lab's event log, or in the folder from which the lab manager sends it later. */
async function recordChange(
  { context }: LabSettings,
  {
    folder,
    hostClock,
    entry,
  }: { readonly folder: string; readonly hostClock: HostClock | null; readonly entry: MaintenanceRecord },
  print: (text: string) => void,
): Promise<void> {
  const address = context.event_server_url;
  if (address === null) return;
  let reason = '';
  const commandLog = new CommandLog({
    folder,
    eventManager: () => address,
    clock: () => hostClock,
    log: { ...silentLog, warn: (text) => (reason = `: ${text}`) },
  });
  commandLog.record({ ...entry.fields, application: 'command line' }, entry.title);
  await commandLog.flush();
  await commandLog.stop();
  if (commandLog.pendingCount > 0)
    print(`The lab manager sends the record of this to the event manager later${reason}`);
}

/** Timeout of the workcell manager's list of nodes, in ms. */
const nodesTimeoutMs = 4000;
/** The maximum number of nodes in a message. */
const maxListedNodes = 30;

/**
 * Checks the node's name, because a maintenance window for a mistyped name would have no effect. If the workcell
 * manager does not list its nodes, a message is printed and the name is accepted.
 * @returns the existing nodes, as the expected value in a message; `null` if the name is accepted, or the subject is no
 * node
 */
async function listNodesIfUnknown(
  { kind, id }: MaintenanceSubject,
  workcell: string | null,
  print: (text: string) => void,
): Promise<string | null> {
  if (kind !== 'node') return null;
  const response =
    workcell === null
      ? null
      : await requestJson(
          new URL(nodesRequest.path, ensureTrailingSlash(workcell)).href,
          nodesTimeoutMs,
          undefined,
          nodesRequest,
        );
  const nodes = response?.ok ? readNodes(response.body, new Map(), new Date(clock.now()).toISOString()) : null;
  if (nodes === null) {
    const reason =
      response === null
        ? 'no workcell manager is set'
        : response.ok
          ? 'its response is not a list of nodes'
          : response.reason;
    print(`Could not check whether node “${id}” exists at the workcell manager: ${reason}`);
    return null;
  }
  if (nodes.has(id)) return null;
  const names = [...nodes.values()].map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
  if (names.length === 0) return 'the workcell has no nodes';
  const listed = names.slice(0, maxListedNodes);
  const rest = names.length - listed.length;
  return `one of ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Timeout for the lab manager to read the file, in ms. */
const confirmTimeoutMs = 6000;
const confirmIntervalMs = 300;

interface ConfirmedMaintenance extends MaintenanceOutcome {
  readonly exitCode: number;
}

/** Waits until the running lab manager has applied the change. */
async function confirmMaintenance(
  port: number,
  change: MaintenanceChange,
  { print, printError }: Output,
): Promise<ConfirmedMaintenance> {
  const deadline = clock.now() + confirmTimeoutMs;
  let hostClock: HostClock | null = null;
  for (;;) {
    const response = await requestJson(`http://127.0.0.1:${port}/lab_health/history`, 4000);
    const lab = response.ok ? labHistory.safeParse(response.body) : null;
    if (!lab?.success) {
      const reason = `No lab manager runs at port ${port}: the change takes effect when one starts`;
      print(reason);
      return { exitCode: exitCodes.ok, hostClock: null, result: 'queued', reason };
    }
    hostClock = getHostClock(lab.data, 'event');
    if (isApplied(lab.data, change)) {
      print(`The lab manager at port ${port} has applied the change`);
      return { exitCode: exitCodes.ok, hostClock, result: 'done', reason: '' };
    }
    if (clock.now() >= deadline) break;
    await pause(confirmIntervalMs);
  }
  const reason = `The lab manager at port ${port} does not apply it: it runs as another user, or shows a simulated lab or that of another machine.`;
  printError(`${reason} For the service of the machine use sudo`);
  return { exitCode: exitCodes.failure, hostClock, result: 'failed', reason };
}

function isApplied(lab: LabHistory, change: MaintenanceChange): boolean {
  const isSubject = (subject: MaintenanceSubject) => isSameSubject(subject, change);
  if ('every' in change) return sameJson(lab.planned_maintenance?.find(isSubject)?.every ?? null, change.every);
  const active = lab.maintenance?.find(isSubject);
  return change.until === null
    ? active === undefined
    : active !== undefined && Date.parse(active.until) === change.until;
}

function printUsageError(message: string, expected: string, { printError }: Output): number {
  printError(`${message}. Expected: ${expected}`);
  return exitCodes.settings;
}

/** Root uses the machine's system service, if there is one, because root has no lab. */
export function asSystemService(
  inputs: SettingsInputs,
  isRoot = process.getuid?.() === 0,
  unit: { readonly state: string; readonly settings: string } = systemService,
): SettingsInputs {
  const { env } = inputs;
  const isConfigured = ['STATE_DIRECTORY', 'XDG_STATE_HOME', 'MADSCI_SETTINGS_DIR'].some(
    (name) => (env[name] ?? '') !== '',
  );
  if (!isRoot || isConfigured || process.platform !== 'linux' || !existsSync(unit.state)) return inputs;
  return {
    ...inputs,
    env: { ...env, STATE_DIRECTORY: unit.state, MADSCI_SETTINGS_DIR: unit.settings },
    homeDir: unit.state,
    userConfigDir: userConfigDir(process.platform, {}, unit.state),
  };
}
