/**
 * Runs systemd in namespaces, as the first process of a system with the files of this machine. Changes to files are kept in
 * memory, the network is separate, and everything ends with the first process. Needs root.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** The capabilities with which a program of the system could change something outside of its namespaces. */
const forbiddenCapabilities = [
  'sys_module',
  'sys_time',
  'sys_boot',
  'sys_rawio',
  'syslog',
  'audit_control',
  'mac_admin',
  'mac_override',
];
const dropCapabilities = ['setpriv', `--bounding-set=${forbiddenCapabilities.map((name) => `-${name}`).join(',')}`];

const setUpScript = join(import.meta.dirname, 'systemd.sh');
const namespaceOptions = ['--mount', '--pid', '--cgroup', '--net', '--uts', '--ipc'];
const firstUnit = 'basic.target';

export interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

/** Returns why this machine can't run such a system; `null` if it can. */
export function findSystemdObstacle(): string | null {
  try {
    const { command, remove } = prepare();
    try {
      const [file = '', ...args] = command(['true']);
      execFileSync(file, args, { stdio: 'pipe' });
    } finally {
      remove();
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export class SystemdMachine {
  readonly #process: ChildProcess;
  readonly #firstPid: number;
  readonly #remove: () => void;

  private constructor(process: ChildProcess, firstPid: number, remove: () => void) {
    this.#process = process;
    this.#firstPid = firstPid;
    this.#remove = remove;
  }

  /** Resolves when systemd has started. */
  static async boot(): Promise<SystemdMachine> {
    const { command, remove } = prepare();
    const systemd = existsSync('/usr/lib/systemd/systemd') ? '/usr/lib/systemd/systemd' : '/lib/systemd/systemd';
    const [file = '', ...args] = command([systemd, `--unit=${firstUnit}`, '--log-target=journal']);
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [line] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error(`The system could not be set up: ${errors}`))),
    ]).catch((error: unknown) => {
      remove();
      throw error;
    });
    const machine = new SystemdMachine(child, Number(line), remove);
    try {
      await machine.until(`${firstUnit} is active`, () => machine.isActive(firstUnit));
    } catch (error) {
      await machine.stop();
      throw error;
    }
    return machine;
  }

  /** Returns this machine's path of a file of the system. Absolute links in it lead to files of this machine. */
  path(inside: string): string {
    return join('/proc', String(this.#firstPid), 'root', inside);
  }

  /** Runs a command to its end, without input. */
  attempt(...command: readonly string[]): Outcome {
    const env = [
      'env',
      '-i',
      'HOME=/root',
      'LC_ALL=C.UTF-8',
      'DEBIAN_FRONTEND=noninteractive',
      `PATH=/usr/sbin:/usr/bin:/sbin:/bin`,
    ];
    const namespaces = [`--target=${this.#firstPid}`, ...namespaceOptions, '--root', '--wd'];
    const args = [...namespaces, ...dropCapabilities, ...env, ...command];
    const { status, stdout, stderr } = spawnSync('nsenter', args, {
      encoding: 'utf8',
      timeout: 110_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: status, text: `${stdout}${stderr}` };
  }

  /** @returns what it prints @throws Error with what it prints when it fails */
  run(...command: readonly string[]): string {
    const { code, text } = this.attempt(...command);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${text}`);
    return text;
  }

  isActive(unit: string): boolean {
    return this.attempt('systemctl', 'is-active', unit).text.trim() === 'active';
  }

  /** Returns a property of a unit. Source: systemctl(1) */
  property(unit: string, name: string): string {
    return this.run('systemctl', 'show', '--value', '--property', name, unit).trim();
  }

  /** Returns the response to a request in the network of the system; `null` if there is none. */
  fetch(url: string): string | null {
    const script = 'fetch(process.argv[1]).then((response) => response.text()).then(console.log)';
    const args = [`--target=${this.#firstPid}`, '--net', process.execPath, '--eval', script, url];
    const { status, stdout } = spawnSync('nsenter', args, { encoding: 'utf8', timeout: 10_000 });
    return status === 0 ? stdout : null;
  }

  /** @throws Error with the journal if the condition is not met within 30 s */
  async until(what: string, isMet: () => boolean): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!isMet()) {
      if (Date.now() > deadline) throw new Error(`Not within 30 s: ${what}. The journal:\n${this.journal()}`);
      await sleep(100);
    }
  }

  journal(): string {
    return this.attempt('journalctl', '--no-pager', '--lines=200', '--output=cat').text;
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    const ended = exitCode === null && signalCode === null ? once(this.#process, 'exit') : null;
    // The kernel ends every process of the namespace with its first one.
    if (ended) process.kill(this.#firstPid, 'SIGKILL');
    await ended;
    this.#remove();
  }
}

/** Creates the folder and the control group of a system. `remove` deletes them, after the end of its processes. */
function prepare(): { command: (first: readonly string[]) => string[]; remove: () => void } {
  const group = join(cgroupFolder(), `lab-manager-test-${process.pid}`);
  mkdirSync(group);
  const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
  return {
    // The system must not outlive this process.
    command: (first) => [
      'sh',
      '-c',
      'echo $$ >"$0/cgroup.procs" && exec "$@"',
      group,
      'setpriv',
      '--pdeathsig=KILL',
      'unshare',
      ...namespaceOptions,
      '--fork',
      '--kill-child',
      ...dropCapabilities,
      'sh',
      setUpScript,
      folder,
      ...first,
    ],
    remove: () => {
      removeGroup(group);
      rmdirSync(folder);
    },
  };
}

/** Returns the folder of the unified hierarchy of control groups. Source: proc(5), mountinfo */
function cgroupFolder(): string {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const [, , , , path] = mounts.find((mount) => mount.includes(' - cgroup2 '))?.split(' ') ?? [];
  if (path === undefined) throw new Error('There is no mount of cgroup2');
  return path;
}

/** Removes a group after the groups in it; the files of a group need not and cannot be removed. */
function removeGroup(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(group, entry.name));
  }
  rmdirSync(group);
}
