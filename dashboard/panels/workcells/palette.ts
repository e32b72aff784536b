/** Command palette entries for nodes. Commands open their dialog on the node's page, which shows the effects. */
import { computed, type ComputedRef } from 'vue';
import type { Node } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { nodePage } from '../../base/objectPages.ts';
import { nodeCommandTable } from '../../managers/guards/nodeCommandTable.ts';
import { listUsefulCommands } from '../../managers/guards/nodeGuards.ts';
import { createNodeContext } from '../../managers/guards/nodeContext.ts';
import { useLabStop } from '../../managers/safetyStop/useSafetyStop.ts';
import { nodeAppearance } from '../../managers/workcell/nodeState.ts';
import { useLabSnapshot } from '../../managers/workcell/workcellQueries.ts';
import type { PaletteEntry, PanelPalette } from '../panel.ts';
import { formatClock } from '../../base/time.ts';
import { unconfirmedAppearance, unconfirmedReasons } from '#api/safetyStop/unconfirmedNodes.ts';

const texts = {
  kind: 'Node',
  commandKind: 'Command',
  notStopped: (state: string) => `${unconfirmedAppearance.label}, ${state}`,
  command: (command: string, node: string) => `${command} ${node}…`,
  sendAction: (action: string, node: string) => `Send ${action} to ${node}…`,
} as const;

/** A node ranks above its commands, and nodes with problems rank above others. */
const weight = 6;
/** Greater than the ranking of any match of the name. */
const unconfirmedWeight = 100;

function useEntries(): ComputedRef<readonly PaletteEntry[]> {
  const lab = useLabSnapshot();
  const stop = useLabStop();
  return computed(() => nodeEntries(lab.value.nodes, lab.value.workflows, unconfirmedReasons(stop.value, formatClock)));
}

export const palette: PanelPalette = { useEntries };

/**
 * Returns each node and the commands that would currently have an effect.
 * @param unconfirmed nodes that did not confirm the current safety stop; they rank first
 */
export function nodeEntries(
  nodes: Readonly<Record<string, Node>>,
  workflows: readonly Workflow[],
  unconfirmed: ReadonlyMap<string, string>,
): readonly PaletteEntry[] {
  const all = Object.entries(nodes);
  const entries = all.map(([name, node]): PaletteEntry => {
    const state = nodeAppearance(node);
    const appearance = unconfirmed.has(name)
      ? { ...unconfirmedAppearance, label: texts.notStopped(state.label) }
      : state;
    const alternativeNames = [appearance.label, node.info?.module_name ?? '', node.info?.node_id ?? ''];
    return {
      key: `node ${name}`,
      kind: texts.kind,
      title: name,
      subtitle: appearance.label,
      appearance,
      alternativeNames,
      weight: weight + appearance.severity + (unconfirmed.has(name) ? unconfirmedWeight : 0),
      choose: nodePage(name),
    };
  });
  return [...entries, ...all.flatMap(([name, node]) => commandEntries(name, node, workflows))];
}

function commandEntries(name: string, node: Node, workflows: readonly Workflow[]): PaletteEntry[] {
  const appearance = nodeAppearance(node);
  const entry = (key: string, title: string, query: Record<string, string>): PaletteEntry => ({
    key: `${key} ${name}`,
    kind: texts.commandKind,
    title,
    weight: appearance.severity,
    choose: { name: 'node', params: { node: name }, query },
  });
  const commands = listUsefulCommands(createNodeContext(name, node, workflows));
  return [
    ...Object.keys(node.info?.actions ?? {}).map((action) =>
      entry(`send ${action}`, texts.sendAction(action, name), { action }),
    ),
    ...commands.map((command) => {
      const { verb, verbBeforeName = verb } = nodeCommandTable[command];
      return entry(command, texts.command(verbBeforeName, name), { command });
    }),
  ];
}
