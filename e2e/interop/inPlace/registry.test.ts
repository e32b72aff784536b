/** MADSci's ID registry and ours on the same files: each reads the entries of the other, and no entry is lost. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { settingsResponse } from '#api/lab/settings.ts';
import { managerKeys } from '#api/managers.ts';
import { buildIdentityProgram, IdentityProcess } from '#server/fixtures/identityProcess.ts';
import { makeTempFolder, type TempFolder } from '#server/fixtures/tempFolder.ts';
import { startService } from '../../support/service.ts';
import { startRealLab } from '../realLab.ts';

/** The number of rounds in which six real registries and ours start at the same time. */
const rounds = 50;

const exported = z.object({
  entries: z.record(
    z.string(),
    z.object({
      id: z.string(),
      component_type: z.string(),
      lock: z.nullable(z.looseObject({ holder_pid: z.number() })),
    }),
  ),
});

/** MADSci's `LocalRegistryManager` in a separate process. */
class RealRegistry {
  readonly #child: ChildProcess;
  readonly #pendingReplies: ((line: string) => void)[] = [];

  constructor(python: string) {
    const { PATH = '' } = process.env;
    this.#child = spawn(python, [join(import.meta.dirname, '../python/registry.py')], {
      env: { PATH, HOME: '/nonexistent', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (this.#child.stdout)
      createInterface(this.#child.stdout).on('line', (line) => this.#pendingReplies.shift()?.(line));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async #command(...text: readonly string[]): Promise<unknown> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#pendingReplies.push(resolve);
      this.#child.once('exit', (code) => reject(new Error(`registry.py ended with ${code}`)));
      this.#child.stdin?.write(`${JSON.stringify(text)}\n`);
    });
    this.#child.removeAllListeners('exit');
    return JSON.parse(line) as unknown;
  }

  async resolve(path: string, name: string): Promise<{ id?: string | undefined; locked?: string | undefined }> {
    return z
      .object({ id: z.optional(z.string()), locked: z.optional(z.string()) })
      .parse(await this.#command('resolve', path, name));
  }

  async export(path: string): Promise<z.infer<typeof exported>['entries']> {
    return exported.parse(await this.#command('export', path)).entries;
  }

  /** Locks the file until `release`. */
  async lockFile(path: string): Promise<void> {
    await this.#command('hold', path);
  }

  async release(path: string): Promise<void> {
    await this.#command('release', path);
  }

  end(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

const python = (): string => {
  const path = process.env['LAB_MANAGER_MADSCI_PYTHON'];
  if (path === undefined) throw new Error('There is no Python with MADSci: run it with npm run test:interop');
  return path;
};

let folder: TempFolder;
let program: string;
let path: string;
let real: readonly RealRegistry[] = [];
let ours: IdentityProcess[] = [];

beforeAll(async () => {
  folder = await makeTempFolder();
  program = await buildIdentityProgram(folder.path);
  real = Array.from({ length: 6 }, () => new RealRegistry(python()));
});
beforeEach(() => {
  path = join(folder.path, 'registry.json');
});
afterEach(async () => {
  await Promise.all(ours.splice(0).map((identityProcess) => identityProcess.end('SIGKILL')));
  await Promise.all(real.map((manager) => manager.release(path).catch(() => undefined)));
  await rm(path, { force: true });
});
afterAll(async () => {
  for (const manager of real) manager.end('SIGKILL');
  await folder.remove();
});

function startIdentity(name: string): IdentityProcess {
  const identity = new IdentityProcess(program, { registryPath: path, name, lockTimeoutSeconds: 60 });
  ours.push(identity);
  return identity;
}

const settled = (identity: IdentityProcess) => expect.poll(() => identity.current?.report.settled).toBe(true);
const first = () => real[0] as RealRegistry;

it('MADSci reads our registry entry with its lock and resolves the same ID after our end', async () => {
  const identity = startIdentity('Bench 4');
  await settled(identity);
  const id = identity.current?.id;
  const entries = await first().export(path);
  expect(entries).toMatchObject({
    'Bench 4': { id, component_type: 'manager', lock: { holder_pid: expect.any(Number) } },
  });
  expect(await first().resolve(path, 'Bench 4')).toMatchObject({ locked: expect.stringContaining('Locked by') });
  await identity.end('SIGTERM');
  expect((await first().export(path))['Bench 4']?.lock).toBeNull();
  expect(await first().resolve(path, 'Bench 4')).toEqual({ id });
});

it('our lab manager does not use an ID that MADSci has locked, and uses it once it is released', async () => {
  const { id } = await first().resolve(path, 'Bench 4');
  const identity = startIdentity('Bench 4');
  await expect.poll(() => identity.current?.report.holder?.pid).toBe(first().pid);
  expect(identity.current?.id).not.toBe(id);
  await first().release(path);
  await settled(identity);
  expect(identity.current?.id).toBe(id);
});

it('a registry file locked by MADSci delays our entry, which is settled after the release', async () => {
  await first().lockFile(path);
  const identity = startIdentity('Bench 4');
  await expect.poll(() => identity.current?.report.problem).toMatch(/another program holds the lock/);
  await first().release(path);
  await expect.poll(() => identity.current?.report.settled).toBe(true);
});

it('the ID of a killed lab manager stays locked for MADSci and for us, and our next start uses it after about 30 s', async () => {
  const killed = startIdentity('Bench 4');
  await settled(killed);
  await killed.end('SIGKILL');
  const killedAt = performance.now();
  const next = startIdentity('Bench 4');
  await expect.poll(() => next.current?.report.problem).toMatch(/in use by another process/);
  expect(await first().resolve(path, 'Bench 4')).toHaveProperty('locked');
  await expect.poll(() => next.current?.report.settled).toBe(true);
  expect(performance.now() - killedAt).toBeGreaterThan(25_000);
  expect(next.current?.id).toBe(killed.current?.id);
});

it(`no registry entry is lost in ${rounds} starts of six real registries and ours at the same time`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const names = real.map((_each, index) => `manager ${index}`);
    const identity = startIdentity('LabManager');
    const resolved = await Promise.all(real.map((manager, index) => manager.resolve(path, names[index] ?? '')));
    await settled(identity);
    const entries = await first().export(path);
    expect(Object.keys(entries).toSorted()).toEqual(['LabManager', ...names]);
    expect(names.map((name) => entries[name]?.id)).toEqual(resolved.map(({ id }) => id));
    expect(entries['LabManager']?.id).toBe(identity.current?.id);
    await identity.end('SIGTERM');
    await Promise.all(real.map((manager) => manager.release(path)));
    expect(Object.values(await first().export(path)).map(({ lock }) => lock)).toEqual([...names, ''].map(() => null));
    await rm(path);
  }
}, 900_000);

it('the registry has a locked entry for each of six real managers and for our lab manager', async () => {
  const lab = await startRealLab(python(), { nodes: [], registry: path });
  try {
    const service = await startService({ env: { MADSCI_REGISTRY_PATH: path } });
    try {
      const settings = async () => settingsResponse.parse(await (await fetch(`${service.url}settings`)).json());
      await expect.poll(async () => (await settings()).identity?.settled).toBe(true);
      const entries = await first().export(path);
      expect(Object.keys(entries)).toHaveLength(managerKeys.length + 1);
      expect(Object.values(entries).every(({ lock }) => lock !== null)).toBe(true);
      expect(entries['LabManager']?.id).toBe((await settings()).settings['manager_id']);
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
  }
});
