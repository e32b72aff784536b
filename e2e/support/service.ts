/** The lab manager in this process, on real settings files in a temporary folder. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../server/fixtures/replaceFile.ts';
import { statePath } from '../../server/labWatches.ts';
import { LabManager, type LabManagerOptions } from '../../server/labManager.ts';
import { interfaceAddresses } from '../../server/net/interfaces.ts';
import type { Log } from '../../server/logging/log.ts';
import { makeTempFolder, type TempFolder } from '../../server/fixtures/tempFolder.ts';
import { stateDir } from '../../server/storage/installation.ts';
import type { SettingsInputs } from '../../server/settings/schema/types.ts';
import type { RunningStatus, ServiceStatus } from '../../server/status.ts';

export const repository = join(import.meta.dirname, '../..');

/** A minimal dashboard with a file for every special case of serving one. */
export const smallDashboard: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>small</title><script type="module" src="./assets/app-D_5CzI00.js"></script>',
  'index.html.br': 'as brotli: index',
  'index.html.gz': 'as gzip: index',
  'assets/app-D_5CzI00.js': 'console.log("0123456789");\n',
  'assets/app-D_5CzI00.js.br': 'as brotli: app',
  'assets/app-D_5CzI00.js.gz': 'as gzip: app',
  'assets/plain.js': 'console.log("plain");\n',
  'assets/style sheet#1.css': 'body {}\n',
  'licences.json': '[]',
  'manifest.webmanifest': '{"name":"small","start_url":"./"}',
  '.secret': 'a dotfile',
  '.vite/manifest.json': '{"a": "manifest"}',
};

/** A user guide of two files. */
export const smallGuide: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>guide</title>',
  'guide.js': 'console.log("guide");\n',
};

export interface ServiceOptions {
  /** Settings files by name, in the lab's folder; the port is free unless they set one. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly argv?: readonly string[];
  /** The bundled dashboard: the built one, or `small`. */
  readonly dashboard?: 'built' | 'small';
  readonly managerOptions?: Partial<LabManagerOptions>;
}

export class TestService {
  readonly manager: LabManager;
  readonly folder: TempFolder;
  readonly log: readonly string[];

  constructor(manager: LabManager, folder: TempFolder, log: readonly string[]) {
    this.manager = manager;
    this.folder = folder;
    this.log = log;
  }

  get running(): RunningStatus {
    const { status } = this.manager;
    if (status.phase !== 'running') throw new Error(`The service is not running: ${JSON.stringify(status)}`);
    return status;
  }

  get port(): number {
    return this.running.port;
  }

  get url(): string {
    return this.running.loopbackUrl;
  }

  get labFolder(): string {
    return join(this.folder.path, 'home/lab');
  }

  /** Returns the full path of a state file. @param port the service's port, if it does not run */
  statePath(name: string, port = this.port): string {
    return statePath(stateDir(process.platform, {}, join(this.folder.path, 'home')), name, port);
  }

  /** The environment of a command of the built program for this service. */
  get commandEnvironment(): Readonly<Record<string, string>> {
    const home = join(this.folder.path, 'home');
    return {
      HOME: home,
      // Without it, root's commands would use the state of the machine's service, which the package tests install.
      XDG_STATE_HOME: join(home, '.local/state'),
      LAB_LISTEN_PORT: String(this.port),
      LAB_REMOTE_ACCESS: 'operate',
    };
  }

  /** Writes files into the lab's folder. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.labFolder, name);
      await mkdir(dirname(file), { recursive: true });
      await replaceFile(file, text);
    }
  }

  /** Resolves with the current status or the next one for which `matches` returns `true`. */
  waitForStatus(matches: (status: ServiceStatus) => boolean, timeoutMs = 10_000): Promise<ServiceStatus> {
    return new Promise((resolve, reject) => {
      const unsubscribe = this.manager.onStatus(resolveIfMatching);
      const timer = setTimeout(() => {
        unsubscribe();
        reject(new Error(`No such status within ${timeoutMs} ms; it is ${JSON.stringify(this.manager.status)}`));
      }, timeoutMs);
      resolveIfMatching(this.manager.status);
      function resolveIfMatching(status: ServiceStatus): void {
        if (!matches(status)) return;
        clearTimeout(timer);
        unsubscribe();
        resolve(status);
      }
    });
  }

  async stop(): Promise<void> {
    await this.manager.stop();
    await this.folder.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Creates a service with its settings, without starting it. */
export async function makeService(options: ServiceOptions = {}): Promise<TestService> {
  const { files = {}, env = {}, argv = [], dashboard = 'small', managerOptions = {} } = options;
  const bundled = Object.entries(smallDashboard).map(([name, text]) => [`bundled/${name}`, text] as const);
  const guide = Object.entries(smallGuide).map(([name, text]) => [`guide/${name}`, text] as const);
  const settings = Object.entries(files).map(([name, text]) => [`home/lab/${name}`, text] as const);
  const folder = await makeTempFolder(Object.fromEntries([...bundled, ...guide, ...settings]));
  const registry = join(folder.path, 'registry.json');
  const inputs: SettingsInputs = folder.inputs({
    // Tests do not announce their services on the network of this machine.
    env: { LAB_LISTEN_PORT: '0', LAB_MDNS: 'false', MADSCI_REGISTRY_PATH: registry, ...env },
    argv,
  });
  const lines: string[] = [];
  const manager = new LabManager({
    inputs,
    version: '9.8.7',
    bundled: {
      dashboard: dashboard === 'small' ? join(folder.path, 'bundled') : join(repository, 'dist/dashboard'),
      help: dashboard === 'small' ? join(folder.path, 'guide') : join(repository, 'dist/help'),
      swaggerUi: join(repository, dashboard === 'small' ? 'node_modules/swagger-ui-dist' : 'dist/swagger-ui'),
    },
    log: createCollectingLog(lines),
    ...managerOptions,
  });
  return new TestService(manager, folder, lines);
}

/** @throws Error with the status if the service does not start */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const service = await makeService(options);
  const status = await service.manager.start();
  if (status.phase === 'running') return service;
  await service.stop();
  throw new Error(`The service did not start: ${JSON.stringify(status)}`);
}

function createCollectingLog(lines: string[]): Log {
  const add = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const log: Log = {
    debug: () => undefined,
    info: add('info'),
    warn: add('warn'),
    error: add('error'),
    scope: () => log,
  };
  return log;
}

/** Returns the IPv4 address at which other machines reach this one; `null` if there are only loopback addresses. */
export function findOutsideAddress(): string | null {
  return interfaceAddresses().find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}
