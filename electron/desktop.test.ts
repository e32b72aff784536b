import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../server/logging/log.ts';
import { makeTempFolder, type TempFolder } from '../server/fixtures/tempFolder.ts';
import type { ServiceStatus } from '../server/status.ts';
import { chooseLabManager } from './connect/portInUse.ts';
import { DemoWindow } from './demo/demoWindow.ts';
import { Desktop } from './desktop.ts';
import { attachedStatus, labStatus, portInUseStatus, runningStatus } from './fixtures/states.ts';
import type { AppPaths } from './folders/appPaths.ts';
import type { LabServiceOptions, ServiceState } from './service/labService.ts';
import type { TrayOptions } from './tray/tray.ts';
import type { WindowView } from './windows/windowView.ts';

/** The fake service, window, tray and demo lab of the desktop, and the calls that they received. */
const fakes = vi.hoisted(() => ({
  service: null as unknown as { options: LabServiceOptions; state: ServiceState },
  started: [] as unknown[],
  views: [] as unknown[],
  feeds: [] as unknown[],
  notificationTitles: [] as string[],
  tray: null as unknown as TrayOptions,
  windowShown: vi.fn(),
  demoShown: vi.fn(),
  demoClosed: vi.fn(),
  stop: vi.fn(async () => undefined),
}));
vi.mock('electron', () => ({
  app: { isPackaged: true },
  powerMonitor: { on: () => undefined },
  Notification: class {
    static readonly isSupported = () => true;
    constructor({ title }: { title: string }) {
      fakes.notificationTitles.push(title);
    }
    readonly on = (): void => undefined;
    readonly show = (): void => undefined;
  },
  nativeTheme: {},
  dialog: {},
  screen: { getAllDisplays: () => [] },
}));
vi.mock('electron-log/main', () => ({ default: {} }));
vi.mock('./service/labService.ts', () => ({
  LabService: class {
    state = {
      status: { phase: 'starting' },
      lab: null,
      receivedAt: null,
      lastCrash: null,
      failedSince: null,
      unresponsiveSince: null,
      logFile: '',
    };
    readonly options: LabServiceOptions;
    constructor(options: LabServiceOptions) {
      this.options = options;
      fakes.service = this as unknown as typeof fakes.service;
    }
    readonly dashboardUrl = null;
    readonly start = (...start: unknown[]) => void fakes.started.push(start);
    readonly stop = fakes.stop;
  },
}));
vi.mock('./windows/labWindow.ts', () => ({
  LabWindow: class {
    readonly browserWindow = { once: () => undefined, getNormalBounds: () => ({}), isMaximized: () => false };
    readonly isDestroyed = false;
    readonly showsDashboard = false;
    readonly visibleUrl = null;
    readonly show = fakes.windowShown;
    readonly showView = (view: unknown) => void fakes.views.push(view);
  },
}));
vi.mock('./tray/tray.ts', () => ({
  LabTray: class {
    constructor(options: TrayOptions) {
      fakes.tray = options;
    }
    readonly update = (): void => undefined;
    readonly destroy = (): void => undefined;
  },
}));
vi.mock('./updates/updates.ts', () => ({
  Updates: class {
    readonly notices = [];
    readonly setFeed = (...feed: unknown[]) => void fakes.feeds.push(feed);
    readonly stop = (): void => undefined;
  },
}));
vi.mock('./crashes/crashWatch.ts', () => ({
  CrashWatch: class {
    readonly end = (): void => undefined;
  },
}));
vi.mock('./demo/demoSession.ts', () => ({
  DemoSession: class {
    readonly start = async (): Promise<void> => undefined;
    readonly stop = fakes.stop;
  },
}));
vi.mock('./demo/demoWindow.ts', () => ({
  DemoWindow: class {
    readonly window = { show: fakes.demoShown, browserWindow: { close: fakes.demoClosed } };
    readonly stop = fakes.stop;
  },
}));

let folder: TempFolder;
let desktop: Desktop;
const onChange = vi.fn();

