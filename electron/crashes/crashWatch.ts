/**
 * Records every process of the app that ends unexpectedly in the log and in the file that the diagnostics read, and
 * catches errors after which the app continues.
 */
import { app, crashReporter } from 'electron';
import { join } from 'node:path';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { appExitGraceMs } from '../../server/lifecycle/endSignals.ts';
import { type Crash, recordCrash } from '../../server/storage/crashFile.ts';
import type { Log } from '../../server/logging/log.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import { describeCrash, type EndedProcess } from './crashTexts.ts';
import { listDumps, pruneDumps } from './dumps.ts';
import { clearRun, clearRunNow, writeRun } from './lastRun.ts';
import type { CrashDump } from '../../server/diagnostics/checks/check.ts';

export class CrashWatch {
  readonly #logDir: string;
  readonly #version: string;
  readonly #log: Log;
  readonly #runFile: string;
  #isEnding = false;

  constructor({ logDir, installation }: AppPaths, log: Log) {
    this.#logDir = logDir;
    this.#version = installation.version;
    this.#log = log;
    this.#runFile = join(logDir, 'app-running.json');
  }

  /** Called before the app is ready, so that Crashpad covers all its processes. Nothing is uploaded. */
  start(): void {
    crashReporter.start({ uploadToServer: false });
    app.on('render-process-gone', (_event, _contents, details) => this.#onProcessEnded({ type: 'Tab', ...details }));
    app.on('child-process-gone', (_event, details) => this.#onProcessEnded(details));
    // At the end of a Windows session, the app ends without a quit event, even if it is only in the tray.
    app.on('browser-window-created', (_event, window) => window.on('session-end', () => this.end(clearRunNow)));
    // The run file is written only when the app is ready: an earlier signal ends the app without removing the file, and
    // the next start would report a crash.
    void app.whenReady().then(() => this.#reportPreviousRun());
    pruneDumps(app.getPath('crashDumps')).catch((error: unknown) =>
      this.#log.warn(`Old crash dumps can’t be deleted: ${errorText(error)}`),
    );
  }

  /** Treats process exits as intended from now on, and removes the run file. */
  end(clear: typeof clearRun = clearRun): void {
    this.#isEnding = true;
    clear(this.#runFile).catch((error: unknown) =>
      this.#log.warn(`The run file can’t be removed, so the next start will report a crash: ${errorText(error)}`),
    );
  }

  /** Records a crash. @param exitCode `null` if unknown */
  recordCrash(process: Crash['process'], reason: string, exitCode: number | null, version = this.#version): void {
    void recordCrash(this.#logDir, { process, reason, exitCode, version }, this.#log);
  }

  /** Lists Crashpad's minidumps on this machine. */
  async dumps(): Promise<readonly CrashDump[]> {
    const allDumps = await listDumps(app.getPath('crashDumps'));
    return allDumps.map(({ name, bytes, at }) => ({ name, bytes, at }));
  }

  #onProcessEnded(details: EndedProcess): void {
    const crash = describeCrash(details);
    if (crash === null || this.#isEnding) return;
    const record = (): void => {
      if (this.#isEnding) return;
      this.#log.error(`A process ended unexpectedly (${crash.process}): ${crash.reason}`);
      this.recordCrash(crash.process, crash.reason, crash.exitCode);
    };
    if (crash.isImmediate) record();
    else clock.setTimeout(record, appExitGraceMs);
  }

  async #reportPreviousRun(): Promise<void> {
    if (this.#isEnding) return;
    const run = { startedAt: new Date(clock.now()).toISOString(), version: this.#version };
    try {
      await writeRun(this.#runFile, run, (previousRun) => {
        const reason = `started ${previousRun.startedAt}, ended without quitting: it crashed, was killed, or the machine lost power`;
        this.#log.error(`The app, ${reason}`);
        this.recordCrash('app', reason, null, previousRun.version);
      });
    } catch (error) {
      this.#log.warn(`The run file can’t be written, so a crash of the app will not be detected: ${errorText(error)}`);
    }
  }
}

/**
 * Logs and reports uncaught errors of the main process, and keeps the app running.
 * @param report records the error for the diagnostics, and shows it in the window and the tray
 */
export function catchErrors(log: Log, report: (text: string) => void): void {
  const onUncaughtError = (error: unknown): void => {
    log.error(`Uncaught error: ${errorText(error)}`, { stack: error instanceof Error ? error.stack : undefined });
    report(errorText(error));
  };
  process.on('uncaughtException', onUncaughtError);
  process.on('unhandledRejection', onUncaughtError);
}
