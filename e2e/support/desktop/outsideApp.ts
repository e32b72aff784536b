/**
 * The packaged app as users start it, tested from outside: as an ordinary user, in its sandbox, with a separate home and
 * session bus. Playwright's own start disables the sandbox and needs a fuse that the release build lacks; here a test
 * uses Chromium's remote debugging, the process list, and the app's files.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { ordinaryUser } from './ordinaryUser.ts';
import {
  isMainProcess,
  plainEnvironment,
  signalIfRunning,
  startProgram,
  waitFor,
  waitForProcessesToEnd,
  type ExitStatus,
  type RunningProcess,
  type Program,
} from './program.ts';
import { pickFreePort } from '../managers.ts';
import { attach, debuggingSwitch } from './remoteDebugging.ts';
import { startSessionBus } from './sessionBus.ts';
import { TrayHost } from './trayHost.ts';
import { getReadableApp } from './unpackedApp.ts';

export interface OutsideOptions {
  /** A program to start instead of the release build under test. */
  readonly program?: string;
  /** An existing home, which remains when the app is closed; by default a temporary one. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of the app; a function receives the port that was chosen for it. */
  readonly args?: readonly string[] | ((port: number) => readonly string[]);
  /** Starts the app without a window: `--headless`. */
  readonly headless?: boolean;
  /** Makes folders unusable once the user owns them. @returns a function that undoes the change */
  readonly makeUnusable?: (folders: OutsideFolders) => () => void;
  /**
   * Settings by key for `lab.settings.yaml`, in addition to a free loopback port and a setting of the lab, with which the
   * dashboard opens; `null` writes no such file.
   */
  readonly settings?: Readonly<Record<string, string | number>> | null;
  /** Adds files to the home before the start; they are given to the user. */
  readonly prepare?: (folders: OutsideFolders) => void | Promise<void>;
  /** Whether this desktop has a tray; default `true`. */
  readonly hasTray?: boolean;
}

export interface OutsideFolders {
  readonly home: string;
  /** The user configuration folder. */
  readonly config: string;
}

export type ProcessKind = 'main' | 'renderer' | 'node service' | 'gpu' | 'other';

export interface OutsideProcess extends RunningProcess {
  readonly kind: ProcessKind;
}

export interface OutsideApp extends OutsideFolders {
  /** The port of the service in the settings, unless `settings` are `null`. */
  readonly port: number;
  readonly tray: TrayHost;
  readonly exit: Promise<ExitStatus>;
  /** The first window's page, once it has loaded content. */
  page(): Promise<Page>;
  pages(): Promise<readonly Page[]>;
  /** The app's output so far, stdout and stderr. */
  output(): string;
  processes(): readonly OutsideProcess[];
  /** Signals every process of a kind. @throws Error if there is none */
  signal(signal: NodeJS.Signals, kind?: ProcessKind): void;
  /** Starts the program again in the same session and on the same folders, as a second double click does. */
  startAgain(args?: readonly string[]): Promise<Program>;
  /** Quits the app, kills remaining processes, and removes everything that was created for it. */
  close(): Promise<void>;
}

const quitTimeoutMs = 6000;
/** The switches that the package's launcher sets. */
const headlessSwitches = [
  '--no-sandbox',
  '--no-zygote',
  '--in-process-gpu',
  '--ozone-platform=headless',
  '--disable-gpu',
  '--log-level=3',
  '--headless',
] as const;

/**
 * Starts the app in a home with the given settings.
 * @returns once its process is started; `page()` waits for its window
 * @throws Error when the path of the packaged app is not set, or the session cannot be created
 */
