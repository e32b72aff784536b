/** Claims on real registry files with real locks; only the times are shorter. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { ordinaryUser } from '../../e2e/support/desktop/ordinaryUser.ts';
import { buildIdentityProgram, IdentityProcess } from '../fixtures/identityProcess.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import { acquireFileLock } from './fileLock.ts';
import { updateRegistry } from './registryFile.ts';
import { StableIdentity, type IdentityOptions } from './stableIdentity.ts';

const times = { lockMs: 60_000, renewMs: 20, retryMs: 20, fileLockMs: 500 };
const ulidShape = /^[0-9A-HJKMNP-TV-Z]{26}$/;

let folder: TempFolder;
let path: string;
let identities: StableIdentity[] = [];
let children: ChildProcess[] = [];
let processes: IdentityProcess[] = [];
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'madsci/registry.json');
});
afterEach(async () => {
  await Promise.all(identities.splice(0).map((identity) => identity.stop()));
  await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

let generated = 0;
function startIdentity(options: Partial<IdentityOptions> = {}): StableIdentity {
  generated += 1;
  const generatedId = `01GENERATED${String(generated).padStart(15, '0')}`;
  const identity = new StableIdentity({
    registryPath: path,
    name: 'Bench 4',
    lockTimeoutSeconds: 60,
    generatedId,
    log: silentLog,
    times,
    ...options,
  });
  identities.push(identity);
  identity.start();
  return identity;
}

const expectSettled = (identity: StableIdentity) =>
  expect.poll(() => identity.current.report).toMatchObject({ settled: true, problem: null, holder: null });
const expectUnsettled = (identity: StableIdentity, problem: RegExp) =>
  expect.poll(() => identity.current.report).toMatchObject({ settled: false, problem: expect.stringMatching(problem) });

async function readRegistry(): Promise<{
  entries: Record<string, { id: string; lock: { expires_at: string } | null }>;
}> {
  return JSON.parse(await readFile(path, 'utf8')) as never;
}

/** Simulates another process that writes between two writes of the lab manager. */
async function writeRegistry(content: unknown): Promise<void> {
  await mkdir(join(folder.path, 'madsci'), { recursive: true });
  const lock = await acquireFileLock(`${path}.lock`, AbortSignal.timeout(5000));
  try {
    await folder.write({ 'madsci/registry.json': typeof content === 'string' ? content : JSON.stringify(content) });
  } finally {
    await lock.close();
  }
}

/** An entry in the format of MADSci 0.8.1; locked for `expiresInMs` from now, if given. */
function madsciEntry(id: string, expiresInMs?: number) {
  const at = '2026-01-15T12:00:00.123456Z';
  const expires = new Date(Date.now() + (expiresInMs ?? 0)).toISOString();
  const lock = { holder_pid: 4242, holder_host: 'bench-pc', holder_instance: '01HOLDER', acquired_at: at };
  return {
    id,
    component_type: 'manager',
    created_at: at,
    last_seen: at,
    metadata: { manager_class: 'LabManager' },
    lock: expiresInMs === undefined ? null : { ...lock, heartbeat_at: at, expires_at: expires },
    workcell_id: null,
  };
}

