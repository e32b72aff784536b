/** The packaged app under test, with its own profile and settings folder, started and ended by the test. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { expect } from 'playwright/test';
import { folderTexts } from '#electron/pages/parts/texts.ts';
import { testRegistry } from './program.ts';

export interface DesktopOptions {
  /** A program to start instead of the one under test. */
  readonly program?: string;
  /** Settings files by name, written into the lab's folder before the start. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files in the user configuration folder, which is also the profile folder. */
  readonly userFiles?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether `--settings-dir` selects the lab's folder; default `true`. */
  readonly useLabFolder?: boolean;
}

export interface DesktopApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly labFolder: string;
  readonly userFolder: string;
  close(): Promise<void>;
}

/** Returns the program to test, built by `npm test`; only its inspect fuse differs from the release. */
export function programUnderTest(): { readonly executablePath: string; readonly args: readonly string[] } {
  const executablePath = process.env['LAB_MANAGER_APP'];
  if (!executablePath) throw new Error('LAB_MANAGER_APP must name the packaged app: run npm test');
  const args = process.env['LAB_MANAGER_APP_ARGS'];
  return { executablePath, args: args ? args.split(' ') : [] };
}

export async function startDesktop(options: DesktopOptions = {}): Promise<DesktopApp> {
  const labFolder = await mkdtemp(join(tmpdir(), 'lab-'));
  const userFolder = await mkdtemp(join(tmpdir(), 'user-'));
  for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(labFolder, name), text);
  for (const [name, text] of Object.entries(options.userFiles ?? {})) await writeFile(join(userFolder, name), text);
  return startDesktopIn(labFolder, userFolder, options);
}

/** Starts the app on existing folders. */
export async function startDesktopIn(
  labFolder: string,
  userFolder: string,
  options: DesktopOptions = {},
): Promise<DesktopApp> {
  const { executablePath, args } = programUnderTest();
  const folder = options.useLabFolder === false ? [] : [`--settings-dir=${labFolder}`];
  const app = await launch({
    executablePath: options.program ?? executablePath,
    args: [...args, `--user-data-dir=${userFolder}`, ...folder, ...(options.args ?? [])],
    // A separate history, because the next app may have the same port.
    env: {
      ...cleanEnvironment(),
      XDG_STATE_HOME: join(userFolder, 'state'),
      MADSCI_REGISTRY_PATH: join(userFolder, 'registry.json'),
      ...options.env,
    },
  });
  const page = await app.firstWindow();
  return {
    app,
    page,
    labFolder,
    userFolder,
    close: async () => {
      await app.close();
      await rm(labFolder, { recursive: true, force: true });
      await rm(userFolder, { recursive: true, force: true });
    },
  };
}

/** The timeout of each attempt to start the app and attach to it, in ms; it usually takes two seconds. */
const launchTimeoutsMs = [12_000, 12_000, 25_000] as const;

/** Starts the app and attaches to it. Attaching hangs forever if the page is replaced meanwhile, so it is retried. */
async function launch(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  for (const [index, timeout] of launchTimeoutsMs.entries()) {
    try {
      return adaptApp(await _electron.launch({ ...options, timeout }));
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      if (!isTimeout || index === launchTimeoutsMs.length - 1) throw error;
    }
  }
  throw new Error('The app was never started');
}

/**
 * Makes the app repeat a failed evaluation once: V8 may collect the promise of an evaluation in the main process before
 * its result is sent, which Playwright reports as an error. Closing it confirms the question about quitting.
 */
function adaptApp(app: ElectronApplication): ElectronApplication {
  const evaluate = app.evaluate.bind(app) as (...input: readonly unknown[]) => Promise<unknown>;
  const evaluateWithRetry = async (...input: readonly unknown[]): Promise<unknown> => {
    try {
      return await evaluate(...input);
    } catch (error) {
      if (!String(error).includes('promise was garbage collected')) throw error;
      return evaluate(...input);
    }
  };
  const close = app.close.bind(app);
  const confirmAndClose = async (): Promise<void> => {
    await app
      .evaluate(({ dialog }) => {
        dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
      })
      .catch(() => undefined); // The app has already ended.
    await close();
  };
  return Object.assign(app, { evaluate: evaluateWithRetry as typeof app.evaluate, close: confirmAndClose });
}

/**
 * Starts the program with the profile of a running app. It hands over to that app and exits; Playwright cannot attach to
 * such a program.
 * @returns its exit code
 */
export function startSecondInstance(userFolder: string, more: readonly string[] = []): Promise<number | null> {
  const { executablePath, args } = programUnderTest();
  return new Promise((resolve, reject) => {
    // Without the sandbox, as Playwright starts the first instance.
    const input = ['--no-sandbox', ...args, `--user-data-dir=${userFolder}`, ...more];
    const child = spawn(executablePath, input, { env: cleanEnvironment(), stdio: 'ignore' });
    child.once('error', reject).once('exit', resolve);
  });
}

/** Runs an action that closes a window, and waits until it is closed. Ignores a rejection of the action. */
export async function waitForClose(window: Page, action: () => Promise<unknown>): Promise<void> {
  const closed = window.waitForEvent('close');
  await Promise.allSettled([action()]);
  await closed;
}

/** Opens the window in which the lab's folder is chosen, and waits for the content of its first folder. */
export async function openFolderChooser(app: ElectronApplication, action: () => Promise<unknown>): Promise<Page> {
  const [chooser] = await Promise.all([app.waitForEvent('window'), action()]);
  await expect(chooser.getByLabel(folderTexts.path, { exact: true })).not.toHaveValue('');
  return chooser;
}

/** Returns the process ID of the service; `null` while it does not run. */
export function getServicePid(app: ElectronApplication): Promise<number | null> {
  return app.evaluate(({ app: electron }) => {
    const service = electron.getAppMetrics().find((process) => process.name === 'Lab Manager service');
    return service?.pid ?? null;
  });
}

/** Clicks an item of the application menu, as a user would. @returns whether there is such an item */
export function clickMenuItem(app: ElectronApplication, label: string): Promise<boolean> {
  return app.evaluate(({ Menu, BrowserWindow }, requested) => {
    const find = (items: Electron.MenuItem[]): Electron.MenuItem | undefined =>
      items
        .flatMap((item) => [item, ...(item.submenu ? [find(item.submenu.items)] : [])])
        .find((item) => item?.label.replaceAll('&', '').replace(' (Ctrl+,)', '') === requested);
    const item = find(Menu.getApplicationMenu()?.items ?? []);
    item?.click(undefined, BrowserWindow.getAllWindows()[0]);
    return item !== undefined;
  }, label);
}

/** Returns this process's environment without settings. */
export function cleanEnvironment(): Record<string, string> {
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^LAB_|_SERVER_URL$|^MADSCI_/.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(variables), MADSCI_REGISTRY_PATH: testRegistry };
}

/** Kills a process, which must run. Returns its process ID. */
export function killProcess(pid: number | null | undefined): number {
  // Signalling process 0 would hit this process.
  if (!pid) throw new Error('The process does not run');
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** Kills the service, which must run. Returns its process ID. */
export async function killService(app: ElectronApplication): Promise<number> {
  return killProcess(await getServicePid(app));
}