export async function startOutside(options: OutsideOptions = {}): Promise<OutsideApp> {
  const undo: (() => void | Promise<void>)[] = [];
  // All steps run even if one fails: leftovers would disturb the next test.
  const close = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let step = undo.pop(); step; step = undo.pop()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
  try {
    return await startWithUndo(options, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param undo receives the function that undoes each step, in the order of the steps */
async function startWithUndo(
  options: OutsideOptions,
  undo: (() => void | Promise<void>)[],
  close: OutsideApp['close'],
): Promise<OutsideApp> {
  const user = ordinaryUser();
  const folders = foldersIn(options.home ?? mkdtempSync(join(tmpdir(), 'home-')));
  if (options.home === undefined) undo.push(() => rmSync(folders.home, { recursive: true, force: true }));
  const port = Number(options.settings?.['lab_listen_port'] ?? (await pickFreePort()));
  if (options.settings !== null)
    writeSettings(folders, { lab_watch_interval: 5, lab_listen_port: port, ...options.settings });
  const session = createSession(folders.home);
  await options.prepare?.(folders);
  user.chown(folders.home);
  if (options.makeUnusable) undo.push(options.makeUnusable(folders));

  const bus = await startSessionBus([process.getuid?.() ?? user.uid, user.uid]);
  undo.push(() => bus.stop());
  const tray = await TrayHost.start({ hasTray: options.hasTray ?? true, busAddress: bus.address });
  undo.push(() => tray.stop());

  const args = typeof options.args === 'function' ? options.args(port) : (options.args ?? []);
  const launcher = [...user.command, options.program ?? getReadableApp(user)];
  const mode = options.headless ? headlessSwitches : [debuggingSwitch];
  const command = [...launcher, ...mode, ...args];
  const env = { ...session, DBUS_SESSION_BUS_ADDRESS: bus.address, ...options.env };
  const program = startProgram(command, env, '/');
  const window = new DebuggedWindow(program);
  undo.push(() => window.disconnect());
  undo.push(() => end(program));

  const processes = () => program.processes().map((running) => ({ ...running, kind: getKind(running) }));
  return {
    ...folders,
    port,
    tray,
    exit: program.exit,
    page: () => window.page(),
    pages: () => window.pages(),
    output: () => program.output(),
    processes,
    signal: (signal, kind = 'main') => {
      const targets = processes().filter((candidate) => candidate.kind === kind);
      if (targets.length === 0) throw new Error(`The app has no ${kind} process. Its output:\n${program.output()}`);
      for (const { pid } of targets) signalIfRunning(pid, signal);
    },
    startAgain: async (secondArgs = []) => {
      const second = startProgram([...launcher, ...secondArgs], env, '/');
      undo.push(() => end(second));
      return second;
    },
    close,
  };
}

/** The app's windows, through Chromium's remote debugging; connects at the first access. */
class DebuggedWindow {
  readonly #program: Program;
  #browser: Promise<Browser> | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  async pages(): Promise<readonly Page[]> {
    this.#browser ??= attach(this.#program);
    return (await this.#browser).contexts().flatMap((context) => context.pages());
  }

  page(): Promise<Page> {
    return waitFor(this.#program, 'a window', async () => {
      return (await this.pages()).find((page) => !/^(|about:blank|devtools:.*)$/.test(page.url())) ?? null;
    });
  }

  async disconnect(): Promise<void> {
    // The connection may have failed, or ended with the app.
    const browser = await this.#browser?.catch(() => null);
    this.#browser = null;
    await browser?.close().catch(() => undefined);
  }
}

/** Quits the app, and kills remaining processes. */
async function end(program: Program): Promise<void> {
  // A process that is stopped by a signal would not handle SIGTERM.
  for (const { pid } of program.processes()) signalIfRunning(pid, 'SIGCONT');
  for (const { pid } of program.processes().filter(isMainProcess)) signalIfRunning(pid, 'SIGTERM');
  await Promise.race([program.exit, sleep(quitTimeoutMs, null, { ref: false })]);
  program.kill();
  await waitForProcessesToEnd(program);
}

/** @param home the folder that contains the app's configuration folder, as usual on Linux */
function foldersIn(home: string): OutsideFolders {
  return { home, config: join(home, '.config', 'lab-manager') };
}

function writeSettings({ config }: OutsideFolders, settings: Readonly<Record<string, string | number>>): void {
  mkdirSync(config, { recursive: true });
  const all = { lab_listen_host: '127.0.0.1', ...settings };
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  writeFileSync(join(config, 'lab.settings.yaml'), lines.join(''));
}

/**
 * Creates the runtime directory of a login session. The X authority file is copied, because it may be readable only for
 * the account of the tests.
 * @returns the environment of the session without the bus
 */
function createSession(home: string): NodeJS.ProcessEnv {
  const plain = Object.entries(plainEnvironment()).filter(([name]) => !/^(XDG_\w+|USER|LOGNAME|MAIL)$/.test(name));
  const runtime = join(home, '.runtime');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const session = { ...Object.fromEntries(plain), HOME: home, XDG_RUNTIME_DIR: runtime };
  const key = process.env['XAUTHORITY'];
  if (!key || !existsSync(key)) return session;
  copyFileSync(key, join(home, '.Xauthority'));
  return { ...session, XAUTHORITY: join(home, '.Xauthority') };
}

function getKind(running: RunningProcess): ProcessKind {
  if (isMainProcess(running)) return 'main';
  // Chromium rewrites the command line of some processes as one string.
  const text = running.commandLine.join(' ');
  const type = / --type=(\S+)/.exec(text)?.[1];
  if (type === 'renderer') return 'renderer';
  if (type === 'gpu-process') return 'gpu';
  return text.includes('--utility-sub-type=node.mojom.NodeService') ? 'node service' : 'other';
}
