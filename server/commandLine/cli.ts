/** The service from the command line: `npm run server`, the desktop app without a display, systemd. */
import { dirname } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import type { GuideEntry } from '../../api/guide.ts';
import { asSystemService, runMaintenance } from './cliMaintenance.ts';
import { ping, printStatus } from './cliStatus.ts';
import { consoleOutput, type Output } from './terminal.ts';
import { formatGuideHint } from '../http/files/guide.ts';
import { appFolders, readChosenLab } from '../storage/appFolders.ts';
import { findInstallation, userConfigDir } from '../storage/installation.ts';
import { headlessLogDir } from '../diagnostics/checks/context.ts';
import { demoOptions, type RunningDemo } from '../lifecycle/demo.ts';
import { parseLabAddress } from '../settings/parse/addresses.ts';
import { LabManager, type LabManagerOptions } from '../labManager.ts';
import { getListenTarget } from '../http/listening/listenTarget.ts';
import { endSignals } from '../lifecycle/endSignals.ts';
import { handleUncaughtErrors } from '../lifecycle/uncaughtErrors.ts';
import { recordCrash } from '../storage/crashFile.ts';
import { exitDespiteStorage } from '../storage/storageTimeout.ts';
import { failedWriteText } from '../storage/writeAccess.ts';
import { openLog } from '../logging/logFile.ts';
import { findSettingsStart } from '../settings/load/sources.ts';
import { parseCommandLine } from '../settings/parse/commandLine.ts';
import { loadSettings } from '../settings/load/load.ts';
import { formatProblem } from '../settings/parse/problem.ts';
import { formatEffective, helpText } from '../settings/load/report.ts';
import type { LabSettings, SettingsInputs } from '../settings/schema/types.ts';
import { exitCodes, type ServiceStatus } from '../status.ts';
import { SystemdNotify } from '../lifecycle/systemdNotify.ts';
import { toOneLine } from '../logging/text.ts';

export interface CommandLineRun {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  /** The name of this program in `--help`. */
  readonly program: string;
  /** Directory of this program's code. */
  readonly codeDirectory: string;
  /** Starts the process that simulates a lab. @param entry full path of its program */
  readonly startDemo: (entry: string) => Promise<RunningDemo>;
  /** Default: the console. */
  readonly output?: Output;
}

/**
 * Executes the options; without any, runs the service until a stop signal. Never rejects.
 * @returns the exit code, see `exitCodes`
 */
export async function runCommandLine(run: CommandLineRun): Promise<number> {
  const output = run.output ?? consoleOutput;
  try {
    return await runOptions(run, output);
  } catch (error) {
    output.printError(`${run.program}: ${toOneLine(errorText(error))}`);
    return exitCodes.failure;
  }
}

/** The commands that the service does not use are loaded when they run. */
async function runOptions(run: CommandLineRun, output: Output): Promise<number> {
  const { print } = output;
  const installation = findInstallation(run.codeDirectory);
  const inputs = settingsInputs(run);
  const { flags, values, problems } = parseCommandLine(run.argv, 'headless');
  if (flags.help || flags.version) {
    print(flags.help ? helpText({ program: run.program }) : installation.version);
    return exitCodes.ok;
  }
  if (problems.length > 0 && !flags.checkSettings)
    return rejectOption(problems.map(formatProblem).join('\n'), run.program, output);
  const commandInputs = asSystemService(inputs);
  const { reportInputs, follow } = await resolveAppInputs(commandInputs);
  if (flags.checkSettings) return checkSettings(reportInputs, installation.help, output);
  if (flags.bundle !== null)
    return (await import('./cliDoctor.ts')).bundle(
      { inputs: reportInputs, follow, file: flags.bundle, version: installation.version },
      print,
    );
  if (flags.doctor)
    return (await import('./cliDoctor.ts')).runDoctor(
      reportInputs,
      { follow, asJson: flags.json, guideFolder: installation.help },
      print,
    );
  if (flags.notifyTest)
    return withSettings(reportInputs, output, async (settings) =>
      (await import('./cliDoctor.ts')).runNotifyTest(settings, installation.version, print),
    );
  const { maintenance: subject, until, every, for: duration } = flags;
  if (subject !== null) {
    return withSettings(commandInputs, output, (settings) =>
      runMaintenance({ inputs: commandInputs, settings, subject, until, every, duration }, output),
    );
  }
  if (flags.user !== null || flags.token !== null) {
    return withSettings(commandInputs, output, async (settings) =>
      (await import('./cliAccess.ts')).runAccess({ inputs: commandInputs, settings, flags }, output),
    );
  }
  if (until !== null) return rejectOption('--until goes with --maintenance', run.program, output);
  if (every !== null || duration !== null)
    return rejectOption('--every and --for go with --maintenance', run.program, output);
  if (flags.role !== null) return rejectOption('--role goes with --user or --token', run.program, output);
  if (flags.quit) return rejectOption('--quit ends the desktop app, not the service', run.program, output);
  if (flags.status)
    return withSettings(reportInputs, output, (settings) => printStatus(ownUrl(settings), follow, print));
  if (flags.safetyStop)
    return withSettings(commandInputs, output, async (settings) =>
      (await import('./cliSafetyStop.ts')).runSafetyStop({ inputs: commandInputs, settings }, print),
    );
  if (flags.ping) return withSettings(commandInputs, output, (settings) => ping(ownUrl(settings), print));
  if (!flags.demo) return serve({ inputs }, inputs, installation, output);
  const [ignored] = values.values();
  if (ignored !== undefined)
    return rejectOption(`--demo uses no settings, so ${ignored.origin.name} is not allowed`, run.program, output);
  return serveDemo(run, inputs, installation, output);
}

