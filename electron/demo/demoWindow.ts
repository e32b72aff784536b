/** The demo lab in a separate window next to the real lab, which keeps port 8000, `/context` and the tray. */
import { clock } from '../../api/time/clock.ts';
import type { Log } from '../../server/logging/log.ts';
import type { SettingsInputs } from '../../server/settings/schema/types.ts';
import { DemoSession } from './demoSession.ts';
import { lastLines } from '../logs/desktopLog.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import { LabService } from '../service/labService.ts';
import { createWindowView } from '../windows/windowView.ts';
import { LabWindow } from '../windows/labWindow.ts';
import { fitToScreen } from '../windows/mainWindow.ts';
import { noStop } from '../ipc/contract.ts';

interface DemoWindowOptions {
  readonly appPaths: AppPaths;
  readonly log: Log;
  readonly icon: string;
  readonly inputs: () => SettingsInputs;
  /** Called after the window has closed and the demo lab has stopped. */
  readonly onClosed: () => void;
}

export class DemoWindow {
  readonly service: LabService;
  readonly session: DemoSession;
  readonly window: LabWindow;

  constructor({ appPaths, log, icon, inputs, onClosed }: DemoWindowOptions) {
    this.service = new LabService({
      entry: appPaths.serviceEntry,
      log,
      logDir: appPaths.logDir,
      inputs,
      onChange: () => this.#show(),
    });
    this.session = new DemoSession(this.service, appPaths.installation.demo, log, true);
    this.window = new LabWindow({
      title: 'Demo Lab',
      windowOptions: fitToScreen({ width: 1280, height: 800 }),
      preload: appPaths.preload,
      icon,
      log,
      dashboardUrl: () => this.service.dashboardUrl,
      appKey: () => null,
      mayClose: () => true,
      onReloadDue: () => this.#show(),
    });
    this.window.browserWindow.once('closed', () => {
      void this.stop().finally(onClosed);
    });
    void this.session.start();
  }

  /** Ends the demo lab and the lab manager in front of it. */
  async stop(): Promise<void> {
    await Promise.all([this.service.stop(), this.session.stop()]);
    // The window may have been closed during the start of the demo lab.
    await this.service.stop();
  }

  #show(): void {
    const { logFile } = this.service.state;
    const view = createWindowView({
      ...this.service.state,
      showsDashboard: this.window.showsDashboard,
      demo: true,
      labFolder: null,
      followedUrl: null,
      otherOwner: null,
      firstScreenPassed: true,
      logLines: lastLines(logFile, 20),
      now: clock.now(),
    });
    this.window.showView(view, { notices: [], stop: noStop });
  }
}
