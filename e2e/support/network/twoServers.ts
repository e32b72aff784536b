/**
 * Two servers, simulated by network namespaces that a bridge connects to this machine. Tests start the headless lab
 * manager and other programs on them.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { repository } from '../service.ts';

const run = promisify(execFile);

/** A program on one of the servers. */
export interface ServerProgram {
  /** Its output so far. */
  readonly output: () => string;
  /** Ends it with a signal, and resolves when it has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

export class TwoServers {
  /** This machine's address on their network. */
  readonly host: string;
  /** The addresses of the servers. */
  readonly addresses: readonly [string, string];
  /** A free address that one of the servers may have, without a prefix length. */
  readonly sharedAddress: string;
  readonly #bridge: string;
  readonly #namespaces: readonly [string, string];
  readonly #programs: ChildProcess[] = [];

  private constructor(bridge: string, namespaces: readonly [string, string], addressAt: (offset: number) => string) {
    this.#bridge = bridge;
    this.#namespaces = namespaces;
    this.host = addressAt(1);
    this.addresses = [addressAt(2), addressAt(3)];
    this.sharedAddress = addressAt(4);
  }

  /** @throws Error that names the required rights, if this account may not create networks */
  static async make(): Promise<TwoServers> {
    const id = `${process.pid.toString(36)}${Math.random().toString(36).slice(2, 5)}`;
    // A random subnet of 198.19.0.0/16 (for tests between networks, RFC 2544), so that parallel runs do not collide.
    const [third, fourth] = [Math.floor(Math.random() * 256), Math.floor(Math.random() * 31) * 8];
    const servers = new TwoServers(
      `lb${id}`,
      [`lab-a${id}`, `lab-b${id}`],
      (offset) => `198.19.${third}.${fourth + offset}`,
    );
    try {
      await servers.#connect(id);
      return servers;
    } catch (error) {
      await servers.remove();
      throw new Error('Two servers need network namespaces and a bridge: run as root with CAP_NET_ADMIN', {
        cause: error,
      });
    }
  }

  async #connect(id: string): Promise<void> {
    await run('ip', ['link', 'add', this.#bridge, 'type', 'bridge']);
    await run('ip', ['addr', 'add', `${this.host}/29`, 'dev', this.#bridge]);
    await run('ip', ['link', 'set', this.#bridge, 'up']);
    for (const [index, namespace] of this.#namespaces.entries()) {
      const outer = `l${index}${id}`;
      await run('ip', ['netns', 'add', namespace]);
      await run('ip', ['link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace]);
      await run('ip', ['link', 'set', outer, 'master', this.#bridge, 'up']);
      await run('ip', ['-n', namespace, 'addr', 'add', `${this.addresses[index]}/29`, 'dev', 'eth0']);
      await run('ip', ['-n', namespace, 'link', 'set', 'eth0', 'up']);
      await run('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
    }
  }

  /** Starts a program on a server, which runs until it is ended or the servers are removed. */
  start(server: 0 | 1, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ServerProgram {
    const child = spawn('ip', ['netns', 'exec', this.#namespaces[server], program, ...args], {
      cwd: repository,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#programs.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    return {
      output: () => output,
      end: async (signal) => {
        const exited = once(child, 'exit');
        child.kill(signal);
        await exited;
      },
    };
  }

  /** Starts the lab manager on a server. @param folder the folder of its settings and state */
  startLabManager(server: 0 | 1, folder: string): ServerProgram {
    const entry = join(repository, 'server/commandLine/main.ts');
    const args = ['--import', 'tsx', entry, '--settings-dir', folder];
    const registry = join(folder, 'registry.json');
    const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), MADSCI_REGISTRY_PATH: registry };
    return this.start(server, process.execPath, args, env);
  }

  /** Separates a server from the network, or connects it again. */
  async setConnected(server: 0 | 1, isConnected: boolean): Promise<void> {
    await run('ip', ['-n', this.#namespaces[server], 'link', 'set', 'eth0', isConnected ? 'up' : 'down']);
  }

  async remove(): Promise<void> {
    for (const child of this.#programs) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exited;
      clearTimeout(timer);
    }
    for (const namespace of this.#namespaces) await run('ip', ['netns', 'del', namespace]).catch(() => undefined);
    await run('ip', ['link', 'del', this.#bridge]).catch(() => undefined);
  }
}