beforeEach(async () => {
  vi.clearAllMocks();
  Object.assign(fakes, { started: [], views: [], feeds: [], notificationTitles: [] });
  folder = await makeTempFolder();
  const { path } = folder;
  const appPaths = {
    configDir: path,
    preferencesFile: `${path}/preferences.json`,
    logDir: path,
    iconDir: path,
    folderProblems: [],
    installation: { demo: '' },
  };
  desktop = new Desktop(appPaths as unknown as AppPaths, silentLog, () => undefined, onChange);
});
afterEach(async () => {
  await desktop.quit();
  await folder.remove();
});

/** Reports a state as the service does. */
function report(changes: Partial<ServiceState>): void {
  fakes.service.state = { ...fakes.service.state, ...changes };
  fakes.service.options.onChange();
}
const follow = (url: string) => desktop.startService({ kind: 'follow', url });

describe('the shown lab', () => {
  it.each<[string | null, object]>([
    [null, { kind: 'serve' }],
    ['http://lab-b:8000/', { kind: 'follow', url: 'http://lab-b:8000/' }],
  ])('is the lab stored in the preferences: %s', (url, mode) => {
    desktop.preferences.change({ follow: url });
    desktop.startPreferredLab();
    expect(fakes.started).toEqual([[mode, undefined, true]]);
  });

  it('stays the same when the service restarts without another mode', () => {
    follow('http://lab-b:8000/');
    desktop.startService();
    expect(fakes.started.at(-1)).toEqual([{ kind: 'follow', url: 'http://lab-b:8000/' }, undefined, true]);
    expect(desktop.followedUrl).toBe('http://lab-b:8000/');
  });

  it.each<[string, string | null, Partial<ServiceState>, string]>([
    ['an unknown name', null, {}, `the lab on this machine (${hostname()})`],
    ['a name in the settings', null, { status: runningStatus() }, `Bench Lab on this machine (${hostname()})`],
    ['a followed lab before its response', 'http://lab-b:8000/', {}, 'the lab on lab-b'],
    ['a followed lab', 'http://lab-b:8000/', { lab: labStatus('healthy') }, 'Bench Lab on lab-b'],
  ])('is named with its machine: %s', (_name, url, state, name) => {
    if (url !== null) follow(url);
    report(state);
    expect(desktop.labOnMachine).toBe(name);
  });

  it.each<[string | null, boolean]>([
    [null, false],
    ['http://lab-b:8000/', false],
    ['http://127.0.0.1:8000/', true],
  ])('needs a confirmation of its machine only at a followed loopback address: %s, %s', (url, needsConfirmation) => {
    if (url !== null) follow(url);
    expect(desktop.machineWarning !== null).toBe(needsConfirmation);
  });
});

describe('the window', () => {
  const page = (): string | undefined => {
    const shown = fakes.views.at(-1) as WindowView;
    return shown.kind === 'page' ? shown.page.page : shown.kind;
  };
  const unconfigured = runningStatus({ configured: false });

  it.each<[string, ServiceStatus, string]>([
    ['the service starts', { phase: 'starting' }, 'starting'],
    ['it runs', runningStatus(), 'dashboard'],
    ['another copy has the port', attachedStatus(), 'dashboard'],
    ['it has failed', { phase: 'failed', reason: 'no' }, 'failed'],
  ])('shows the page $2 when %s', (_name, status, shown) => {
    desktop.openWindow(false);
    report({ status });
    expect(page()).toBe(shown);
  });

  it('shows the first screen until it is passed', () => {
    desktop.openWindow(false);
    const lab = { ...labStatus('failed'), healthy_managers: 0 };
    report({ status: unconfigured, lab });
    expect(page()).toBe('first-screen');
    desktop.passFirstScreen();
    expect(page()).toBe('dashboard');
  });

  it('shows the first screen when it runs the service of another account in its place, without settings', () => {
    desktop.openWindow(false);
    report({ status: attachedStatus() });
    expect(page()).toBe('dashboard');
    report({ status: { ...attachedStatus(), lost: { since: 1, reason: 'no answer' } } });
    desktop.passFirstScreen(false);
    desktop.startService({ kind: 'serve' });
    report({ status: unconfigured, lab: { ...labStatus('failed'), healthy_managers: 0 } });
    expect(page()).toBe('first-screen');
  });

  it('shows the choices between the lab manager of another owner and a new one until one is chosen', () => {
    desktop.openWindow(false);
    const otherOwner = { account: 'ann', settingsFile: '/ann.yaml', ownSettingsFile: '/bob.yaml' };
    report({ status: attachedStatus({ otherOwner }) });
    chooseLabManager(desktop);
    expect(fakes.started.at(-1)).toEqual([{ kind: 'serve' }, undefined, false]);
    report({ status: portInUseStatus({ portOwner: { kind: 'ours' } }) });
    expect(fakes.views.at(-1)).toMatchObject({ page: { page: 'port-taken', otherOwner } });
    desktop.startService();
    report({ status: portInUseStatus() });
    expect(fakes.views.at(-1)).toMatchObject({ page: { page: 'port-taken', otherOwner: null } });
  });

  it('stays on its page once the app quits', async () => {
    desktop.openWindow(false);
    await desktop.quit();
    const count = fakes.views.length;
    report({ status: runningStatus() });
    expect(fakes.views).toHaveLength(count);
  });
});

