/**
 * The whole demo lab: five nodes, six managers on loopback ports, past runs and simulated activity. It is in memory,
 * generated from a seed and a clock, and touches nothing outside the process.
 */
import { contextKey, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { nodeWorld, labView } from './adapters.ts';
import { RealClock, type Cancel, type DemoClock } from '../base/clock.ts';
import { controlApp, type ScaleRequest } from './control.ts';
import { createDataManager } from '../data/manager.ts';
import { DemoServer } from '../http/demoServer.ts';
import { createEventManager } from '../event/manager.ts';
import { createExperimentManager } from '../experiment/manager.ts';
import { Faults } from './faults.ts';
import { addInventory } from '../inventory/inventory.ts';
import { LabSimulation } from '../simulation/simulation.ts';
import { createLocationManager } from '../location/manager.ts';
import { managerApp, type ServerParts } from '../http/managerServer.ts';
import { demoNodes } from '../nodes/kinds.ts';
import type { NodeKind } from '../nodes/definition.ts';
import { DemoNode, nodeHandlers, servedNodeApi } from '../nodes/node.ts';
import type { ManagerParts } from '../base/demoManager.ts';
import { addPast } from '../simulation/pastCampaign.ts';
import { longProtocols } from '../simulation/protocols.ts';
import { Random } from '../base/random.ts';
import { createResourceManager } from '../resource/manager.ts';
import { createWorkcellManager } from '../workcell/manager.ts';
import { pollNode } from '../workcell/nodes.ts';
import type { Timing } from '../workcell/state.ts';

export interface DemoLabOptions {
  /** The same seed and clock give the same lab. */
  readonly seed?: number;
  readonly clock?: DemoClock;
  /** Whether it submits workflows by itself; the control server can change it. */
  readonly simulation?: boolean;
  /** Whether it has workflows and experiments of earlier days; otherwise it starts with its inventory only. */
  readonly past?: boolean;
  /** Whether it has resources and locations. */
  readonly inventory?: boolean;
  /** The workcell's polling intervals in milliseconds; by default those of the real manager. */
  readonly timing?: Timing;
}

export interface DemoLab {
  /** The managers' addresses as in `/context`, without the lab manager's. */
  readonly context: Readonly<Record<`${ManagerKey}_server_url`, string>>;
  readonly managers: ReturnType<typeof createManagers>;
  readonly nodes: readonly DemoNode[];
  readonly clock: DemoClock;
  readonly faults: Faults;
  /** The address of the control server: see `control.ts`. */
  readonly controlUrl: string;
  stop(): Promise<void>;
}

/** Creates the managers for a workcell that finds its nodes by their addresses. */
function createManagers(clock: DemoClock, random: Random, nodes: ReadonlyMap<string, DemoNode>, timing?: Timing) {
  const labOwnership = { lab_id: random.ulid() };
  const event = createEventManager({ clock, random, labOwnership });
  const parts: ManagerParts = { clock, random, labOwnership, log: event.log };
  const experiment = createExperimentManager(parts);
  const data = createDataManager(parts);
  const resource = createResourceManager(parts);
  const location = createLocationManager(parts, resource.store);
  const lab = labView({ data, resource, locations: location.handlers, nodes });
  const workcell = createWorkcellManager({ ...parts, lab, ...(timing === undefined ? {} : { timing }) });
  return { event, experiment, resource, data, workcell, location };
}

type NodeEnvironment = Omit<ConstructorParameters<typeof DemoNode>[0], 'name' | 'kind' | 'url'>;

/** Starts a node and its port; the port determines the node's address. */
async function openNode(
  name: string,
  kind: NodeKind,
  parts: NodeEnvironment,
): Promise<{ node: DemoNode; server: DemoServer }> {
  let url = '';
  const node = new DemoNode({ ...parts, name, kind, random: parts.random.stream(name), url: () => url });
  const app = managerApp({ api: servedNodeApi, handlers: { ...nodeHandlers(node) }, clock: parts.clock, cors: false });
  const server = await DemoServer.open(app);
  ({ url } = server);
  node.onShutdown = () => void server.stopListening();
  return { node, server };
}

/** Starts the lab; resolves when all ports respond. */
export async function startDemoLab(options: DemoLabOptions = {}): Promise<DemoLab> {
  const {
    seed = 1,
    clock = new RealClock(),
    simulation: isSimulated = true,
    past = true,
    inventory = true,
    timing,
  } = options;
  const random = new Random(seed, clock);
  const nodesByAddress = new Map<string, DemoNode>();
  const managers = createManagers(clock, random, nodesByAddress, timing);
  const faults = new Faults(clock, managers.workcell.store);
  const servers: DemoServer[] = [];

  const parts = { clock, random, world: nodeWorld(managers.resource), eventLog: managers.event.log };
  for (const [name, kind] of demoNodes) {
    const { node, server } = await openNode(name, kind, parts);
    nodesByAddress.set(node.url, node);
    faults.addNode(node, server);
    servers.push(server);
  }
  const nodes = [...nodesByAddress.values()];

  const context: Partial<Record<`${ManagerKey}_server_url`, string>> = {};
  for (const key of managerKeys) {
    const manager: Omit<ServerParts, 'clock' | 'cors'> = managers[key];
    const server = await DemoServer.open(managerApp({ ...manager, clock, cors: true, fault: () => faults.find(key) }));
    faults.addManager(key, server);
    servers.push(server);
    context[`${key}_server_url`] = server.url;
  }

  if (inventory) addInventory({ ...managers, clock, random, nodes });
  const stopWorkcell = managers.workcell.start(Object.fromEntries(nodes.map((node) => [node.name, node.url])));
  const ownership = past ? addPast({ ...managers, clock, random: random.stream('past') }) : {};
  const simulation = new LabSimulation({
    clock,
    random: random.stream('simulation'),
    workcell: managers.workcell.store,
    experiments: managers.experiment.store,
    nodes,
    ownership,
  });
  if (isSimulated) simulation.start();

  const scale = (request: ScaleRequest) => scaleLab(managers, faults, nodesByAddress, parts, request);
  const setSimulation = (running: boolean) => (running ? simulation.start() : simulation.stop());
  const control = await DemoServer.open(controlApp({ faults, scale, setSimulation }));
  servers.push(control);

  return {
    context: context as DemoLab['context'],
    managers,
    nodes,
    clock,
    faults,
    controlUrl: control.url,
    stop: () => stopAll([() => simulation.stop(), stopWorkcell, managers.location.stop], servers),
  };
}

async function stopAll(ends: readonly Cancel[], servers: readonly DemoServer[]): Promise<void> {
  for (const end of ends) end();
  await Promise.all(servers.map((server) => server.stopListening()));
}

/** Adds data up to the requested size. Added nodes have no port; only this lab's workcell reaches them. */
function scaleLab(
  managers: DemoLab['managers'],
  faults: Faults,
  nodesByAddress: Map<string, DemoNode>,
  parts: NodeEnvironment,
  { resources = 0, workflows = 0, events = 0, nodes = 0, steps = 0 }: ScaleRequest,
): void {
  const { resource, event, workcell } = managers;
  if (resources > 0) resource.scale.addResources(resources);
  if (events > 0) event.scale.addEvents(events);
  const stored = [...workcell.store.definitions.values()];
  const names = [...nodesByAddress.values()].map(({ name }) => name);
  const definitions = steps > 0 ? longProtocols(steps, names, () => parts.random.ulid()) : stored;
  if (workflows > 0 && definitions.length > 0) workcell.scale.addWorkflows(definitions, workflows);
  for (let count = nodesByAddress.size; count < nodes; count++) {
    const [, kind] = demoNodes[count % demoNodes.length] ?? [];
    if (kind === undefined) return;
    const name = `node_${String(count + 1).padStart(3, '0')}`;
    const url = `http://demo.invalid/${name}/`;
    const node = new DemoNode({ ...parts, name, kind, random: parts.random.stream(name), url: () => url });
    nodesByAddress.set(url, node);
    faults.addNode(node, null);
    pollNode(workcell.store, workcell.store.addNode(name, url, true));
  }
}

/** Returns the addresses as lines of a settings file. */
export function settingsLines({ context }: Pick<DemoLab, 'context'>): string {
  return managerKeys.map((key) => `${contextKey(key)}: ${context[`${key}_server_url`]}`).join('\n');
}
