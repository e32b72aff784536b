/** What the command palette finds of nodes. Commands ask on the node's own page, which says what they would hit. */
import { computed, type ComputedRef } from 'vue';
import { nodeLooks } from '../../../api/states.ts';
import { nodePage } from '../../base/objectPages.ts';
import { commandVerbs } from '../../managers/commands/verbs.ts';
import { knownCommands, nodeState } from '../../managers/workcell/nodeState.ts';
import { useNodes } from '../../managers/workcell/workcellQueries.ts';
import type { PaletteEntry } from '../panel.ts';

const texts = {
  kind: 'Node',
  commandKind: 'Command',
  command: (command: string, node: string) => `${command} ${node}…`,
  sendAction: (action: string, node: string) => `Send ${action} to ${node}…`,
} as const;

const weight = 6;

export function useNodeEntries(): ComputedRef<readonly PaletteEntry[]> {
  const nodes = useNodes();
  return computed(() => {
    const all = Object.entries(nodes.value);
    const found = all.map(([name, node]): PaletteEntry => {
      const look = nodeLooks[nodeState(node)];
      const also = [look.word, node.info?.module_name ?? '', node.info?.node_id ?? ''];
      return {
        key: `node ${name}`,
        kind: texts.kind,
        title: name,
        sub: look.word,
        look,
        also,
        weight,
        choose: nodePage(name),
      };
    });
    const commands = all.flatMap(([name, node]) =>
      commandEntries(name, Object.keys(node.info?.actions ?? {}), knownCommands(node) ?? []),
    );
    return [...found, ...commands];
  });
}

function commandEntries(name: string, actions: readonly string[], commands: readonly string[]): PaletteEntry[] {
  const entry = (key: string, title: string, query: Record<string, string>): PaletteEntry => ({
    key: `${key} ${name}`,
    kind: texts.commandKind,
    title,
    choose: { name: 'node', params: { node: name }, query },
  });
  return [
    ...actions.map((action) => entry(`send ${action}`, texts.sendAction(action, name), { action })),
    ...commands.map((command) => entry(command, texts.command(commandVerbs[command] ?? command, name), { command })),
  ];
}
