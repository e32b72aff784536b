/**
 * MADSci's ID registry, `registry.json`: maps the names of components to their IDs, each with the lock of the process
 * that currently uses it. Source: `madsci/common/registry` of MADSci 0.8.1; this implementation and MADSci's share the
 * file.
 */
import { mkdir, open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { ForeignFileError, readOwnFile, replaceOwnFile } from '../storage/replaceOwnFile.ts';
import { acquireFileLock } from './fileLock.ts';

/** The format version of written files. A file with a newer version is rejected and not changed. */
const formatVersion = 1;

const registryLock = z.looseObject({
  holder_pid: z.number(),
  holder_host: z.string(),
  holder_instance: z.string(),
  acquired_at: z.string(),
  heartbeat_at: z.string(),
  expires_at: z.string(),
});
export type RegistryLock = z.infer<typeof registryLock>;

const registryEntry = z.looseObject({
  id: z.string().min(1),
  component_type: z.string(),
  created_at: z.optional(z.string()),
  last_seen: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  lock: z.nullish(registryLock),
  workcell_id: z.nullish(z.string()),
});
export type RegistryEntry = z.infer<typeof registryEntry>;

/** The entries are validated only when they are used, so that invalid entries of other components are preserved. */
const registry = z.looseObject({
  version: z.optional(z.number()),
  created_at: z.optional(z.string()),
  entries: z.optional(z.looseObject({})),
});
type Registry = z.infer<typeof registry>;

/** The registry exists but is unusable; the message suggests an action. */
class DamagedRegistryError extends Error {
  override readonly name = 'DamagedRegistryError';
}

/**
 * Changes the entry of `name` under the registry's file lock. Nothing is written after `signal` aborts.
 * @param change returns the entry to write; `null` leaves the file unchanged
 * @throws FileLockError, DamagedRegistryError, the reason of `signal`, or the error of the file system; the file is
 *   unchanged in these cases, except if another user's file can't be overwritten completely
 */
export async function updateRegistry(
  path: string,
  name: string,
  change: (entry: RegistryEntry | null) => RegistryEntry | null,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await acquireFileLock(`${path}.lock`, signal);
  try {
    const content = await readRegistry(path);
    const entry = change(findEntryIn(content, name));
    if (entry === null) return;
    // The caller must not take an entry for written that is not.
    signal.throwIfAborted();
    await writeRegistry(path, withEntry(content, name, entry));
  } finally {
    await lock.close();
  }
}

/**
 * Returns the entry of `name`; `null` if there is none. Reads without the lock, in case the registry cannot be locked.
 * @throws DamagedRegistryError, or the error of the file system
 */
export async function findEntry(path: string, name: string): Promise<RegistryEntry | null> {
  return findEntryIn(await readRegistry(path), name);
}

async function readRegistry(path: string): Promise<Registry> {
  const text = await readText(path);
  if (text === null) return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw damagedError(`it is not JSON (${errorText(error)})`);
  }
  const parsed = registry.safeParse(content);
  if (!parsed.success) throw damagedError('it does not have the form of an ID registry');
  if ((parsed.data.version ?? formatVersion) > formatVersion)
    throw new DamagedRegistryError(
      `registry.json has format ${parsed.data.version}, and this version reads format ${formatVersion}; update the lab manager`,
    );
  // Not `parsed.data`, because zod drops an entry named `__proto__`, which is a valid name here.
  return content as Registry;
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readOwnFile(path);
  } catch (error) {
    if (error instanceof ForeignFileError) throw damagedError(error.message);
    throw error;
  }
}

function damagedError(reason: string): DamagedRegistryError {
  return new DamagedRegistryError(`registry.json cannot be used: ${reason}; restore it from a backup, or remove it`);
}

function findEntryIn({ entries = {} }: Registry, name: string): RegistryEntry | null {
  if (!Object.hasOwn(entries, name)) return null;
  const parsed = registryEntry.safeParse(entries[name]);
  if (!parsed.success) throw damagedError(`its entry for ${JSON.stringify(name)} does not have the form of an entry`);
  return parsed.data;
}

function withEntry(content: Registry, name: string, entry: RegistryEntry): Registry {
  const now = new Date(clock.now()).toISOString();
  return {
    ...content,
    version: formatVersion,
    created_at: content.created_at ?? now,
    updated_at: now,
    // Unlike an assignment, `fromEntries` also creates an entry for a component named `__proto__`.
    entries: Object.fromEntries([...Object.entries(content.entries ?? {}), [name, entry]]),
  };
}

async function writeRegistry(path: string, content: Registry): Promise<void> {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const target = await realpath(path).catch(() => path);
  const stats = await stat(target).catch(() => null);
  const uid = process.getuid?.();
  // The file keeps its owner and permissions, because managers of other users share it. Only root can set the owner, so
  // other users overwrite a foreign file in place.
  if (stats === null || uid === undefined || uid === 0 || stats.uid === uid) {
    const owner = stats === null || uid !== 0 ? null : { uid: stats.uid, gid: stats.gid };
    const mode = stats === null ? 0o666 & ~process.umask() : stats.mode & 0o7777;
    return replaceOwnFile(target, text, { owner, mode, temporary: `${target}.${process.pid}.new` });
  }
  const handle = await open(target, 'r+');
  try {
    // Pads the text with spaces to the old length, so that the file is valid even if the process ends before it is
    // truncated.
    const bytes = Buffer.byteLength(text);
    await handle.write(`${text}${' '.repeat(Math.max(0, stats.size - bytes))}`, 0);
    await handle.truncate(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
