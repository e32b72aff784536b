/**
 * A network namespace whose name server receives every query and responds to none, so that the C library waits until
 * its timeout and repeats the query.
 */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export class UnresponsiveNameServer {
  readonly #namespace: string;
  readonly #folder: string;

  private constructor(namespace: string, folder: string) {
    this.#namespace = namespace;
    this.#folder = folder;
  }

  /** @returns the reason if namespaces are unavailable: not root, or a sandbox */
  static async make(): Promise<UnresponsiveNameServer | string> {
    const namespace = `lab-dns-${process.pid.toString(36)}${Math.random().toString(36).slice(2, 5)}`;
    // `ip netns exec` mounts the files of this folder over those of /etc.
    const nameServer = new UnresponsiveNameServer(namespace, join('/etc/netns', namespace));
    try {
      await mkdir(nameServer.#folder, { recursive: true });
      await writeFile(join(nameServer.#folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:5 attempts:2\n');
      await writeFile(join(nameServer.#folder, 'nsswitch.conf'), 'hosts: files dns\n');
      await run('ip', ['netns', 'add', namespace]);
      await run('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
      await run('ip', ['netns', 'exec', namespace, 'true']);
      return nameServer;
    } catch (error) {
      await nameServer.remove();
      return error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : String(error);
    }
  }

  /**
   * Runs a TypeScript program in the namespace and returns its output.
   * @param program absolute path; the program itself binds the port of the name server
   */
  async run(program: string, timeoutMs: number): Promise<string> {
    const args = ['netns', 'exec', this.#namespace, process.execPath, '--import', 'tsx', program];
    return (await run('ip', args, { timeout: timeoutMs })).stdout;
  }

  async remove(): Promise<void> {
    await run('ip', ['netns', 'del', this.#namespace]).catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
