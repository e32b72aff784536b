/** Filters and coloring of the workflows. Pure. */
import type { LocationQuery } from 'vue-router';
import { workflowStates, type WorkflowState } from '../../../../api/states.ts';
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

const one = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function filtersOf(query: LocationQuery): Filters {
  const outcome = one(query['outcome']);
  return {
    node: one(query['node']),
    workflow: one(query['workflow']),
    author: one(query['author']),
    experiment: one(query['experiment']),
    outcome: workflowStates.find((state) => state === outcome) ?? null,
  };
}

export function colouringOf(query: LocationQuery): Colouring {
  return colourings.find((by) => by === query['by']) ?? 'outcome';
}

type Texts = (place: number | undefined) => string;

/** Returns 1 for each visible workflow. */
export function shownWorkflows(layer: Layer, texts: Texts, filters: Filters): Uint8Array {
  const { workflows } = layer;
  const matches = (filter: string | null, places: Uint32Array, at: number): boolean =>
    filter === null || texts(places[at]) === filter;
  return Uint8Array.from(workflows.id, (_id, at) =>
    matches(filters.workflow, workflows.name, at) &&
    matches(filters.author, workflows.author, at) &&
    matches(filters.experiment, workflows.experiment, at) &&
    (filters.outcome === null || workflowStateAt(layer, at) === filters.outcome)
      ? 1
      : 0,
  );
}

/** Returns the distinct non-empty texts of a column with the number of workflows, most frequent first. */
export function choicesIn(
  column: Uint32Array,
  texts: Texts,
): readonly { readonly text: string; readonly count: number }[] {
  const counts = new Map<number, number>();
  for (const place of column) if (place !== 0) counts.set(place, (counts.get(place) ?? 0) + 1);
  return [...counts]
    .map(([place, count]) => ({ text: texts(place), count }))
    .toSorted((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}

export interface Categories {
  /** The category of each workflow; `maxCategories` for the rest. */
  readonly byWorkflow: Uint8Array;
  readonly names: readonly { readonly text: string; readonly count: number }[];
  /** The number of workflows in the rest. */
  readonly rest: number;
}

/** Uses all loaded workflows instead of the visible ones, so that colors stay when the span moves. */
export function categoriesOf(layer: Layer, texts: Texts, by: Exclude<Colouring, 'outcome'>): Categories {
  const column = columnOf(layer.workflows, by);
  const names = choicesIn(column, texts).slice(0, maxCategories);
  const places = new Map(names.map(({ text }, place) => [text, place]));
  const byPlace = new Map<number, number>();
  let rest = 0;
  const byWorkflow = Uint8Array.from(column, (place) => {
    const known = byPlace.get(place) ?? places.get(texts(place)) ?? maxCategories;
    byPlace.set(place, known);
    if (known === maxCategories) rest += 1;
    return known;
  });
  return { byWorkflow, names, rest };
}

function columnOf(workflows: WorkflowColumns, by: Exclude<Colouring, 'outcome'>): Uint32Array {
  return by === 'workflow' ? workflows.name : workflows.experiment;
}
