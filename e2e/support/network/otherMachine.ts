/** A second machine, simulated by a network namespace that a veth pair connects to this machine. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { sendRequest } from '../rawRequest.ts';
import { findOutsideAddress } from '../service.ts';

const run = promisify(execFile);

/** The number of machines that this process has made: the kernel removes the network of the previous one later. */
let machineCount = 0;

export class OtherMachine {
  /** This machine's address on that network. */
  readonly host: string;
  /** The other machine's address; `null` if there is no namespace. */
  readonly address: string | null;
  /** How the other machine is simulated, for the test log. */
  readonly description: string;
  readonly #namespace: string | null;

  readonly #programs: ChildProcess[] = [];

  private constructor(host: string, address: string | null, namespace: string | null, description: string) {
    this.host = host;
    this.address = address;
    this.#namespace = namespace;
    this.description = description;
  }

  /** @throws Error if neither a namespace nor a network address is available */
  static async make(): Promise<OtherMachine> {
    const id = `${process.pid.toString(36)}${Math.random().toString(36).slice(2, 5)}`;
    // A subnet of 198.18.0.0/16 (for tests between networks, RFC 2544) by the process, so that parallel runs do not collide.
    const subnet = (process.pid % 2048) * 8 + (machineCount % 8);
    machineCount += 1;
    const addressAt = (offset: number) => `198.18.${Math.floor(subnet / 64)}.${(subnet % 64) * 4 + offset}`;
    const namespace = `lab-${id}`;
    try {
      await run('ip', ['netns', 'add', namespace]);
      await run('ip', ['link', 'add', `lh${id}`, 'type', 'veth', 'peer', 'name', `ln${id}`, 'netns', namespace]);
      // Without an automatic IPv6 address, whose late assignment would make Chromium abort its requests.
      await run('ip', ['link', 'set', `lh${id}`, 'addrgenmode', 'none']);
      await run('ip', ['-n', namespace, 'link', 'set', `ln${id}`, 'addrgenmode', 'none']);
      await run('ip', ['addr', 'add', `${addressAt(1)}/30`, 'dev', `lh${id}`]);
      await run('ip', ['link', 'set', `lh${id}`, 'up']);
      await run('ip', ['-n', namespace, 'addr', 'add', `${addressAt(2)}/30`, 'dev', `ln${id}`]);
      await run('ip', ['-n', namespace, 'link', 'set', `ln${id}`, 'up']);
      await run('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
      return new OtherMachine(
        addressAt(1),
        addressAt(2),
        namespace,
        `Another machine: network namespace ${namespace}, ${addressAt(2)} → ${addressAt(1)}`,
      );
    } catch (error) {
      await run('ip', ['netns', 'del', namespace]).catch(() => undefined);
      const host = findOutsideAddress();
      const reason = error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : String(error);
      if (host === null) throw new Error(`No namespace (${reason}), and only loopback addresses`, { cause: error });
      return new OtherMachine(
        host,
        null,
        null,
        `Another machine: this one's own address ${host} (no namespace: ${reason})`,
      );
    }
  }

  /** Requests `url` from the other machine, and returns the body. */
  async get(url: string): Promise<string> {
    const { hostname, port, pathname } = new URL(url);
    if (this.#namespace === null) return (await sendRequest(Number(port), pathname, { host: hostname })).body;
    const script = 'fetch(process.argv[1]).then((r) => r.text()).then((t) => process.stdout.write(t))';
    const args = ['netns', 'exec', this.#namespace, process.execPath, '-e', script, url];
    return (await run('ip', args, { timeout: 60_000 })).stdout;
  }

  /** Creates a script that runs `executable`, such as a browser, on the other machine. */
  async wrap(executable: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
    const folder = await mkdtemp(join(tmpdir(), 'other-machine-'));
    const path = join(folder, 'run');
    const prefix = this.#namespace === null ? '' : `ip netns exec ${this.#namespace} `;
    await writeFile(path, `#!/bin/sh\nexec ${prefix}${executable} "$@"\n`);
    await chmod(path, 0o755);
    return { path, remove: () => rm(folder, { recursive: true, force: true }) };
  }

  /** Starts a TypeScript program on the machine, until the machine is removed. @returns its first line of output */
  async start(program: string, args: readonly string[] = []): Promise<string> {
    if (this.#namespace === null) throw new Error('There is no namespace to start a program in');
    const command = ['netns', 'exec', this.#namespace, process.execPath, '--import', 'tsx', program, ...args];
    const child = spawn('ip', command, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#programs.push(child);
    const lines = createInterface({ input: child.stdout });
    const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(60_000) })) as [string];
    return line;
  }

  /** Removes the namespace and, with it, its end of the network. */
  async remove(): Promise<void> {
    for (const child of this.#programs) child.kill();
    if (this.#namespace !== null) await run('ip', ['netns', 'del', this.#namespace]);
  }
}
