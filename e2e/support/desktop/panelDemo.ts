/** The packaged app with its demo lab on a desktop with a panel. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import { expect } from 'playwright/test';
import { postControl } from '#demo/lab/testLabs.ts';
import { startDesktop } from './desktopApp.ts';
import { startPanelDesktop, type PanelDesktop } from './panelDesktop.ts';
import type { PanelName } from './panelSettings.ts';

const startMs = 45_000;

/** Starts both. @returns once the demo lab runs and its simulated activity has ended, so that its state is constant */
export async function openDemoOnPanel(name: PanelName): Promise<{
  readonly desktop: PanelDesktop;
  readonly app: ElectronApplication;
  readonly lab: { readonly controlUrl: string };
  readonly stop: () => Promise<void>;
}> {
  const { desktop, stop: stopDesktop } = await startPanelDesktop(name);
  const desktopApp = await startDesktop({ args: ['--demo'], env: desktop.env }).catch(async (error: unknown) => {
    await stopDesktop();
    throw error;
  });
  const stop = async () => {
    await desktopApp.close();
    await stopDesktop();
  };
  try {
    const lab = { controlUrl: await readControlUrl(desktopApp.userFolder) };
    await postControl(lab, 'simulation', { running: false });
    return { desktop, app: desktopApp.app, lab, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the demo lab's control address, which the app logs. */
async function readControlUrl(userFolder: string): Promise<string> {
  const file = join(userFolder, 'logs', 'desktop.log');
  const address = async () =>
    /Faults and size of the demo lab: (\S+)/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1] ?? '';
  await expect.poll(address, { timeout: startMs }).not.toBe('');
  return address();
}