describe('the update feed', () => {
  it.each<[string, ServiceStatus, unknown[]]>([
    ['the running service', runningStatus({ updateFeed: 'https://feed/' }), [['https://feed/', null]]],
    ['the demo lab', runningStatus({ updateFeed: 'https://feed/', demo: true }), []],
    ['an attached service', attachedStatus(), []],
  ])('is set only by a running service with settings: %s', (_name, status, feeds) => {
    report({ status });
    expect(fakes.feeds).toEqual(feeds);
  });
});

describe('the demo lab', () => {
  it('opens once next to the lab and is brought to the front when it is opened again', () => {
    desktop.openWindow(false);
    desktop.openDemo();
    expect(desktop.demoWindow).toBeInstanceOf(DemoWindow);
    expect(fakes.demoShown).not.toHaveBeenCalled();
    desktop.openDemo();
    expect(fakes.demoShown).toHaveBeenCalledOnce();
  });

  it('has no second window when it replaces the lab, and the lab returns when the user leaves it', async () => {
    desktop.openWindow(false);
    await desktop.startDemoOnly();
    desktop.openDemo();
    expect([desktop.showsDemo, desktop.demoWindow]).toEqual([true, null]);
    expect(fakes.windowShown).toHaveBeenCalledOnce();
    await desktop.leaveDemo();
    expect([desktop.showsDemo, fakes.started.length]).toEqual([false, 1]);
  });
});

describe('the tray', () => {
  it.each([
    [true, 'the service keeps stopping'],
    [false, 'starting'],
  ])('shows that the service keeps stopping only after repeated crashes: %s', (isCrashingRepeatedly, sentence) => {
    desktop.openTray();
    report({
      lastCrash: {
        reason: 'It stopped',
        exitCode: 1,
        crashes: 4,
        isCrashingRepeatedly,
        nextRetryAt: Date.now(),
      },
    });
    expect(fakes.tray.model().tooltip).toContain(sentence);
  });
});

describe('notifications', () => {
  const notification = {
    kind: 'state',
    title: 'Data Manager',
    body: 'unreachable',
    path: '/lab',
    subjects: ['manager data'],
  };
  const notify = () => fakes.service.options.onNotification?.(notification as never);

  it('are shown unless they are muted', () => {
    notify();
    desktop.mute('manager data', Date.now() + 60_000);
    notify();
    desktop.mute('manager data', null);
    notify();
    expect(fakes.notificationTitles).toHaveLength(2);
  });

  it('can’t be muted until a time in the past', () => {
    expect(() => desktop.mute(null, Date.now() - 1)).toThrow('Muting must end in the future');
  });

  it('are not shown once the app quits', async () => {
    await desktop.quit();
    notify();
    expect(fakes.notificationTitles).toEqual([]);
  });
});

describe('quitting the app', () => {
  it('stops the service and the demo lab, and the service cannot be started again', async () => {
    desktop.openWindow(false);
    desktop.openDemo();
    await desktop.quit();
    expect(fakes.stop).toHaveBeenCalledTimes(2);
    desktop.startService();
    expect(fakes.started).toEqual([]);
  });
});

it('the app reports state files of the last run that can’t be read', async () => {
  await folder.write({ 'preferences.json/': '' });
  await desktop.load();
  expect(desktop.problems.noticeInput.files).toMatchObject([
    { path: `${folder.path}/preferences.json`, use: 'Preferences' },
  ]);
});
