/**
 * A desktop with the panel of Xfce or LXQt on a virtual screen and a separate session bus, for tests of the visible tray
 * icon with real clicks and keys. Both use Xfce's window manager.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import dbus, { type MessageBus, type Variant } from 'dbus-next';
import { labAppearances, stateColors, type LabState } from '#api/states.ts';
import { startUntilReady } from '#build/test/untilReady.mjs';
import { panelSettings, type PanelName } from './panelSettings.ts';
import { plainEnvironment, startProgram, waitFor, waitForProcessesToEnd, type Program } from './program.ts';
import { findColor, readScreen, type Rectangle, type ScreenPicture } from './screen.ts';
import { TrayItem } from './trayItem.ts';

const screenSize = { width: 1280, height: 800 } as const;
const watcher = 'org.kde.StatusNotifierWatcher';
/** Panels, tooltips and submenus have a smaller width or height than a menu. */
const minMenuSize = 200;

export class PanelDesktop {
  /** The app's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly #name: PanelName;
  readonly #panel: Program;
  readonly #bus: MessageBus;
  readonly #screenFile: string;

  /** @param screenFile the screen's pixels, as `readScreen` expects them */
  constructor(env: PanelDesktop['env'], name: PanelName, panel: Program, bus: MessageBus, screenFile: string) {
    this.env = env;
    this.#name = name;
    this.#panel = panel;
    this.#bus = bus;
    this.#screenFile = screenFile;
  }