async function serveDemo(
  run: CommandLineRun,
  inputs: SettingsInputs,
  installation: ReturnType<typeof findInstallation>,
  output: Output,
): Promise<number> {
  const demo = await run.startDemo(installation.demo);
  output.print(`Faults and size of the demo lab: ${demo.control}`);
  try {
    return await serve(await demoOptions(demo.addresses), inputs, installation, output);
  } finally {
    await demo.stop();
  }
}

function settingsInputs(run: CommandLineRun): SettingsInputs {
  const { homeDir } = run;
  return {
    argv: run.argv,
    env: run.env,
    cwd: run.cwd,
    homeDir,
    userConfigDir: userConfigDir(process.platform, run.env, homeDir),
    commandLine: 'headless',
  };
}

/**
 * The inputs for reports such as `--status`: they use the lab folder or the followed lab manager that was chosen in the
 * app, unless `--settings-dir` or MADSCI_SETTINGS_DIR is set.
 */
async function resolveAppInputs(
  inputs: SettingsInputs,
): Promise<{ readonly reportInputs: SettingsInputs; readonly follow: string | null }> {
  const { labFolder, follow } = await readChosenLab(appFolders(process.platform, inputs.env, inputs.homeDir));
  const { isExplicit } = await findSettingsStart(inputs);
  const address = follow === null || isExplicit ? null : parseLabAddress(follow);
  return {
    reportInputs: labFolder === null ? inputs : { ...inputs, labFolder },
    // The file may have been edited: a password must not be printed.
    follow: address?.ok ? address.value : null,
  };
}

/** Runs the service until a stop signal. @param lab the lab to serve @param inputs of this program: they determine the log's folder */
async function serve(
  lab: Pick<LabManagerOptions, 'inputs' | 'demo' | 'listen'>,
  inputs: SettingsInputs,
  installation: ReturnType<typeof findInstallation>,
  output: Output,
): Promise<number> {
  const file = openLog(await headlessLogDir(inputs));
  if (file.error !== null) file.log.warn(await failedWriteText(file.path, file.error));
  const manager = new LabManager({
    ...lab,
    version: installation.version,
    bundled: installation,
    log: file.log,
    onLogSettings: file.configure,
  });
  const stopRequest = stopSignal();
  handleUncaughtErrors(file.log, (code, reason) => {
    const { version } = installation;
    const crash = { process: 'service', reason, exitCode: code, version } as const;
    void recordCrash(dirname(file.path), crash, file.log).then(() => exitDespiteStorage(code));
  });
  const started = await manager.start();
  const code = failureCode(started);
  if (code !== null) {
    await manager.stop();
    output.printError(formatGuideHint(failureEntry(started), installation.help));
    return code;
  }
  if (started.phase === 'running') {
    const title = started.demo ? 'Demo lab' : `Lab Manager ${installation.version}`;
    output.print(`${title} at ${started.loopbackUrl} (log: ${file.error === null ? file.path : 'this output only'})`);
  }
  const systemd = new SystemdNotify(inputs.env, file.log.scope('systemd'));
  await systemd.ready();
  const signal = await stopRequest;
  file.log.info(`Stopping: ${signal}`);
  await systemd.stopping();
  await manager.stop();
  return exitCodes.ok;
}

/** The exit code of a failed start; `null` when the service runs. */
function failureCode(status: ServiceStatus): number | null {
  switch (status.phase) {
    case 'running':
    case 'attached':
      return null;
    case 'settings-error':
      return exitCodes.settings;
    case 'port-taken':
      return exitCodes.port;
    case 'stopped':
    case 'starting':
    case 'failed':
      return exitCodes.failure;
  }
}

/** The guide entry that explains a failed start. */
function failureEntry({ phase }: ServiceStatus): GuideEntry {
  if (phase === 'settings-error') return 'settings';
  return phase === 'port-taken' ? 'portInUse' : 'serviceFailed';
}

/**
 * Resolves with the first stop signal. The handlers stay, because Ctrl+C causes a second signal from the parent process,
 * which must not end the shutdown early.
 */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve(signal));
  });
}

/** @param guideFolder full path of the user guide's pages */
async function checkSettings(
  inputs: SettingsInputs,
  guideFolder: string,
  { print, printError }: Output,
): Promise<number> {
  const result = await loadSettings(inputs);
  for (const warning of result.warnings) printError(formatProblem(warning));
  if (result.ok) {
    print(formatEffective(result));
    return exitCodes.ok;
  }
  for (const problem of result.problems) printError(formatProblem(problem));
  printError(formatGuideHint('settings', guideFolder));
  return exitCodes.settings;
}

/** Runs `work` with valid settings. */
async function withSettings(
  inputs: SettingsInputs,
  { printError }: Output,
  work: (settings: LabSettings) => Promise<number>,
): Promise<number> {
  const result = await loadSettings(inputs);
  if (result.ok) return work(result.settings);
  for (const problem of result.problems) printError(formatProblem(problem));
  return exitCodes.settings;
}

function ownUrl(settings: LabSettings): string {
  return `http://127.0.0.1:${getListenTarget(settings).port}/`;
}

function rejectOption(message: string, program: string, { printError }: Output): number {
  printError(`${message}\n${program} --help lists every option`);
  return exitCodes.settings;
}
