/** Lists every icon file: its path below dist/icons, size and drawing. */
import { trayIconNames, type TrayIconName } from '../../api/trayIcons.ts';
import { appIconSvg } from './appIcon.ts';
import { trayIconSvg, traySizes, trayThemes, type TrayTheme } from './trayIcon.ts';

export interface IconFile {
  /** Relative to dist/icons, with forward slashes. */
  readonly path: string;
  readonly svg: string;
  /** Width and height in pixels. */
  readonly size: number;
}

export const appSizes = [16, 24, 32, 48, 64, 128, 256, 512] as const;

export function trayIconPath(icon: TrayIconName, theme: TrayTheme, size: number): string {
  return `tray/${icon}-${theme}-${size}.png`;
}

export function appIconPath(size: number): string {
  return `app/${size}x${size}.png`;
}

export function iconFiles(): IconFile[] {
  const app = appSizes.map((size): IconFile => ({ path: appIconPath(size), svg: appIconSvg(size), size }));
  const tray = trayIconNames.flatMap((icon) =>
    trayThemes.flatMap((theme) =>
      traySizes.map((size): IconFile => {
        return { path: trayIconPath(icon, theme, size), svg: trayIconSvg(icon, theme), size };
      }),
    ),
  );
  return [{ path: 'icon.png', svg: appIconSvg(1024), size: 1024 }, ...app, ...tray];
}
