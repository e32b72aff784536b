/** Fixtures of the desktop tests: a desktop with a tray, and apps, which are closed even if the test fails. */
import { test as base } from 'playwright/test';
import { startSessionBus, type SessionBus } from './sessionBus.ts';
import { startDesktop, startDesktopIn, type DesktopApp, type DesktopOptions } from './desktopApp.ts';
import { startLab, type FakeLab } from '../managers.ts';
import { TrayHost } from './trayHost.ts';

export interface DesktopFixtures {
  /** Whether this desktop has a tray; `test.use({ hasTray: false })` removes it. */
  hasTray: boolean;
  tray: TrayHost;
  /** Starts managers that are stopped after the test. */
  startLab: typeof startLab;
  /** Starts an app that is closed after the test. */
  desktop: (options?: DesktopOptions) => Promise<DesktopApp>;
  /** Starts the app again with the folders of an earlier one. */
  restartDesktop: (previousApp: DesktopApp, options?: DesktopOptions) => Promise<DesktopApp>;
}

export interface DesktopWorker {
  /** A separate session bus per worker, so that desktops do not share their trays. */
  sessionBus: SessionBus;
}

export const test = base.extend<DesktopFixtures, DesktopWorker>({
  sessionBus: [
    async ({}, use) => {
      const bus = await startSessionBus([process.getuid?.() ?? 0]);
      process.env['DBUS_SESSION_BUS_ADDRESS'] = bus.address;
      await use(bus);
      await bus.stop();
    },
    { scope: 'worker', auto: true },
  ],
  hasTray: [true, { option: true }],
  tray: [
    async ({ hasTray, sessionBus }, use) => {
      const host = await TrayHost.start({ hasTray, busAddress: sessionBus.address });
      await use(host);
      host.stop();
    },
    { auto: true },
  ],
  startLab: async ({}, use) => {
    const labs: FakeLab[] = [];
    await use(async (...options) => {
      const lab = await startLab(...options);
      labs.push(lab);
      return lab;
    });
    await Promise.all(labs.map((lab) => lab.stop()));
  },
  desktop: async ({}, use) => {
    const apps: DesktopApp[] = [];
    await use(async (options) => {
      const app = await startDesktop(options);
      apps.push(app);
      return app;
    });
    await Promise.all(apps.map((app) => app.close()));
  },
  restartDesktop: async ({}, use) => {
    const apps: DesktopApp[] = [];
    await use(async (previousApp, options) => {
      const app = await startDesktopIn(previousApp.labFolder, previousApp.userFolder, options);
      apps.push(app);
      return app;
    });
    await Promise.all(apps.map((app) => app.close()));
  },
});

export { expect } from 'playwright/test';
