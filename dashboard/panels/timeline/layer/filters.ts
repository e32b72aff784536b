/** Filters and colouring of the workflows. */
import type { LocationQuery } from 'vue-router';
import { workflowStates, type WorkflowState } from '#api/states.ts';
import { maxCategories } from '../drawing/palette.ts';
import { workflowStateAt, type Layer, type WorkflowColumns } from './layer.ts';

export const colourings = ['workflow', 'experiment', 'outcome'] as const;
export type Colouring = (typeof colourings)[number];

/** The active filters; `null` matches everything. */
export interface Filters {
  readonly node: string | null;
  readonly workflow: string | null;
  readonly author: string | null;
  /** The experiment's ID. */
  readonly experiment: string | null;
  readonly outcome: WorkflowState | null;
}
export const filterKeys = ['node', 'workflow', 'author', 'experiment', 'outcome'] as const;

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function filtersFromQuery(query: LocationQuery): Filters {
  const outcome = asText(query['outcome']);
  return {
    node: asText(query['node']),
    workflow: asText(query['workflow']),
    author: asText(query['author']),
    experiment: asText(query['experiment']),
    outcome: workflowStates.find((state) => state === outcome) ?? null,
  };
}

export function colouringFromQuery(query: LocationQuery): Colouring {
  return colourings.find((colouring) => colouring === query['by']) ?? 'outcome';
}

/** Returns a text of the text table. */
type TextAt = (index: number | undefined) => string;

/** Returns 1 for each workflow that matches the filters, otherwise 0. The filter by node selects lanes instead. */
export function matchWorkflows(layer: Layer, textAt: TextAt, filters: Filters): Uint8Array {
  const { workflows } = layer;
  const matches = (filter: string | null, textIndexes: Uint32Array, index: number): boolean =>
    filter === null || textAt(textIndexes[index]) === filter;
  return Uint8Array.from(workflows.id, (_id, index) =>
    matches(filters.workflow, workflows.name, index) &&
    matches(filters.author, workflows.author, index) &&
    matches(filters.experiment, workflows.experiment, index) &&
    (filters.outcome === null || workflowStateAt(layer, index) === filters.outcome)
      ? 1
      : 0,
  );
}

/** Returns the distinct non-empty texts of a column with the number of workflows, most frequent first. */
export function countChoices(
  column: Uint32Array,
  textAt: TextAt,
): readonly { readonly text: string; readonly count: number }[] {
  const counts = new Map<number, number>();
  for (const textIndex of column) if (textIndex !== 0) counts.set(textIndex, (counts.get(textIndex) ?? 0) + 1);
  return [...counts]
    .map(([textIndex, count]) => ({ text: textAt(textIndex), count }))
    .toSorted((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}

export interface Categories {
  /** The category of each workflow; `maxCategories` for the rest. */
  readonly byWorkflow: Uint8Array;
  readonly names: readonly { readonly text: string; readonly count: number }[];
  /** The number of workflows in the rest. */
  readonly rest: number;
}

/** Uses all loaded workflows instead of the visible ones, so that colours stay the same when the span moves. */
export function createCategories(layer: Layer, textAt: TextAt, colouring: Exclude<Colouring, 'outcome'>): Categories {
  const column = selectColumn(layer.workflows, colouring);
  const names = countChoices(column, textAt).slice(0, maxCategories);
  const categoryByText = new Map(names.map(({ text }, index) => [text, index]));
  const categoryByTextIndex = new Map<number, number>();
  let remainingCount = 0;
  const byWorkflow = Uint8Array.from(column, (textIndex) => {
    const category = categoryByTextIndex.get(textIndex) ?? categoryByText.get(textAt(textIndex)) ?? maxCategories;
    categoryByTextIndex.set(textIndex, category);
    if (category === maxCategories) remainingCount += 1;
    return category;
  });
  return { byWorkflow, names, rest: remainingCount };
}

function selectColumn(workflows: WorkflowColumns, colouring: Exclude<Colouring, 'outcome'>): Uint32Array {
  return colouring === 'workflow' ? workflows.name : workflows.experiment;
}
