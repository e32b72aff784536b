/** The workcell manager of the demo lab. */
import { every, type Cancel } from '../base/clock.ts';
import { commonSettings, healthy, identity, type DemoManager, type ManagerParts } from '../base/demoManager.ts';
import { servedWorkcellApi, workcellHandlers } from './handlers.ts';
import { addManyRuns } from './history.ts';
import { pollNodes } from './nodes.ts';
import type { Definition } from './run.ts';
import { tick } from './scheduler.ts';
import { usualTiming, WorkcellState, type LabView, type Timing } from './state.ts';

interface WorkcellManagerParts extends ManagerParts {
  readonly lab: LabView;
  readonly timing?: Timing;
}

export interface WorkcellManager extends DemoManager<typeof servedWorkcellApi, WorkcellState> {
  /** Adds the configured nodes and starts the engine; the returned function stops it. */
  readonly start: (nodes: Readonly<Record<string, string>>) => Cancel;
  readonly scale: { readonly addWorkflows: (definitions: readonly Definition[], count: number) => void };
}

export function createWorkcellManager(parts: WorkcellManagerParts): WorkcellManager {
  const random = parts.random.stream('workcell');
  const base = identity(parts, random);
  const id = { ...base, ownership: { workcell_id: base.managerId, manager_id: base.managerId } };
  const { clock, lab, log, timing = usualTiming } = parts;
  const name = 'Demo Workcell';
  const description = 'A simulated workcell with two liquid handlers, a robot arm and a plate reader';
  const state = new WorkcellState({ name, description, identity: id, clock, random, lab, timing, log });
  return {
    api: servedWorkcellApi,
    handlers: workcellHandlers(state),
    health: () =>
      healthy('Manager is running normally.', {
        cache_connected: true,
        // Always 0 in 0.8.1, independent of the nodes.
        nodes_reachable: 0,
        total_nodes: [...state.nodes.values()].filter((record) => record.configured).length,
      }),
    settings: () => ({
      ...commonSettings(name, 'workcell_manager', 8005, id),
      scheduler_update_interval: timing.tick / 1000,
      node_update_interval: timing.poll / 1000,
      node_info_update_interval: timing.info / 1000,
      reconnect_attempt_interval: timing.reconnect / 1000,
    }),
    store: state,
    start: (nodes) => {
      for (const [node, url] of Object.entries(nodes)) state.addNode(node, url, true);
      pollNodes(state);
      const ends = [every(clock, timing.poll, () => pollNodes(state)), every(clock, timing.tick, () => tick(state))];
      return () => {
        for (const end of ends) end();
      };
    },
    scale: { addWorkflows: (definitions, count) => addManyRuns(state, definitions, count) },
  };
}
