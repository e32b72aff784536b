/**
 * The packaged app as people start it, seen from outside: as an ordinary user, in its sandbox, on a home and a session bus
 * of its own. Playwright's own start takes the sandbox away and needs a fuse that the release build doesn't have; here a
 * test looks through Chromium's remote debugging, at the processes, and at what the app writes.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { ordinaryUser } from './ordinaryUser.ts';
import {
  freePort,
  isMain,
  plainEnvironment,
  signalLiving,
  startProgram,
  until,
  untilEnded,
  type ExitStatus,
  type LivingProcess,
  type Program,
} from './program.ts';
import { attach, debuggingSwitch } from './remoteDebugging.ts';
import { startSessionBus } from './sessionBus.ts';
import { TrayHost } from './trayHost.ts';
import { readableApp } from './unpackedApp.ts';

export interface OutsideOptions {
  /** A home that is there already, as at a second start, and stays when the app is closed; else one is made. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of the app; a function gets the port that was chosen for it. */
  readonly args?: readonly string[] | ((port: number) => readonly string[]);
  /** Without a window: `--headless`. */
  readonly headless?: boolean;
  /** Makes folders unusable once they were given to the user. @returns what undoes it */
  readonly spoil?: (folders: OutsideFolders) => () => void;
  /** Settings by key, on top of a free loopback port, for `lab.settings.yaml`; `null` writes no such file. */
  readonly settings?: Readonly<Record<string, string | number>> | null;
  /** Puts more into the home before the start; what it makes is given to the user. */
  readonly prepare?: (folders: OutsideFolders) => void | Promise<void>;
  /** Whether this desktop has a tray; it has one unless this is `false`. */
  readonly hasTray?: boolean;
}

export interface OutsideFolders {
  readonly home: string;
  /** The user configuration folder. */
  readonly config: string;
}

export type ProcessKind = 'main' | 'renderer' | 'node service' | 'gpu' | 'other';

export interface OutsideProcess extends LivingProcess {
  readonly kind: ProcessKind;
}

export interface OutsideApp extends OutsideFolders {
  /** Of the service, as the settings have it, unless `settings` are `null`. */
  readonly port: number;
  readonly tray: TrayHost;
  readonly exit: Promise<ExitStatus>;
  /** The first window's page, once it shows something. */
  page(): Promise<Page>;
  pages(): Promise<readonly Page[]>;
  /** What the app wrote so far, to both outputs. */
  output(): string;
  processes(): readonly OutsideProcess[];
  /** To every process of a kind. @throws Error when there is none */
  signal(signal: NodeJS.Signals, kind?: ProcessKind): void;
  /** Starts the program once more in the same session and on the same folders, as a second double click does. */
  again(args?: readonly string[]): Promise<Program>;
  /** Asks the app to end, ends whatever is left of it, and takes away what was made for it. */
  close(): Promise<void>;
}

const endMs = 6000;
/** As the package's launcher has them. */
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
 * Starts the app on a home with the settings asked for.
 * @returns once its process is started; `page()` waits for its window
 * @throws Error when the packaged app isn't named, or the session can't be made
 */
export async function startOutside(options: OutsideOptions = {}): Promise<OutsideApp> {
  const undo: (() => void | Promise<void>)[] = [];
  // All of it, whatever one step meets: what is left would be in the next test's way.
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
    return await started(options, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param undo takes what undoes each step, in the order of the steps */
async function started(
  options: OutsideOptions,
  undo: (() => void | Promise<void>)[],
  close: OutsideApp['close'],
): Promise<OutsideApp> {
  const user = ordinaryUser();
  const folders = foldersIn(options.home ?? mkdtempSync(join(tmpdir(), 'home-')));
  if (options.home === undefined) undo.push(() => rmSync(folders.home, { recursive: true, force: true }));
  const port = Number(options.settings?.['lab_listen_port'] ?? (await freePort()));
  if (options.settings !== null) writeSettings(folders, { lab_listen_port: port, ...options.settings });
  const session = writeSession(folders.home);
  await options.prepare?.(folders);
  user.own(folders.home);
  if (options.spoil) undo.push(options.spoil(folders));

  const bus = await startSessionBus([process.getuid?.() ?? user.uid, user.uid]);
  undo.push(() => bus.stop());
  const tray = await TrayHost.start({ tray: options.hasTray ?? true, busAddress: bus.address });
  undo.push(() => tray.stop());

  const args = typeof options.args === 'function' ? options.args(port) : (options.args ?? []);
  const launcher = [...user.command, readableApp(user)];
  const mode = options.headless ? headlessSwitches : [debuggingSwitch];
  const command = [...launcher, ...mode, ...args];
  const env = { ...session, DBUS_SESSION_BUS_ADDRESS: bus.address, ...options.env };
  const program = startProgram(command, env, '/');
  const window = new DebuggedWindow(program);
  undo.push(() => window.disconnect());
  undo.push(() => end(program));

  const processes = () => program.processes().map((living) => ({ ...living, kind: kindOf(living) }));
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
      const meant = processes().filter((candidate) => candidate.kind === kind);
      if (meant.length === 0) throw new Error(`The app has no ${kind} process. It said:\n${program.output()}`);
      for (const { pid } of meant) process.kill(pid, signal);
    },
    again: async (more = []) => {
      const second = startProgram([...launcher, ...more], env, '/');
      undo.push(() => end(second));
      return second;
    },
    close,
  };
}

/** The app's windows, through Chromium's remote debugging; connected when the first one is asked for. */
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
    return until(this.#program, 'a window', async () => {
      return (await this.pages()).find((page) => !/^(|about:blank|devtools:.*)$/.test(page.url())) ?? null;
    });
  }

  async disconnect(): Promise<void> {
    // It may never have come about; and it goes with the app.
    const browser = await this.#browser?.catch(() => null);
    this.#browser = null;
    await browser?.close().catch(() => undefined);
  }
}

/** Asks the app to end, and ends whatever is left of it. */
async function end(program: Program): Promise<void> {
  // A stopped process takes no other signal.
  for (const { pid } of program.processes()) signalLiving(pid, 'SIGCONT');
  for (const { pid } of program.processes().filter(isMain)) signalLiving(pid, 'SIGTERM');
  await Promise.race([program.exit, sleep(endMs, null, { ref: false })]);
  program.kill();
  await untilEnded(program);
}

/** @param home where the app's configuration folder is in, by the custom of Linux */
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
 * What a login gives its programs: nothing of ours but the screen, whose key, if it has one, only we can read.
 * @returns the environment, but for the bus
 */
function writeSession(home: string): NodeJS.ProcessEnv {
  const plain = Object.entries(plainEnvironment()).filter(([name]) => !/^(XDG_\w+|USER|LOGNAME|MAIL)$/.test(name));
  const runtime = join(home, '.runtime');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const session = { ...Object.fromEntries(plain), HOME: home, XDG_RUNTIME_DIR: runtime };
  const key = process.env['XAUTHORITY'];
  if (!key || !existsSync(key)) return session;
  copyFileSync(key, join(home, '.Xauthority'));
  return { ...session, XAUTHORITY: join(home, '.Xauthority') };
}

function kindOf(living: LivingProcess): ProcessKind {
  if (isMain(living)) return 'main';
  // Chromium writes some of its processes' names anew, as one text.
  const text = living.commandLine.join(' ');
  const type = / --type=(\S+)/.exec(text)?.[1];
  if (type === 'renderer') return 'renderer';
  if (type === 'gpu-process') return 'gpu';
  return text.includes('--utility-sub-type=node.mojom.NodeService') ? 'node service' : 'other';
}
