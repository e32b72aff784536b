/**
 * A lab of six real MADSci managers and seven nodes, on free ports of loopback and in a temporary folder, with all
 * stores in memory.
 */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import { pickFreePort } from '../support/managers.ts';
import { Program } from './processes.ts';
import { locationsFile, nodeKinds, settingsFile, type NodeKind } from './realLabFiles.ts';

/**
 * The managers that start first, in this order: each starts after those that it requests at its start. The workcell
 * manager starts after the nodes, because a node that starts later is unreachable for a while.
 */
const firstManagers = ['event', 'resource', 'data', 'experiment', 'location'] as const satisfies readonly ManagerKey[];

/** The addresses, in the form of `/context`. */
export type ManagerAddresses = Readonly<Record<ManagerKey, string>>;

export interface RealLab {
  readonly folder: string;
  readonly managers: ManagerAddresses;
  readonly nodes: Readonly<Record<NodeKind, string>>;
  program(name: ManagerKey | NodeKind): Program;
  stop(): Promise<void>;
}

export interface RealLabOptions {
  /** Default: all nodes. */
  readonly nodes?: readonly NodeKind[];
  /**
   * An interpreter with the packages of `requirements-0.7.1.txt`: it runs the nodes and the managers whose contracts
   * changed with 0.8. The contracts of the others are the same.
   */
  readonly olderPython?: string | undefined;
  /** Absolute path of the ID registry in which the managers store their IDs; without it they use none. */
  readonly registry?: string;
}

const changedSince07: ReadonlySet<string> = new Set(['workcell', 'location', ...nodeKinds]);

/** @param python an interpreter with the packages of `requirements-0.8.1.txt` */
export async function startRealLab(
  python: string,
  { nodes: requested = nodeKinds, olderPython, registry }: RealLabOptions = {},
): Promise<RealLab> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-manager-interop-'));
  const programs = new Map<string, Program>();
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  // Registered after the programs, whose exit handler runs first.
  process.once('exit', removeFolder);
  const stop = async () => {
    await Promise.all([...programs.values()].map((program) => program.stop()));
    process.off('exit', removeFolder);
    removeFolder();
  };
  try {
    const [lab = 0, ...ports] = await freePorts(1 + managerKeys.length + nodeKinds.length);
    const { managers, nodes } = addresses(ports);
    await writeLabFiles(folder);
    const configured = Object.fromEntries(requested.map((kind) => [kind, nodes[kind]]));
    const env = environment(folder, { lab: `http://127.0.0.1:${lab}/`, ...managers }, configured, registry);
    const scripts = join(import.meta.dirname, 'python');
    const add = (name: ManagerKey | NodeKind, script: string, readyUrl: string, variables: NodeJS.ProcessEnv = {}) => {
      const program = new Program({
        name,
        command: changedSince07.has(name) ? (olderPython ?? python) : python,
        args: [join(scripts, script), name],
        cwd: folder,
        env: { ...env, ...variables },
        logFile: join(folder, `${name}.log`),
        readyUrl,
      });
      programs.set(name, program);
      return program;
    };
    const manager = (key: ManagerKey) => add(key, 'manager.py', `${managers[key]}health`);
    for (const key of firstManagers) await manager(key).start();
    await Promise.all(
      requested.map((kind) =>
        add(kind, 'nodes.py', `${nodes[kind]}status`, { NODE_NAME: kind, NODE_URL: nodes[kind] }).start(),
      ),
    );
    await manager('workcell').start();
    return {
      folder,
      managers,
      nodes,
      program: (name) => {
        const program = programs.get(name);
        if (!program) throw new Error(`The real lab has no ${name}`);
        return program;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param ports ports of the managers, then of the nodes */
function addresses(ports: readonly number[]): Pick<RealLab, 'managers' | 'nodes'> {
  const address = (index: number) => `http://127.0.0.1:${ports[index]}/`;
  const managers = Object.fromEntries(managerKeys.map((key, index) => [key, address(index)])) as ManagerAddresses;
  const nodes = Object.fromEntries(
    nodeKinds.map((kind, index) => [kind, address(managerKeys.length + index)]),
  ) as RealLab['nodes'];
  return { managers, nodes };
}

async function writeLabFiles(folder: string): Promise<void> {
  // `.madsci` ends the search for settings files, and receives logs and datapoints.
  await mkdir(join(folder, '.madsci'));
  await writeFile(join(folder, 'settings.yaml'), settingsFile);
  await writeFile(join(folder, 'locations.yaml'), locationsFile);
}

function environment(
  folder: string,
  servers: Readonly<Record<string, string>>,
  nodes: Readonly<Record<string, string>>,
  registry?: string,
): NodeJS.ProcessEnv {
  const { PATH, LANG, TZ } = process.env;
  const serverVariables = Object.entries(servers).flatMap(([name, url]) => [
    [`${name.toUpperCase()}_SERVER_URL`, url],
    [`${name.toUpperCase()}_ENABLE_REGISTRY_RESOLUTION`, String(registry !== undefined)],
  ]);
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(LANG === undefined ? {} : { LANG }),
    ...(TZ === undefined ? {} : { TZ }),
    HOME: folder,
    TMPDIR: folder,
    MADSCI_SETTINGS_DIR: folder,
    MADSCI_REGISTRY_PATH: registry ?? join(folder, 'registry.json'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
    ...Object.fromEntries(serverVariables),
    // Loopback is exempt; requests from other addresses reach this limit on any machine, however slow.
    EVENT_RATE_LIMIT_SHORT_REQUESTS: '5',
    EVENT_RATE_LIMIT_SHORT_WINDOW: '2',
    NODE_ENABLE_REGISTRY_RESOLUTION: 'false',
    NODE_ENABLE_RATE_LIMITING: 'false',
    WORKCELL_NODES: JSON.stringify(nodes),
    WORKCELL_NODE_UPDATE_INTERVAL: '0.3',
    WORKCELL_SCHEDULER_UPDATE_INTERVAL: '0.4',
    WORKCELL_RECONNECT_ATTEMPT_INTERVAL: '2',
    LOCATION_LAB_CONFIG_FILE: join(folder, 'locations.yaml'),
    LOCATION_RECONCILIATION_INTERVAL_SECONDS: '2',
  };
}

/** Returns different free ports. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await pickFreePort());
  return [...ports];
}
