/**
 * Records the commands of the service or the app in the lab's event log. Until the event manager accepts a record, it is
 * stored in a separate file, so that several programs can share one folder, and is sent later with the time of the
 * command.
 */
import { readdir, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { monotonicFactory } from 'ulid';
import { clock } from '../../api/time/clock.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { createClient } from '../../api/client/client.ts';
import { createRecord, type RecordFields } from '../../api/commandRecord.ts';
import { eventApi } from '../../api/managers/event.ts';
import { maxPendingRecords, PendingSender, readPendingRecords, type PendingRecord } from '../../api/pendingRecords.ts';
import type { HostClock } from '../../api/time/time.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { ownerForRoot, readOwnFile, replaceInOwnFolder } from '../storage/replaceOwnFile.ts';
import { withStorageTimeout } from '../storage/storageTimeout.ts';

/** Records of the same millisecond keep their order in the event log. */
const eventId = monotonicFactory();

const timeoutMs = 10_000;
/** Interval between checks for records of other programs in the folder, in ms. */
const checkIntervalMs = 30_000;
const fileName = /^([0-9A-HJKMNP-TV-Z]{26})\.json$/;

interface CommandLogOptions {
  /** Full path of the folder of pending records; `null` for a lab without stored state. */
  readonly folder: string | null;
  /** Current address of the lab's event manager, `null` while it is unknown. */
  readonly eventManager: () => string | null;
  /** The clock of that manager's host; `null` while its time zone is unknown. */
  readonly clock: () => HostClock | null;
  readonly log: Log;
}

/** The machine and the user that sent a command; `null`: unknown user. */
export interface CommandSender {
  readonly machine: string;
  readonly user: string | null;
}

export class CommandLog {
  readonly #options: CommandLogOptions;
  readonly #sender: PendingSender;
  #pending: readonly PendingRecord[] = [];
  /** Serialises reads and writes of the folder. */
  readonly #storage = new TaskQueue();
  readonly #unreadable = new Set<string>();
  #reportedFailure = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(options: CommandLogOptions) {
    this.#options = options;
    this.#sender = new PendingSender({
      pending: () => this.#pending,
      remove: (id) => {
        this.#reportedFailure = '';
        this.#remove(id);
      },
      manager: () => {
        const address = options.eventManager();
        return address === null ? null : { address, client: createClient(eventApi, { baseUrl: address, timeoutMs }) };
      },
      clock: options.clock,
      now: () => clock.now(),
      onFailure: (failure) => {
        const text = errorText(failure);
        // While it is down, each command is an attempt.
        if (text !== this.#reportedFailure)
          options.log.warn(`The event manager did not accept the record of a command: ${text}`);
        this.#reportedFailure = text;
      },
    });
  }

  /** The number of pending records. */
  get pendingCount(): number {
    return this.#pending.length;
  }

  /**
   * @param description the command as displayed
   * @param eventManager address of the event manager of the lab that the command was sent to
   * @param sender by default the person who runs this program
   * @returns the ID of its event
   */
  record(
    fields: Omit<RecordFields, 'machine' | 'user'>,
    description: string,
    eventManager = this.#options.eventManager() ?? '',
    sender: CommandSender = { machine: hostname(), user: accountName() },
  ): string {
    const { log } = this.#options;
    const { machine, user } = sender;
    const record = createRecord({ ...fields, machine, ...(user !== null && { user }) }, description);
    const recorded = { id: eventId(), lab: eventManager, record };
    log.info(record.message, { command: record.command });
    this.#add([recorded]);
    this.#enqueue((folder) => this.#save(folder, recorded));
    void this.flush();
    return recorded.id;
  }

  /** Sends the pending records in order and removes sent ones from the folder. Never rejects. */
  async flush(): Promise<void> {
    await this.#storage.settled();
    await this.#sender.flush();
    await this.#storage.settled();
  }

  /** Also sends records from the folder from now on: those of an earlier run or of other programs. */
  start(): void {
    const check = (): void => {
      this.#enqueue(async (folder) => this.#add(await this.#read(folder)));
      void this.flush();
    };
    this.#timer = clock.setInterval(check, checkIntervalMs);
    check();
  }

  /** Resolves when the records are in their files, or the folder does not respond. */
  async stop(): Promise<void> {
    if (this.#timer) clock.clearInterval(this.#timer);
    this.#timer = null;
    this.#sender.stop();
    await this.#storage.settled();
  }

  #add(records: readonly PendingRecord[]): void {
    const knownIds = new Set(this.#pending.map(({ id }) => id));
    const all = [...this.#pending, ...records.filter(({ id }) => !knownIds.has(id))];
    all.sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#pending = all.slice(-maxPendingRecords);
    for (const { id } of all.slice(0, -maxPendingRecords)) this.#remove(id);
  }

  #remove(id: string): void {
    this.#pending = this.#pending.filter((record) => record.id !== id);
    this.#enqueue((folder) => rm(getPath(folder, id), { force: true }));
  }

  /** Queues work on the folder, with a timeout: storage that does not respond must not block other work. */
  #enqueue(work: (folder: string) => Promise<void>): void {
    const { folder } = this.#options;
    if (folder === null) return;
    this.#storage
      .run(() => withStorageTimeout(work(folder)))
      .catch((error: unknown) =>
        this.#options.log.warn(`${folder}, where records of commands wait: ${errorText(error)}`),
      );
  }

  async #save(folder: string, record: PendingRecord): Promise<void> {
    const owner = await ownerForRoot(dirname(folder));
    await replaceInOwnFolder(getPath(folder, record.id), `${JSON.stringify([record])}\n`, { owner });
  }

  async #read(folder: string): Promise<readonly PendingRecord[]> {
    const names = await readdir(folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    const ids = names.flatMap((name) => fileName.exec(name)?.[1] ?? []).toSorted();
    const records: PendingRecord[] = [];
    for (const id of ids.slice(-maxPendingRecords)) records.push(...(await this.#readOne(folder, id)));
    return records;
  }

  async #readOne(folder: string, id: string): Promise<readonly PendingRecord[]> {
    if (this.#unreadable.has(id)) return [];
    const path = getPath(folder, id);
    try {
      const text = await readOwnFile(path);
      if (text === null) return [];
      const { records, dropped } = readPendingRecords(text);
      if (dropped > 0) throw new Error('it is not of the form that the lab manager writes');
      return records.filter((record) => record.id === id);
    } catch (error) {
      this.#unreadable.add(id);
      this.#options.log.warn(`The record of a command in ${path} can't be read: ${errorText(error)}`);
      return [];
    }
  }
}

function getPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

/** The account of the person who runs this program, also under sudo; `null` if the system has no name for it. */
export function accountName(env: NodeJS.ProcessEnv = process.env, isRoot = process.getuid?.() === 0): string | null {
  const { SUDO_USER: person = '' } = env;
  if (isRoot && person !== '') return person;
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
