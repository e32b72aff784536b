/** What a field offers to take: any other text may be typed. */
export interface Suggestion {
  /** What the field then says, and what is sent. */
  readonly value: string;
  /** What people know it by, where that is not the value. */
  readonly title?: string;
  /** What tells it from the others: what stands there, where it is. */
  readonly sub?: string;
}

/** Kinds of things that fields name; all but locations by their IDs. */
const suggestionKinds = ['locations', 'resources', 'locationIds', 'nodeIds', 'experiments', 'workflows'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** What fields of a form can be offered. */
export type Suggestions = Readonly<Record<SuggestionKind, readonly Suggestion[]>>;

export const noSuggestions: Suggestions = {
  locations: [],
  resources: [],
  locationIds: [],
  nodeIds: [],
  experiments: [],
  workflows: [],
};

/** MADSci has no types for IDs: an argument that takes one is called so. */
const idNames: readonly (readonly [RegExp, SuggestionKind])[] = [
  [/(?:^|_)resource(?:_ids?)?$/i, 'resources'],
  [/(?:^|_)location_ids?$/i, 'locationIds'],
  [/(?:^|_)node_ids?$/i, 'nodeIds'],
  [/(?:^|_)experiment_ids?$/i, 'experiments'],
  [/(?:^|_)workflow_ids?$/i, 'workflows'],
];

/** Of which kind of things an argument of this name takes one; `null` if its name does not show it. */
export function kindNamedBy(name: string): SuggestionKind | null {
  return idNames.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Whether an argument of this name takes an ID, and nothing else. */
export const isIdField = (name: string): boolean => /_ids?$/i.test(name) && kindNamedBy(name) !== null;
