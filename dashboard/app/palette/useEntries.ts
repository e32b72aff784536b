/** Everything the palette can open or do: pages, objects that are loaded, and commands. */
import { computed, type ComputedRef } from 'vue';
import { useRouter, type RouteLocationRaw } from 'vue-router';
import { nodeLooks, workflowLooks, type StateLook } from '../../../api/states.ts';
import type { Workflow } from '../../../api/workflow.ts';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { knownCommands, nodeState } from '../../managers/workcell/nodeState.ts';
import { useArchivedWorkflows, useCurrentWorkflows, useNodes } from '../../managers/workcell/workcellQueries.ts';
import { authorOf, hasEnded, workflowState, workflowWords } from '../../managers/workcell/workflowState.ts';
import { nodePage, submitPage, workflowPage } from '../../base/objectPages.ts';
import { panels } from '../panels.ts';
import { useSafetyStop } from '../../managers/safetyStop/useSafetyStop.ts';
import { paletteTexts as texts } from './texts.ts';
import { themeChoices } from '../../base/themeChoice.ts';
import { useUi } from '../../base/ui.ts';
import type { Findable } from './match.ts';

export interface Entry extends Findable {
  readonly key: string;
  readonly kind: keyof typeof texts.kinds;
  /** Beside the title: its state, when it ended. */
  readonly sub?: string;
  readonly look?: StateLook;
  readonly run: () => void;
}

/** What is running or needs somebody is looked for more often than the archive. */
const weights = { command: 0, page: 8, node: 6, current: 6, archived: 0 } as const;
const newestArchived = 50;

export function useEntries(): ComputedRef<readonly Entry[]> {
  const nodes = useNodes();
  const current = useCurrentWorkflows();
  const ui = useUi();
  const archived = useArchivedWorkflows(() => (ui.paletteOpen ? newestArchived : null));
  const router = useRouter();
  const go = (to: RouteLocationRaw) => () => void router.push(to);
  const commands = useCommands(go);

  const pages = panels.map(({ name, path, title }): Entry => ({
    key: `page ${name}`,
    kind: 'page',
    title,
    weight: weights.page,
    run: go(path),
  }));
  const nodeEntries = computed(() =>
    Object.entries(nodes.value).map(([name, node]): Entry => {
      const look = nodeLooks[nodeState(node)];
      const also = [look.word, node.info?.module_name ?? '', node.info?.node_id ?? ''];
      return {
        key: `node ${name}`,
        kind: 'node',
        title: name,
        sub: look.word,
        look,
        also,
        weight: weights.node,
        run: go(nodePage(name)),
      };
    }),
  );
  const workflows = computed(() => {
    const known = new Set(current.value.map(({ workflow_id: id }) => id));
    const older = Object.values(archived.data.value ?? {}).filter(({ workflow_id: id }) => !known.has(id));
    const entry = (workflow: Workflow, weight: number): Entry => ({
      key: `workflow ${workflow.workflow_id}`,
      kind: 'workflow',
      title: workflow.name,
      sub: workflowWords(workflow),
      look: workflowLooks[workflowState(workflow)],
      also: [workflow.workflow_id, authorOf(workflow), workflowWords(workflow)],
      weight,
      run: go(workflowPage(workflow.workflow_id)),
    });
    return [
      ...current.value.map((workflow) => entry(workflow, weights.current)),
      ...older.map((workflow) => entry(workflow, weights.archived)),
    ];
  });
  const objectCommands = computed(() => [
    ...Object.entries(nodes.value).flatMap(([name, node]) =>
      nodeCommands(name, Object.keys(node.info?.actions ?? {}), knownCommands(node) ?? [], go),
    ),
    ...current.value.flatMap((workflow) => workflowCommands(workflow, go)),
  ]);

  return computed(() => [...pages, ...nodeEntries.value, ...workflows.value, ...commands, ...objectCommands.value]);
}

type Go = (to: RouteLocationRaw) => () => void;

/** Commands ask on the object's own page, which says what they would hit and whether they are safe now. */
function nodeCommands(name: string, actions: readonly string[], commands: readonly string[], go: Go): Entry[] {
  const page = { name: 'node', params: { node: name } };
  const entry = (key: string, title: string, query: Record<string, string>): Entry => ({
    key: `${key} ${name}`,
    kind: 'command',
    title,
    run: go({ ...page, query }),
  });
  return [
    ...actions.map((action) => entry(`send ${action}`, texts.sendAction(action, name), { action })),
    ...commands.map((command) =>
      entry(command, texts.nodeCommand(texts.commands[command] ?? command, name), { command }),
    ),
  ];
}

function workflowCommands(workflow: Workflow, go: Go): Entry[] {
  const { workflow_id: id, name } = workflow;
  const commands = hasEnded(workflow)
    ? ['retry', 'resubmit']
    : workflow.status.paused
      ? ['resume', 'cancel']
      : ['pause', 'cancel'];
  return commands.map((command) => ({
    key: `${command} ${id}`,
    kind: 'command' as const,
    title: texts.workflowCommand(texts.commands[command] ?? command, name),
    also: [id],
    run: go({ name: 'workflow', params: { id }, query: { command } }),
  }));
}

function useCommands(go: Go): readonly Entry[] {
  const ui = useUi();
  const safetyStop = useSafetyStop();
  const history = useLabHistory();
  const command = (key: string, title: string, run: () => void): Entry => ({ key, kind: 'command', title, run });
  return [
    command('submit', texts.submit, go(submitPage())),
    command('stop', texts.stop, () => void safetyStop.stop()),
    command('check', texts.checkNow, () => history.retry()),
    command('keys', texts.keys, () => (ui.keysOpen = true)),
    ...themeChoices.map((choice) =>
      command(`theme ${choice}`, texts.theme(texts.themeAs[choice]), () => (ui.theme = choice)),
    ),
  ];
}
