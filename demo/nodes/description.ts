/** Builds the status and the information of a node. */
import type { NodeInfo } from '../../api/managers/node.ts';
import type { NodeKind } from './definition.ts';

interface StatusFlags {
  readonly busy: boolean;
  readonly paused: boolean;
  readonly locked: boolean;
  readonly stopped: boolean;
  readonly errored: boolean;
  readonly disconnected: boolean;
}

/**
 * Returns whether a node is ready, and MADSci's description of its state. A stopped node is not ready, but MADSci gives
 * no reason for it.
 */
export function describeStatus(flags: StatusFlags): { readonly ready: boolean; readonly description: string } {
  const reasons = [
    flags.busy ? 'Node is busy' : '',
    flags.locked ? 'Node is locked' : '',
    flags.errored ? 'Node is in an error state' : '',
    flags.disconnected ? 'Node is disconnected' : '',
    flags.paused ? 'Node is paused' : '',
  ].filter((reason) => reason !== '');
  return {
    ready: reasons.length === 0 && !flags.stopped,
    description: reasons.length === 0 ? 'Node is ready' : reasons.join('; '),
  };
}

interface DescribedNode {
  readonly kind: NodeKind;
  readonly name: string;
  readonly id: string;
  readonly url: string;
  readonly commands: () => string[];
}

export function nodeInfo(node: DescribedNode): NodeInfo {
  const { kind, name, id, url } = node;
  const { config } = kind;
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
