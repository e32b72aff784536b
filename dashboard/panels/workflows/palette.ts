/** Command palette entries for workflows. Commands open their dialog on the workflow's page, which shows the effects. */
import { computed, type ComputedRef } from 'vue';
import { workflowAppearances } from '#api/states.ts';
import { workcellApi, type Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { workflowPage } from '../../base/objectPages.ts';
import { useArchivedWorkflows, useCurrentWorkflows, useNodes } from '../../managers/workcell/workcellQueries.ts';
import { getAuthor, hasEnded, workflowState, workflowText } from '../../managers/workcell/workflowState.ts';
import { useEntryById } from '../useEntryById.ts';
import type { PaletteEntry, PanelPalette } from '../panel.ts';

const texts = {
  kind: 'Workflow',
  commandKind: 'Command',
  command: {
    pause: (workflow: string) => `Pause “${workflow}”…`,
    resume: (workflow: string) => `Resume “${workflow}”…`,
    cancel: (workflow: string) => `Cancel “${workflow}”…`,
    retry: (workflow: string) => `Retry “${workflow}”…`,
    resubmit: (workflow: string) => `Submit again: “${workflow}”…`,
  },
  searchAll: (query: string) => `Search all archived workflows for “${query}”`,
  searchAllHint: 'searches the whole archive of the workcell manager',
} as const;

/** Active workflows rank above archived ones. */
const weights = { current: 6, archived: 0 } as const;
const newestArchived = 50;

function useEntries(isActive: () => boolean): ComputedRef<readonly PaletteEntry[]> {
  const current = useCurrentWorkflows();
  const archived = useArchivedWorkflows(() => (isActive() ? newestArchived : null));
  const nodes = useNodes();
  return computed(() => {
    const currentIds = new Set(current.value.map(({ workflow_id: id }) => id));
    const older = Object.values(archived.data.value ?? {}).filter(({ workflow_id: id }) => !currentIds.has(id));
    return [
      ...current.value.map((workflow) => workflowEntry(workflow, nodes.value, weights.current)),
      ...older.map((workflow) => workflowEntry(workflow, nodes.value, weights.archived)),
      ...current.value.flatMap(commandEntries),
    ];
  });
}

function workflowEntry(workflow: Workflow, nodes: Nodes, weight: number): PaletteEntry {
  const appearance = workflowAppearances[workflowState(workflow)];
  const text = workflowText(workflow, nodes);
  return {
    key: `workflow ${workflow.workflow_id}`,
    kind: texts.kind,
    title: workflow.name,
    subtitle: text,
    appearance,
    alternativeNames: [workflow.workflow_id, getAuthor(workflow), text],
    weight: weight === 0 ? 0 : weight + appearance.severity,
    choose: workflowPage(workflow.workflow_id),
  };
}

function commandEntries(workflow: Workflow): PaletteEntry[] {
  const { workflow_id: id, name } = workflow;
  const commands: readonly (keyof typeof texts.command)[] = hasEnded(workflow)
    ? ['retry', 'resubmit']
    : workflow.status.paused
      ? ['resume', 'cancel']
      : ['pause', 'cancel'];
  return commands.map((command) => ({
    key: `${command} ${id}`,
    kind: texts.commandKind,
    title: texts.command[command](name),
    alternativeNames: [id],
    choose: { name: 'workflow', params: { id }, query: { command } },
  }));
}

export const palette: PanelPalette = {
  useEntries,
  useById: () => {
    const nodes = useNodes();
    return useEntryById(
      workcellApi,
      (client, id, options) => client.getWorkflow({ workflow_id: id }, options),
      (workflow) => workflowEntry(workflow, nodes.value, weights.archived),
    );
  },
  search: (typed) => ({
    key: 'search workflows',
    kind: texts.kind,
    title: texts.searchAll(typed),
    subtitle: texts.searchAllHint,
    choose: { name: 'workflows', query: { archive: 'all', q: typed } },
  }),
};
