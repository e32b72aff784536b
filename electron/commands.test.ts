import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../server/logging/log.ts';
import { Commands } from './commands.ts';
import { chooseLab, connectLab } from './connect/connectLab.ts';
import type { Desktop } from './desktop.ts';
import type { AppCommand, CommandSource, PageCommand } from './ipc/commands.ts';
import { checkForUpdates } from './updates/checkForUpdates.ts';
import { showNotification } from './windows/dialogs.ts';
import { openAddress } from './windows/openExternal.ts';
import { pageWindows } from './windows/pageWindow.ts';

const electron = vi.hoisted(() => ({ quit: vi.fn(), writeText: vi.fn() }));
vi.mock('electron', () => ({ app: { quit: electron.quit }, clipboard: { writeText: electron.writeText } }));
vi.mock('./connect/connectLab.ts', async (original) => ({
  ...(await original<typeof import('./connect/connectLab.ts')>()),
  chooseLab: vi.fn(async () => undefined),
  connectLab: vi.fn(async () => undefined),
}));
vi.mock('./windows/dialogs.ts', () => ({
  closeDialogs: vi.fn(),
  showNotification: vi.fn(),
}));
vi.mock('./windows/openExternal.ts', () => ({ openAddress: vi.fn(async () => undefined), openPath: vi.fn() }));
vi.mock('./windows/guideWindow.ts', () => ({ openGuide: vi.fn() }));
vi.mock('./windows/pageWindow.ts', () => ({
  pageWindowNames: ['stop', 'settings'],
  pageWindows: { stop: { open: vi.fn() }, settings: { open: vi.fn() } },
}));
vi.mock('./updates/checkForUpdates.ts', () => ({ checkForUpdates: vi.fn(async () => undefined) }));

function desktop(changes: object = {}) {
  return {
    appPaths: { logDir: '/logs' },
    log: silentLog,
    service: {
      dashboardUrl: 'http://127.0.0.1:8000/',
      confirmMachine: vi.fn(),
      setMaintenance: vi.fn(async () => undefined),
    },
    commands: { record: vi.fn() },
    safetyStop: { report: null, openReport: vi.fn(), openCurrentReport: vi.fn(), shownLabKey: 'lab', stop: vi.fn() },
    updates: { state: { kind: 'available' }, closeNotice: vi.fn(), cancel: vi.fn() },
    preferences: { values: { labFolder: '/labs/a' }, change: vi.fn() },
    labOnMachine: 'Bench on this machine (lab-pc)',
    knownNodes: ['arm'],
    machineWarning: null as string | null,
    showsDemo: false,
    window: { show: vi.fn() },
    demoWindow: { session: { start: vi.fn() }, window: { browserWindow: { close: vi.fn() } } },
    isQuitting: () => false,
    mute: vi.fn(),
    startService: vi.fn(),
    startDemoOnly: vi.fn(),
    passFirstScreen: vi.fn(),
    ...changes,
  };
}
type FakeDesktop = ReturnType<typeof desktop>;

const createCommands = (shell: FakeDesktop) => new Commands(shell as unknown as Desktop, async () => undefined);
const runFromPage = (shell: FakeDesktop, command: PageCommand, from: Exclude<CommandSource, 'menu'> | null) =>
  createCommands(shell).runFromPage(command, from);
async function runFromMenu(shell: FakeDesktop, command: AppCommand): Promise<void> {
  createCommands(shell).runFromMenu(command);
  await vi.waitFor(() => Promise.resolve());
}

beforeEach(() => vi.clearAllMocks());

describe('a command of a page', () => {
  it.each<[Exclude<CommandSource, 'menu'> | null, PageCommand]>([
    ['demo', { command: 'safety-stop' }],
    ['main', { command: 'use-no-folder' }],
    [null, { command: 'quit' }],
  ])('is refused when the window %s may not send it: %j', async (from, command) => {
    await expect(runFromPage(desktop(), command, from)).rejects.toThrow('This window can’t do that');
    expect(electron.quit).not.toHaveBeenCalled();
  });

  it('returns the result of the command', async () => {
    const chosenLabs = [{ url: 'http://lab-b:8000/', name: null }];
    const app = desktop({ preferences: { values: { chosenLabs } } });
    expect(await runFromPage(app, { command: 'chosen-labs' }, 'main')).toBe(chosenLabs);
  });
});

describe('a command of a menu', () => {
  it('shows in a notification why it failed', async () => {
    vi.mocked(openAddress).mockRejectedValueOnce(new Error('xdg-open is not installed'));
    await runFromMenu(desktop(), { command: 'open-in-browser' });
    expect(showNotification).toHaveBeenCalledWith('Lab Manager', 'xdg-open is not installed');
  });

  it('opens the API page of a manager below the path of its address', async () => {
    await runFromMenu(desktop(), { command: 'open-manager', url: 'http://lab-pc/madsci/data' });
    expect(openAddress).toHaveBeenCalledWith('http://lab-pc/madsci/data/docs');
  });

  it('opens no browser while there is no dashboard', async () => {
    await runFromMenu(desktop({ service: { dashboardUrl: null } }), { command: 'open-in-browser' });
    expect(openAddress).not.toHaveBeenCalled();
  });
});

describe('the choice of a lab', () => {
  const command = { command: 'connect', url: 'http://lab-b:8000/' } as const;

  it('shows the window, which may be hidden in the tray, when it comes from a menu', async () => {
    const app = desktop();
    await runFromMenu(app, command);
    await vi.waitFor(() => expect(app.window.show).toHaveBeenCalledOnce());
    expect(chooseLab).toHaveBeenCalledWith(app, command.url);
  });

  it('does not raise the window when it comes from a page', async () => {
    const app = desktop();
    await runFromPage(app, command, 'main');
    expect(connectLab).toHaveBeenCalledWith(app, command.url);
    expect(app.window.show).not.toHaveBeenCalled();
  });
});

