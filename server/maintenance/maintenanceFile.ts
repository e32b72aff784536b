/**
 * The maintenance windows in a small file: it survives restarts, and `--maintenance` changes the file of a running
 * service.
 */
import type { Signal } from '@preact/signals-core';
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { fileVersion, ForeignFileError, readOwnFile } from '../storage/replaceOwnFile.ts';
import { changeSharedFile } from '../storage/sharedFile.ts';
import { isDamage } from '../storage/stateFile.ts';
import { StorageTimeoutError, withStorageTimeout } from '../storage/storageTimeout.ts';
import {
  applyChange,
  maintenanceEntry,
  maintenanceRule,
  maxEntries,
  noMaintenance,
  type MaintenanceChange,
  type MaintenanceState,
} from './entries.ts';

const content = z.object({
  version: z.literal(1),
  maintenance: z.array(maintenanceEntry).max(2 * maxEntries),
  recurring: z.array(maintenanceRule).max(maxEntries).default([]),
});

export interface MaintenanceContent {
  readonly state: MaintenanceState;
  /** Identifies the version of the file; `null` if it does not exist. */
  readonly fingerprint: string | null;
}

/** @throws Error with a user-facing message if the file exists and is unreadable */
export async function readMaintenance(path: string): Promise<MaintenanceContent> {
  try {
    const fingerprint = await fileVersion(path);
    if (fingerprint === null) return { state: noMaintenance, fingerprint };
    const { maintenance, recurring } = content.parse(JSON.parse((await readOwnFile(path)) ?? ''));
    return { state: { entries: maintenance, rules: recurring }, fingerprint };
  } catch (error) {
    const reason = error instanceof z.ZodError ? 'it is not of the form that the lab manager writes' : errorText(error);
    const isUseless = isDamage(error) || error instanceof ForeignFileError;
    const advice = isUseless ? 'Remove it, and start maintenance again' : 'Try again when the lab manager can read it';
    throw new Error(`${path} can't be read: ${reason}. ${advice}`, { cause: error });
  }
}

/**
 * Changes the current content of the file.
 * @returns the state afterwards
 * @throws Error with a user-facing message; the file is unchanged then
 */
export async function changeMaintenance(
  path: string,
  change: MaintenanceChange,
  now = clock.now(),
): Promise<MaintenanceState> {
  return changeSharedFile(
    path,
    async () => applyChange((await readMaintenance(path)).state, change, now),
    ({ entries, rules }) => `${JSON.stringify({ version: 1, maintenance: entries, recurring: rules }, null, 2)}\n`,
  );
}

/** Interval of the checks whether the file changed, in ms. */
const checkIntervalMs = 2000;

export class MaintenanceList {
  #path: string | null = null;
  readonly #log: Log;
  readonly #state: Signal<MaintenanceState>;
  #fingerprint: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lastWarning = '';
  #isChecking = false;
  /** Serialises checks and changes. */
  readonly #queue = new TaskQueue();

  /** @param state receives all known windows and rules; `activeAt` and `plannedAt` select the current and the next windows */
  constructor(state: Signal<MaintenanceState>, log: Log) {
    this.#state = state;
    this.#log = log;
  }

  /** @param path of the file; `null` if it is not stored, as for a simulated lab */
  async start(path: string | null): Promise<void> {
    this.#path = path;
    await this.#checkBounded();
    this.#timer = clock.setInterval(() => void this.#checkBounded(), checkIntervalMs);
  }

  async stop(): Promise<void> {
    if (this.#timer) clock.clearInterval(this.#timer);
    this.#timer = null;
    await withStorageTimeout(this.#queue.settled(), 1000).catch(() => undefined);
  }

  /** @throws Error with a user-facing message; after a timeout of the storage the change may still be made later */
  async change(change: MaintenanceChange): Promise<void> {
    const done = this.#queue.run(async () => {
      if (this.#path === null) this.#state.value = applyChange(this.#state.value, change, clock.now());
      else {
        this.#state.value = await changeMaintenance(this.#path, change);
        // Another program may have written after that: read the file again.
        this.#fingerprint = '';
      }
    });
    await withStorageTimeout(done);
  }

  /** Skips a check while the previous one waits for storage that does not respond. */
  async #checkBounded(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const check = this.#queue.run(() => this.#check()).finally(() => (this.#isChecking = false));
    await withStorageTimeout(check).catch((error: unknown) => {
      if (error instanceof StorageTimeoutError) this.#warnOnce(`${this.#path}: ${error.message}`);
    });
  }

  async #check(): Promise<void> {
    if (this.#path !== null)
      try {
        const fingerprint = await fileVersion(this.#path);
        if (fingerprint !== this.#fingerprint) {
          const read = await readMaintenance(this.#path);
          [this.#state.value, this.#fingerprint] = [read.state, read.fingerprint];
        }
        this.#lastWarning = '';
      } catch (error) {
        this.#warnOnce(errorText(error));
      }
  }

  #warnOnce(text: string): void {
    const { entries, rules } = this.#state.value;
    const effect =
      entries.length === 0 && rules.length === 0
        ? 'Nothing is in maintenance'
        : 'The previous maintenance windows remain in effect';
    if (text !== this.#lastWarning) this.#log.warn(`${text}. ${effect}`);
    this.#lastWarning = text;
  }
}
