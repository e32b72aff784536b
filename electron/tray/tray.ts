/** Renders the tray's model: icon, tooltip and menu, at most every 200 ms and only after a change. */
import {
  app,
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  type BrowserWindow,
  type MenuItemConstructorOptions,
  type NativeImage,
} from 'electron';
import { join } from 'node:path';
import { needCountText } from '../../api/lab/needs.ts';
import { clock } from '../../api/time/clock.ts';
import type { TrayIconName } from '../../api/trayIcons.ts';
import type { AppCommand } from '../ipc/commands.ts';
import type { TrayMenuItem } from './trayMenuItem.ts';
import type { TrayModel } from './trayModel.ts';

const minDrawIntervalMs = 200;

export interface TrayOptions {
  /** Directory with the generated icons. */
  readonly iconDir: string;
  readonly model: () => TrayModel;
  /** The window whose icon in the taskbar shows what needs a person; `null` before it opens. */
  readonly window: () => BrowserWindow | null;
  readonly run: (command: AppCommand) => void;
}

export class LabTray {
  readonly #options: TrayOptions;
  #tray: Tray | null = null;
  #timer: NodeJS.Timeout | null = null;
  #drawnKey = '';
  #lastDraw = 0;
  readonly #onTheme = () => this.update();

  constructor(options: TrayOptions) {
    this.#options = options;
    nativeTheme.on('updated', this.#onTheme);
    this.#draw();
  }

  /** Schedules a redraw if the model changed. */
  update(): void {
    this.#timer ??= clock.setTimeout(
      () => this.#draw(),
      Math.max(0, this.#lastDraw + minDrawIntervalMs - clock.monotonic()),
    );
  }

  destroy(): void {
    nativeTheme.off('updated', this.#onTheme);
    if (this.#timer) clock.clearTimeout(this.#timer);
    this.#tray?.destroy();
    this.#tray = null;
  }

  #draw(): void {
    this.#timer = null;
    this.#lastDraw = clock.monotonic();
    const model = this.#options.model();
    const key = JSON.stringify([model, nativeTheme.shouldUseDarkColors]);
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    const icon = readIcon(this.#options.iconDir, model.icon);
    if (this.#tray) this.#tray.setImage(icon);
    else this.#tray = this.#create(icon);
    this.#tray.setToolTip(model.tooltip);
    showNeedCount(model.needCount, icon, this.#options.window());
    this.#tray.setContextMenu(Menu.buildFromTemplate(model.menu.map((item) => this.#template(item))));
  }

  #create(icon: NativeImage): Tray {
    const tray = new Tray(icon);
    tray.on('click', () => this.#options.run({ command: 'show-window' }));
    return tray;
  }

  #template(item: TrayMenuItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'text':
        return { label: escapeMnemonic(item.label), enabled: false };
      case 'separator':
        return { type: 'separator' };
      case 'submenu':
        return { label: escapeMnemonic(item.label), submenu: item.items.map((inner) => this.#template(inner)) };
      case 'command':
        return {
          label: escapeMnemonic(item.label),
          enabled: item.enabled,
          click: () => this.#options.run(item.command),
        };
    }
  }
}

/** Returns an icon in every scale; macOS colours a template image. */
function readIcon(iconDir: string, name: TrayIconName): NativeImage {
  const isMac = process.platform === 'darwin';
  const theme = isMac ? 'template' : nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
  const size = process.platform === 'linux' ? 22 : 16;
  const file = (scale: number) => join(iconDir, 'tray', `${name}-${theme}-${size * scale}.png`);
  const icon = nativeImage.createFromPath(file(1));
  icon.addRepresentation({ scaleFactor: 2, buffer: nativeImage.createFromPath(file(2)).toPNG() });
  if (isMac) icon.setTemplateImage(true);
  return icon;
}

/** Shows how many items need a person: on the icon in the dock or the launcher; Windows has only a small icon there. */
function showNeedCount(count: number, icon: NativeImage, window: BrowserWindow | null): void {
  app.setBadgeCount(count);
  if (process.platform === 'win32' && window?.isDestroyed() === false)
    window.setOverlayIcon(count === 0 ? null : icon, count === 0 ? '' : needCountText(count));
}

/** Menus interpret a single & as the prefix of an access key. */
function escapeMnemonic(label: string): string {
  return label.replaceAll('&', '&&');
}