  screen(): Promise<ScreenPicture> {
    return readScreen(this.#screenFile);
  }

  /** Finds the icon in the panel by the colour of a state; `null` if the panel shows no such icon. */
  async icon(state: LabState): Promise<Rectangle | null> {
    const { isAtTop, height } = panelSettings[this.#name];
    const area = { x: 0, y: isAtTop ? 0 : screenSize.height - height, width: screenSize.width, height };
    const [light] = stateColors[labAppearances[state].color];
    return findColor(await this.screen(), area, light);
  }

  /** Waits until the panel shows the icon in a state, and clicks it. */
  async clickIcon(state: LabState, button: 'left' | 'right' = 'left'): Promise<void> {
    const icon = await waitFor(this.#panel, `an icon of the state ${state}`, () => this.icon(state));
    const [x, y] = [icon.x + icon.width / 2, icon.y + icon.height / 2].map(Math.round);
    await this.#xdotool('mousemove', x, y, 'click', button === 'left' ? 1 : 3);
  }

  /** Opens the menu of the icon with the mouse. @returns once the panel shows it */
  async openMenu(state: LabState): Promise<Rectangle> {
    await this.clickIcon(state, 'right');
    return waitFor(this.#panel, 'the menu', () => this.#menuWindow());
  }

  /** Chooses an enabled entry of the open menu with the keyboard. */
  async chooseByKeys(label: string): Promise<void> {
    const entries = (await (await this.#item()).menu()).filter((entry) => entry.label !== '' && entry.enabled);
    const index = entries.findIndex((entry) => entry.label === label);
    if (index === -1) throw new Error(`The menu has no enabled entry ${label}`);
    // The first Up selects the last entry.
    await this.#xdotool('key', ...Array<string>(entries.length - index).fill('Up'), 'Return');
  }

  /** Returns whether a window with this text in its title is on the screen. */
  async showsWindow(title: string): Promise<boolean> {
    return (await this.#visibleWindows('--name', title)).length > 0;
  }

  /** Returns whether the panel accepts tray icons. */
  async isHosting(): Promise<boolean> {
    return (await this.#watcherProperty<boolean>('IsStatusNotifierHostRegistered')) ?? false;
  }

  /** Returns the icon that was last registered with the panel. */
  async #item(): Promise<TrayItem> {
    const items = (await this.#watcherProperty<readonly string[]>('RegisteredStatusNotifierItems')) ?? [];
    return new TrayItem(this.#bus, () => items.at(-1) ?? null);
  }

  /** @returns `null` while there is no tray on the bus */
  async #watcherProperty<Value>(name: string): Promise<Value | null> {
    const message = new dbus.Message({
      destination: watcher,
      path: '/StatusNotifierWatcher',
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [watcher, name],
    });
    try {
      const [value] = ((await this.#bus.call(message))?.body ?? []) as [Variant<Value>?];
      return value?.value ?? null;
    } catch {
      return null; // The panel is not ready.
    }
  }

  async #menuWindow(): Promise<Rectangle | null> {
    const windows = await this.#visibleWindows('--class', panelSettings[this.#name].menuClass);
    return windows.find(({ width, height }) => Math.min(width, height) > minMenuSize) ?? null;
  }

  async #visibleWindows(...criterion: readonly [kind: '--class' | '--name', pattern: string]): Promise<Rectangle[]> {
    const output = await this.#xdotool('search', '--onlyvisible', ...criterion, 'getwindowgeometry', '--shell', '%@');
    return [...output.matchAll(/X=(-?\d+)\nY=(-?\d+)\nWIDTH=(\d+)\nHEIGHT=(\d+)/g)].map((match) => {
      const [x = 0, y = 0, width = 0, height = 0] = match.slice(1).map(Number);
      return { x, y, width, height };
    });
  }

  /** @returns the output; empty if a search finds nothing, or a window has closed meanwhile */
  async #xdotool(...args: readonly (string | number | undefined)[]): Promise<string> {
    const isSearch = args[0] === 'search';
    try {
      const { stdout } = await promisify(execFile)('xdotool', args.map(String), {
        env: { ...process.env, ...this.env },
      });
      return stdout;
    } catch (error) {
      if (isSearch && error instanceof Error && 'code' in error && error.code === 1) return '';
      throw error;
    }
  }
}

/** Starts the desktop. @returns once its panel accepts tray icons, with the function that ends it */
export async function startPanelDesktop(
  name: PanelName,
): Promise<{ desktop: PanelDesktop; stop: () => Promise<void> }> {
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'panel-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const size = `${screenSize.width}x${screenSize.height}x24`;
    const screen = ['-displayfd', '3', '-fbdir', folder, '-screen', '0', size, '-nolisten', 'tcp', '-noreset'];
    const display = await startUntilReady('Xvfb', screen);
    undo.push(() => display.stop());

    const env = { ...createHome(folder, name), DISPLAY: `:${display.output}`, WAYLAND_DISPLAY: '' };
    const daemon = ['--session', '--nofork', '--nopidfile', '--print-address=3'];
    const session = await startUntilReady('dbus-daemon', daemon, env);
    undo.push(() => session.stop());
    const sessionEnv = { ...env, DBUS_SESSION_BUS_ADDRESS: session.output };
    const bus = dbus.sessionBus({ busAddress: session.output });
    undo.push(() => bus.disconnect());

    const [, panel] = ['xfwm4', name].map((command) => {
      const program = startProgram([command], sessionEnv);
      undo.push(async () => {
        program.kill();
        await waitForProcessesToEnd(program);
      });
      return program;
    }) as [Program, Program];
    const { DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS } = sessionEnv;
    const appEnv = { DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS };
    const desktop = new PanelDesktop(appEnv, name, panel, bus, join(folder, 'Xvfb_screen0'));
    await waitFor(panel, 'a tray', async () => ((await desktop.isHosting()) ? true : null));
    return { desktop, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates a home with the panel's settings. @returns the environment of the desktop's programs */
function createHome(folder: string, name: PanelName): NodeJS.ProcessEnv {
  const plain = Object.entries(plainEnvironment()).filter(
    ([key]) => !/^(XDG_\w+|XAUTHORITY|SESSION_MANAGER)$/.test(key),
  );
  const runtime = join(folder, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  const { path, text } = panelSettings[name];
  const file = join(folder, '.config', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { ...Object.fromEntries(plain), HOME: folder, XDG_RUNTIME_DIR: runtime };
}
