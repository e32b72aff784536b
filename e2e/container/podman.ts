/** Runs podman with the image under test and separate storage, so that the containers of this machine stay unchanged. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The options with which a careful operator starts the image. */
const strict = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'];

export class Podman {
  /** The folder of this podman, which is deleted with everything in it. */
  readonly folder = mkdtempSync(join(tmpdir(), 'containers-'));
  readonly image: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param archive of the image */
  constructor(archive: string) {
    const config = join(this.folder, 'containers.conf');
    const storage = join(this.folder, 'storage.conf');
    writeFileSync(config, engineSettings(join(this.folder, 'tmp')));
    writeFileSync(
      storage,
      `[storage]\ndriver = "vfs"\ngraphroot = "${this.folder}/images"\nrunroot = "${this.folder}/run"\n`,
    );
    this.#env = { ...process.env, CONTAINERS_CONF: config, CONTAINERS_STORAGE_CONF: storage };
    const loaded = /Loaded image: (\S+)/.exec(this.run('load', '--input', archive));
    if (!loaded) throw new Error('podman did not load the image');
    this.image = loaded[1] ?? '';
  }

  /** Creates a folder on this machine, to be mounted. @param owner the account that may write to it */
  createFolder(name: string, owner: number): Folder {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    return { path, chown: () => void execute('chown', ['--recursive', `${owner}:${owner}`, path], process.env) };
  }

  /** @returns what podman prints @throws Error with podman's reason when it fails */
  run(...args: readonly string[]): string {
    const { code, out, err } = this.attempt(...args);
    if (code === 0) return out;
    throw new Error(`podman ${args.join(' ')} ended with ${code}:\n${out}${err}`);
  }

  attempt(...args: readonly string[]): Outcome {
    return execute('podman', args, this.#env);
  }

  /** Starts the service in the background. @param options of podman @param args of the program */
  start(name: string, options: readonly string[] = [], args: readonly string[] = []): void {
    this.run('run', '--detach', '--name', name, ...strict, ...options, this.image, ...args);
  }

  /** Runs the program to its end. */
  runToEnd(options: readonly string[], args: readonly string[]): Outcome {
    return this.attempt('run', '--rm', ...strict, ...options, this.image, ...args);
  }

  /** Returns one value of a container or image, by the name that `podman inspect` uses. */
  inspect(name: string, field: string): string {
    return this.run('inspect', '--format', `{{json ${field}}}`, name).trim();
  }

  /** Returns the last part of what a container wrote, for the message of a failure. */
  log(name: string): string {
    const { out, err } = this.attempt('logs', '--tail', '40', name);
    return out + err;
  }

  removeContainers(): void {
    this.attempt('rm', '--all', '--force', '--time', '0', '--volumes');
  }

  stop(): void {
    this.removeContainers();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface Folder {
  readonly path: string;
  /** Gives the folder and its contents to its owner. */
  chown(): void;
}

/**
 * Returns settings with which podman runs on a test machine without writable cgroups, a systemd journal, a network for
 * containers or the right to raise limits.
 */
function engineSettings(tmp: string): string {
  return [
    '[containers]',
    'cgroups = "disabled"',
    'netns = "host"',
    'log_driver = "k8s-file"',
    'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]',
    '[engine]',
    'cgroup_manager = "cgroupfs"',
    'events_logger = "file"',
    'runtime = "crun"',
    `tmp_dir = "${tmp}"`,
    '',
  ].join('\n');
}

function execute(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Outcome {
  const { status, stdout, stderr, error } = spawnSync(file, args, { env, cwd: '/', encoding: 'utf8', timeout: 60_000 });
  if (error) throw error;
  return { code: status, out: stdout, err: stderr };
}
