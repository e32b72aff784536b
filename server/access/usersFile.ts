/** The users file: written by `--user` and `--token`, and read again by the running service after each change. */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { Poller } from '../concurrency/poller.ts';
import type { Log } from '../logging/log.ts';
import { readOwnFile } from '../storage/replaceOwnFile.ts';
import { changeSharedFile } from '../storage/sharedFile.ts';
import { isDamage } from '../storage/stateFile.ts';
import { StorageTimeoutError, withStorageTimeout } from '../storage/storageTimeout.ts';
import { refuseUntrusted, fileFingerprint } from './trustedFile.ts';
import {
  accounts,
  applyChange,
  findNamed,
  hashToken,
  noAccounts,
  type AccountChange,
  type Accounts,
  type ApiToken,
  type User,
} from './users.ts';

/** @throws Error with a user-facing message if the file exists and cannot be used */
export async function readAccounts(path: string): Promise<Accounts> {
  try {
    await refuseUntrusted(path);
    const text = await readOwnFile(path);
    return text === null ? noAccounts : accounts.parse(JSON.parse(text));
  } catch (error) {
    const reason = isDamage(error) ? 'it is not of the form that the lab manager writes' : errorText(error);
    throw new Error(`${path} can't be read: ${reason}`, { cause: error });
  }
}

/**
 * Changes the current content of the file. @returns the content afterwards
 * @throws {RefusedChange} or another Error with a user-facing message; the file is unchanged then
 */
export async function changeAccounts(
  path: string,
  change: AccountChange,
  now = new Date(clock.now()),
): Promise<Accounts> {
  return changeSharedFile(
    path,
    async () => applyChange(await readAccounts(path), change, now),
    (content) => `${JSON.stringify(content, null, 2)}\n`,
  );
}

/** Interval of the checks whether the file changed, in ms: a removed user loses access within this time. */
const checkIntervalMs = 1000;

/** The users and tokens of the file, at most `checkIntervalMs` old. */
export class AccountList {
  #path: string | null = null;
  readonly #log: Log;
  readonly #isEnabled: () => boolean;
  readonly #poller = new Poller(() => this.#check());
  #accounts: Accounts = noAccounts;
  #fingerprint: string | null = null;
  #problem: string | null = null;
  #isReading = false;

  /** @param isEnabled whether remote access is on; otherwise the file is not read */
  constructor(isEnabled: () => boolean, log: Log) {
    this.#isEnabled = isEnabled;
    this.#log = log;
  }

  /** @param path of the file; `null` for a lab without stored state, which has no users */
  start(path: string | null): Promise<void> {
    this.#path = path;
    return this.#poller.start();
  }

  stop(): void {
    this.#poller.stop();
  }

  /** Reads the file again, after it was changed by this process. */
  refresh(): Promise<void> {
    return this.#poller.readNow();
  }

  /** The reason why no user can sign in; `null` if the file was read. */
  get problem(): string | null {
    return this.#problem;
  }

  get hasUsers(): boolean {
    return this.#accounts.users.length > 0;
  }

  findUser(name: string): User | null {
    return findNamed(this.#accounts.users, name);
  }

  findToken(text: string): ApiToken | null {
    const hash = hashToken(text);
    return this.#accounts.tokens.find((token) => token.hash === hash) ?? null;
  }

  async #check(): Promise<number> {
    const path = this.#path;
    if (path === null || !this.#isEnabled() || this.#isReading) return checkIntervalMs;
    this.#isReading = true;
    const reading = this.#read(path).finally(() => (this.#isReading = false));
    await withStorageTimeout(reading).catch((error: unknown) => {
      // Slow storage changes nothing; a file that cannot be trusted ends all access.
      if (!(error instanceof StorageTimeoutError)) this.#accounts = noAccounts;
      this.#report(error instanceof StorageTimeoutError ? `${path}: ${error.message}` : errorText(error));
    });
    return checkIntervalMs;
  }

  async #read(path: string): Promise<void> {
    const fingerprint = await fileFingerprint(path);
    if (fingerprint === this.#fingerprint && this.#problem === null) return;
    this.#accounts = await readAccounts(path);
    this.#fingerprint = fingerprint;
    this.#problem = null;
  }

  #report(text: string): void {
    if (text !== this.#problem) this.#log.warn(text);
    this.#problem = text;
  }
}
