/** What a node says of itself, and what it wrote into its log. */
import type { Event } from '../../api/managers/event.ts';
import type { NodeInfo } from '../../api/managers/node.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import { naiveText, zonedText, type DemoClock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { NodeKind } from './definition.ts';

/** What is told of a node: which kind it is, and what is its own. */
interface DescribedNode {
  readonly kind: NodeKind;
  readonly name: string;
  readonly id: string;
  readonly url: string;
  readonly config: JsonObject;
  readonly commands: () => string[];
}

export function nodeInfo(node: DescribedNode): NodeInfo {
  const { kind, name, id, url, config } = node;
  return {
    node_name: name,
    node_id: id,
    node_description: kind.description,
    node_type: kind.nodeType,
    module_name: kind.moduleName,
    module_version: kind.moduleVersion,
    capabilities: {
      get_info: true,
      get_state: true,
      get_status: true,
      send_action: true,
      get_action_status: true,
      get_action_result: true,
      get_action_history: true,
      action_files: true,
      send_admin_commands: true,
      set_config: true,
      get_resources: false,
      get_log: true,
      admin_commands: node.commands(),
    },
    node_url: url,
    actions: Object.fromEntries(kind.actions.map(({ definition }) => [definition.name, definition])),
    config: { status_update_interval: 2, state_update_interval: 2, node_name: name, node_url: url, ...config },
    config_schema: {
      title: `${kind.moduleName}_config`,
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(config).map(([key, value]) => [key, { default: value, title: key }]),
      ),
    },
    intrinsic_locations: kind.intrinsicLocations ?? [],
    location_representation_templates: kind.locationTemplates ?? [],
  };
}

/** The last lines of a node's log file. */
const keptLines = 200;

export class NodeLog {
  readonly #clock: DemoClock;
  /** A stream of its own, so that reading the log doesn't change what the node draws next. */
  readonly #random: Random;
  readonly #lines: string[] = [];

  constructor(clock: DemoClock, random: Random) {
    this.#clock = clock;
    this.#random = random.stream('log');
  }

  say(level: 'info' | 'error', text: string): void {
    this.#lines.push(`${zonedText(this.#clock.now())} [${level.padEnd(9)}] ${text}`);
    if (this.#lines.length > keptLines) this.#lines.shift();
  }

  /** MADSci makes an event of each line at every reading: its ID and time are of now, its type is unknown. */
  read(nodeId: string): Record<string, Event> {
    const time = naiveText(this.#clock.now());
    const events = this.#lines.map((line): [string, Event] => {
      const id = this.#random.ulid();
      return [
        id,
        {
          _id: id,
          event_type: 'unknown',
          log_level: 20,
          alert: false,
          event_timestamp: time,
          source: { node_id: nodeId },
          event_data: line,
          trace_id: null,
          span_id: null,
          archived: false,
          archived_at: null,
        },
      ];
    });
    return Object.fromEntries(events);
  }
}
