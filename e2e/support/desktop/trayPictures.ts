/** Takes the documentation's pictures of the tray icon and its menu in the panels of real desktops. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import { openDemoOnPanel } from './panelDemo.ts';
import { panelSettings, type PanelName } from './panelSettings.ts';
import type { ScreenPicture } from './screen.ts';

/** @param name a file in the folder of pictures */
export function isTrayPicture(name: string): boolean {
  return name.startsWith('tray-');
}

/** @param folder the target folder */
export async function captureTray(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of Object.keys(panelSettings) as PanelName[]) {
    const { desktop, app, stop } = await openDemoOnPanel(name);
    try {
      await desktop.openMenu('healthy');
      await writeFile(join(folder, `tray-${name}.png`), await encodePng(app, await desktop.screen()));
    } finally {
      await stop();
    }
  }
}

/** Encodes a picture with the app's own encoder. */
async function encodePng(app: ElectronApplication, { width, height, pixels }: ScreenPicture): Promise<Buffer> {
  const opaque = Buffer.from(pixels);
  for (let offset = 3; offset < opaque.length; offset += 4) opaque[offset] = 0xff;
  const encoded = await app.evaluate(
    ({ nativeImage }, [bitmap, size]) =>
      nativeImage.createFromBitmap(Buffer.from(bitmap, 'base64'), size).toPNG().toString('base64'),
    [opaque.toString('base64'), { width, height }] as const,
  );
  return Buffer.from(encoded, 'base64');
}
