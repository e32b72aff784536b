/** Password hashes: scrypt, with the parameters in the hash, so that later versions can raise them. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { TaskQueue } from '../concurrency/taskQueue.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Source: OWASP's Password Storage Cheat Sheet. One hash takes 32 MiB and about a quarter of a second. */
const parameters = { N: 2 ** 15, r: 8, p: 3 } as const;
const saltBytes = 16;
const hashBytes = 32;
/** The maximum memory for one hash, in bytes, whatever the parameters in the users file are. */
const maxMemory = 128 * 1024 * 1024;

const minPassword = 10;
const maxPassword = 256;

/** Too many passwords are being checked or hashed. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

interface Hash {
  readonly options: { readonly N: number; readonly r: number; readonly p: number };
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Parses `scrypt:32768:8:3:SALT:HASH`, base64url; `null` if it is invalid or demands too much memory or time. */
export function parseHash(text: string): Hash | null {
  const match = /^scrypt:(\d{1,7}):(\d{1,2}):(\d{1,2}):([\w-]{22,64}):([\w-]{43})$/.exec(text);
  if (match === null) return null;
  const [N, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isPowerOfTwo = N >= 2 && (N & (N - 1)) === 0;
  if (!isPowerOfTwo || r < 1 || p < 1 || p > 16 || 128 * N * r > maxMemory / 2) return null;
  const decode = (part: string | undefined) => Buffer.from(part ?? '', 'base64url');
  return { options: { N, r, p }, salt: decode(match[4]), hash: decode(match[5]) };
}

/** The reason why a new password is refused; `null` if it is accepted. */
export function passwordProblem(password: string): string | null {
  const { length } = [...password];
  if (length < minPassword) return `has ${length} characters; use at least ${minPassword}`;
  return length > maxPassword ? `has more than ${maxPassword} characters` : null;
}

/** A hash that matches no password: verifying it takes as long as verifying a user's, which hides that a name is unknown. */
const noUser: Hash = { options: parameters, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) };

/** Unicode has several encodings of the same character, and keyboards differ in which one they send. */
const normalize = (password: string): string => password.normalize('NFKC');

export class Passwords {
  /**
   * A hash occupies a thread of the pool that also reads files and resolves names, so only one runs at a time. Those of users
   * at known addresses run before all others, so that guesses delay a user by at most the one that is running.
   */
  readonly #queue = new TaskQueue();
  readonly #maxPending: number;
  readonly #reserved: number;
  #pending = 0;

  /**
   * @param maxPending the maximum number of passwords that are being checked or hashed, or wait for it
   * @param reserved how many more of them users at known addresses may have
   */
  constructor(maxPending = 8, reserved = 4) {
    this.#maxPending = maxPending;
    this.#reserved = reserved;
  }

  /** @throws {BusyError} if too many passwords are pending */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const hash = await this.#derive(password, salt, hashBytes, parameters);
    const { N, r, p } = parameters;
    return `scrypt:${N}:${r}:${p}:${salt.toString('base64url')}:${hash.toString('base64url')}`;
  }

  /**
   * Whether `stored` is the hash of the password. `null`, for an unknown user, takes as long as a wrong password.
   * @param isKnown whether the user has signed in at this address before
   * @throws {BusyError} if too many passwords are pending
   */
  async verify(password: string, stored: string | null, isKnown = false): Promise<boolean> {
    const parsed = stored === null ? null : parseHash(stored);
    const { options, salt, hash } = parsed ?? noUser;
    const derived = await this.#derive(password, salt, hash.length, options, isKnown);
    return timingSafeEqual(derived, hash) && parsed !== null;
  }

  async #derive(
    password: string,
    salt: Buffer,
    length: number,
    options: Hash['options'],
    isKnown = false,
  ): Promise<Buffer> {
    if (this.#pending >= this.#maxPending + (isKnown ? this.#reserved : 0))
      throw new BusyError('Too many people sign in at the same time');
    this.#pending += 1;
    try {
      return await this.#queue.run(
        () => derive(normalize(password), salt, length, { ...options, maxmem: maxMemory }),
        undefined,
        isKnown,
      );
    } finally {
      this.#pending -= 1;
    }
  }
}