describe('the safety stop', () => {
  it.each<[CommandSource, string | null, boolean, boolean]>([
    // source, reason why the machine is uncertain, stops the nodes, opens the report in a window
    ['menu', null, false, true],
    ['main', null, true, false],
    ['about', null, true, true],
    ['main', 'The machine is not identified', false, true],
  ])('from %s with the warning “%s” stops the nodes: %s, opens a report: %s', async (from, warning, stops, opens) => {
    const app = desktop({ machineWarning: warning });
    if (from === 'menu') await runFromMenu(app, { command: 'safety-stop' });
    else await runFromPage(app, { command: 'safety-stop' }, from);
    expect(app.safetyStop.stop).toHaveBeenCalledTimes(stops ? 1 : 0);
    expect(pageWindows.stop.open).toHaveBeenCalledTimes(opens ? 1 : 0);
    expect(app.service.confirmMachine).not.toHaveBeenCalled();
  });

  it('can be released again before the end of a release', async () => {
    const release = vi.fn(() => new Promise(() => undefined));
    const app = desktop({ safetyStop: { release } });
    await runFromPage(app, { command: 'release-stop' }, 'main');
    await runFromPage(app, { command: 'release-stop' }, 'main');
    expect(release).toHaveBeenCalledTimes(2);
  });
});

describe('a restart', () => {
  it.each<
    [
      string,
      Exclude<CommandSource, 'menu'>,
      boolean,
      keyof Pick<FakeDesktop, 'startService' | 'startDemoOnly'> | 'demo',
    ]
  >([
    ['the service', 'main', false, 'startService'],
    ['the demo lab in the lab’s place', 'settings', true, 'startDemoOnly'],
    ['the demo lab in its own window', 'demo', false, 'demo'],
  ])('starts %s', async (_name, from, showsDemo, started) => {
    const app = desktop({ showsDemo });
    await runFromPage(app, { command: 'restart-service' }, from);
    const calls = [app.startService, app.startDemoOnly, app.demoWindow.session.start].map(
      ({ mock }) => mock.calls.length,
    );
    expect(calls).toEqual(['startService', 'startDemoOnly', 'demo'].map((method) => (method === started ? 1 : 0)));
  });

  it('can show the first screen when the service runs in this app instead of a lost one', async () => {
    const app = desktop();
    await runFromPage(app, { command: 'serve-here' }, 'main');
    expect(app.passFirstScreen).toHaveBeenCalledWith(false);
    expect(app.startService).toHaveBeenCalledWith({ kind: 'serve' });
  });

  it('starts the service after the lab folder is reset', async () => {
    const app = desktop();
    await runFromPage(app, { command: 'use-no-folder' }, 'settings');
    expect(app.preferences.change).toHaveBeenCalledWith({ labFolder: null });
    expect(app.startService).toHaveBeenCalledOnce();
  });
});

describe('the command “quit”', () => {
  it.each<['main' | 'demo', number, number]>([
    ['main', 1, 0],
    ['demo', 0, 1],
  ])(
    'from the window %s quits the app %i times and closes the demo lab’s window %i times',
    async (from, quitCount, closeCount) => {
      const app = desktop();
      await runFromPage(app, { command: 'quit' }, from);
      expect(electron.quit).toHaveBeenCalledTimes(quitCount);
      expect(app.demoWindow.window.browserWindow.close).toHaveBeenCalledTimes(closeCount);
    },
  );
});

describe('maintenance and mutes', () => {
  it.each<[AppCommand & { command: 'set-mute' }, [string | null, number | null]]>([
    [{ command: 'set-mute', key: 'node arm', until: 'hour' }, ['node arm', 3_600_000]],
    [{ command: 'set-mute', key: null, until: 5 }, [null, 5]],
    [{ command: 'set-mute', key: null, until: null }, [null, null]],
  ])('the command %j sets the mute %j', async (command, mute) => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] });
    const app = desktop();
    await runFromMenu(app, command);
    expect(app.mute).toHaveBeenCalledWith(...mute);
    vi.useRealTimers();
  });

  it('sets the maintenance of one manager or node and records it', async () => {
    const app = desktop();
    await runFromPage(app, { command: 'set-maintenance', kind: 'node', id: 'arm', until: 5 }, 'maintenance');
    expect(app.service.setMaintenance).toHaveBeenCalledWith({ kind: 'node', id: 'arm', until: 5 });
    expect(app.commands.record).toHaveBeenCalledOnce();
  });
});

describe('the buttons of a notice', () => {
  it.each<[string, 'action' | 'close', string, 'closeNotice' | 'cancel' | 'check' | null]>([
    ['update', 'close', 'available', 'closeNotice'],
    ['update', 'action', 'available', 'check'],
    ['update', 'action', 'downloading', 'cancel'],
    ['disk-space', 'action', 'available', null],
  ])('the notice “%s”, on the press “%s” while an update is %s, calls %s', async (id, press, kind, called) => {
    const app = desktop();
    app.updates.state.kind = kind;
    await runFromPage(app, { command: 'press-notice', id, press }, 'main');
    const { closeNotice, cancel } = app.updates;
    const calls = [closeNotice, cancel, vi.mocked(checkForUpdates)].map(({ mock }) => mock.calls.length);
    expect(calls).toEqual(['closeNotice', 'cancel', 'check'].map((method) => (method === called ? 1 : 0)));
  });
});