describe('a usable registry', () => {
  it('is created with an entry in the format of MADSci 0.8.1', async () => {
    const identity = startIdentity();
    await expectSettled(identity);
    expect(identity.current).toMatchObject({ id: expect.stringMatching(ulidShape), isFromRegistry: true });
    expect(await readRegistry()).toEqual({
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      entries: {
        'Bench 4': {
          id: identity.current.id,
          component_type: 'manager',
          created_at: expect.any(String),
          last_seen: expect.any(String),
          metadata: { manager_class: 'LabManager' },
          lock: {
            holder_pid: process.pid,
            holder_host: expect.any(String),
            holder_instance: expect.stringMatching(ulidShape),
            acquired_at: expect.any(String),
            heartbeat_at: expect.any(String),
            expires_at: expect.any(String),
          },
          workcell_id: null,
        },
      },
    });
  });

  it('provides the same ID after a restart, and its entry is unlocked in between', async () => {
    const first = startIdentity();
    await expectSettled(first);
    await first.stop();
    expect((await readRegistry()).entries['Bench 4']?.lock).toBeNull();
    const second = startIdentity();
    await expectSettled(second);
    expect(second.current.id).toBe(first.current.id);
  });

  it('has an entry with the class name of MADSci’s lab manager when the settings have no name', async () => {
    await expectSettled(startIdentity({ name: null }));
    expect(Object.keys((await readRegistry()).entries)).toEqual(['LabManager']);
  });

  it('keeps every other entry unchanged, with any name and fields', async () => {
    const others = `"Node 1": {"id": "01N", "component_type": "node", "since_0_9": [1]}, "__proto__": ${JSON.stringify(madsciEntry('01P'))}`;
    await writeRegistry(`{"entries": {${others}}, "more": true}`);
    await expectSettled(startIdentity());
    const text = await readFile(path, 'utf8');
    const { entries, ...rest } = JSON.parse(text) as { entries: object; more: boolean };
    expect(Object.keys(entries)).toEqual(['Node 1', '__proto__', 'Bench 4']);
    expect(Object.entries(entries).slice(0, 2)).toEqual(Object.entries(JSON.parse(`{${others}}`) as object));
    expect(rest.more).toBe(true);
  });

  // Windows has no file modes.
  it.skipIf(process.platform === 'win32')('keeps the permissions of a shared file', async () => {
    await writeRegistry({ entries: {} });
    await chmod(path, 0o664);
    await expectSettled(startIdentity());
    expect((await stat(path)).mode & 0o777).toBe(0o664);
  });

  it('has a lock that is renewed before it expires', async () => {
    await expectSettled(startIdentity());
    const first = (await readRegistry()).entries['Bench 4']?.lock?.expires_at ?? '';
    await expect.poll(async () => (await readRegistry()).entries['Bench 4']?.lock?.expires_at ?? '').not.toBe(first);
  });

  it('is unchanged, and not reported as changed, if the time is over before it is written', async () => {
    const late = new AbortController();
    const change = () => {
      late.abort(new Error('too late'));
      return { id: '01LATE', component_type: 'manager' };
    };
    await expect(updateRegistry(path, 'Bench 4', change, late.signal)).rejects.toThrow('too late');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('is created again with the same ID when it is removed while the lab manager runs', async () => {
    const identity = startIdentity();
    await expectSettled(identity);
    await rm(path);
    await expect
      .poll(async () => (await readRegistry().catch(() => null))?.entries['Bench 4']?.id)
      .toBe(identity.current.id);
  });
});

describe('an ID that another process has locked', () => {
  it('is not used; the report names the process, and the ID is used once the lock expires', async () => {
    await writeRegistry({ entries: { 'Bench 4': madsciEntry('01STABLE', 60_000) } });
    const identity = startIdentity();
    await expectUnsettled(identity, /"Bench 4" is in use by another process \(bench-pc, process 4242\)/);
    expect(identity.current).toMatchObject({ isFromRegistry: false });
    expect(identity.current.report.holder).toEqual({
      host: 'bench-pc',
      pid: 4242,
      since: '2026-01-15T12:00:00.123456Z',
    });
    expect(identity.current.id).not.toBe('01STABLE');
    await writeRegistry({ entries: { 'Bench 4': madsciEntry('01STABLE', -1) } });
    await expectSettled(identity);
    expect(identity.current.id).toBe('01STABLE');
  });

  it('belongs to one of two lab managers with the same name, and to the other when the first one stops', async () => {
    const first = startIdentity();
    await expectSettled(first);
    const second = startIdentity();
    await expectUnsettled(second, /in use by another process/);
    expect(second.current.id).not.toBe(first.current.id);
    await first.stop();
    await expectSettled(second);
    expect(second.current.id).toBe(first.current.id);
  });

  it('is no longer used by a lab manager that lost its lock, such as after a long sleep', async () => {
    const identity = startIdentity();
    await expectSettled(identity);
    const { id } = identity.current;
    await writeRegistry({ entries: { 'Bench 4': madsciEntry(id, 60_000) } });
    await expectUnsettled(identity, /in use by another process/);
    expect(identity.current.id).not.toBe(id);
  });

  it('stays with a killed process until its lock expires', async () => {
    const program = await buildIdentityProgram(folder.path);
    const options = {
      registryPath: path,
      name: 'Bench 4',
      lockTimeoutSeconds: 60,
      times: { ...times, lockMs: 60_000 },
    };
    const startProcess = () => {
      const child = new IdentityProcess(program, options);
      processes.push(child);
      return child;
    };
    const first = startProcess();
    await expect.poll(() => first.current?.report.settled).toBe(true);
    await first.end('SIGKILL');
    const second = startProcess();
    await expect.poll(() => second.current?.report.problem).toMatch(/in use by another process/);
    await writeRegistry({ entries: { 'Bench 4': madsciEntry(first.current?.id ?? '', -1) } });
    await expect.poll(() => second.current?.report.settled).toBe(true);
    expect(second.current?.id).toBe(first.current?.id);
  });
});

describe('an unusable registry', () => {
  it.each([
    ['is damaged', '{"entries": {"Bench', /it is not JSON/],
    ['is empty', '', /it is not JSON/],
    ['has another format', '[1]', /not have the form of an ID registry/],
    ['has a later version', { version: 2, entries: {} }, /has format 2/],
    ['has a damaged entry of this name', { entries: { 'Bench 4': { id: 7 } } }, /its entry for "Bench 4"/],
  ])('stays unchanged when it %s', async (_what, content, problem) => {
    await writeRegistry(content);
    const before = await readFile(path, 'utf8');
    const identity = startIdentity();
    await expectUnsettled(identity, problem);
    expect(identity.current).toMatchObject({ isFromRegistry: false });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('is not read at a size of 100 MB', async () => {
    await writeRegistry('{}');
    await truncate(path, 100_000_000);
    await expectUnsettled(startIdentity(), /it has 100 MB/);
  });

  it('is used once it is no longer locked', async () => {
    await mkdir(join(folder.path, 'madsci'));
    const lock = await acquireFileLock(`${path}.lock`, AbortSignal.timeout(5000));
    const identity = startIdentity();
    await expectUnsettled(identity, /another program holds the lock/);
    await lock.close();
    await expectSettled(identity);
  });

  // On Windows a file that can be read by everyone can be replaced by its folder's owner.
  it.skipIf(process.platform === 'win32')('provides the recorded ID without a lock when it is read-only', async () => {
    await writeRegistry({ entries: { 'Bench 4': madsciEntry('01STABLE') } });
    const program = await buildIdentityProgram(folder.path);
    const user = ordinaryUser();
    user.chown(folder.path);
    if (process.getuid?.() === 0) chownSync(join(folder.path, 'madsci'), 0, 0);
    const before = await readFile(path, 'utf8');
    const options = { registryPath: path, name: 'Bench 4', lockTimeoutSeconds: 60, times };
    const child = new IdentityProcess(program, options, user.command);
    processes.push(child);
    // On a busy machine, the first attempt may exceed its time limit.
    await expect
      .poll(() => child.current)
      .toMatchObject({
        id: '01STABLE',
        isFromRegistry: true,
        report: { settled: false, problem: expect.stringContaining('EACCES') },
      });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('does not end the use of a granted ID before its lock has expired', async () => {
    const time = useManualClock(Date.now());
    const identity = startIdentity({
      times: { lockMs: 60_000, renewMs: 1000, retryMs: 1000, fileLockMs: 10_000 },
    });
    await time.waitFor(() => expect(identity.current.report.settled).toBe(true));
    const { id } = identity.current;
    await writeRegistry('damaged');
    const damagedAt = time.monotonic();
    const problem: unknown = expect.stringMatching(/it is not JSON/);
    await time.waitFor(() => expect(identity.current.report).toMatchObject({ settled: false, problem }));
    expect(time.monotonic() - damagedAt).toBeGreaterThan(50_000);
    expect(identity.current).toMatchObject({ id, isFromRegistry: true });
  });
});

// `flock` is that of Linux and macOS; e2e/windows/identity.test.ts tests the lock of Windows.
describe.skipIf(process.platform === 'win32')('the lock on the registry file', () => {
  it('is acquired again when its owner deleted the file, as in Python’s filelock', async () => {
    const lockPath = join(folder.path, 'registry.json.lock');
    const script = `exec 9<>"$0"; flock -x 9; echo held; read -r _; rm "$0"`;
    const holder = spawn('bash', ['-c', script, lockPath], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(holder);
    await once(holder.stdout, 'data');
    const acquiring = acquireFileLock(lockPath, AbortSignal.timeout(5000));
    holder.stdin.end('\n');
    const lock = await acquiring;
    expect((await lock.stat()).ino).toBe((await stat(lockPath)).ino);
    await lock.close();
  });
});
