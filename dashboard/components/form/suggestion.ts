/** A suggested value of a field; any other text can be typed. */
export interface Suggestion {
  /** The value that is filled in and sent. */
  readonly value: string;
  /** The name of the object, where it is not the value. */
  readonly title?: string;
  /** Distinguishes suggestions with the same title, such as a content or a place. */
  readonly subtitle?: string;
}

/** The kinds of objects that fields refer to. Locations are referred to by name or by ID, the others by ID only. */
const suggestionKinds = ['locations', 'resources', 'locationIds', 'nodeIds', 'experiments', 'workflows'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** The suggestions for all fields of a form. */
export type Suggestions = Readonly<Record<SuggestionKind, readonly Suggestion[]>>;

export const noSuggestions: Suggestions = {
  locations: [],
  resources: [],
  locationIds: [],
  nodeIds: [],
  experiments: [],
  workflows: [],
};

/** MADSci has no ID types, so the argument's name determines the kind. */
const idNames: readonly (readonly [RegExp, SuggestionKind])[] = [
  [/(?:^|_)resource(?:_ids?)?$/i, 'resources'],
  [/(?:^|_)location_ids?$/i, 'locationIds'],
  [/(?:^|_)node_ids?$/i, 'nodeIds'],
  [/(?:^|_)experiment_ids?$/i, 'experiments'],
  [/(?:^|_)workflow_ids?$/i, 'workflows'],
];

/** Returns the kind of objects that an argument's name refers to; `null` if the name doesn't show it. */
export function kindFromName(name: string): SuggestionKind | null {
  return idNames.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Returns whether an argument of this name accepts only an ID. */
export const isResourceArgument = (name: string): boolean => kindFromName(name) === 'resources';
export const isIdField = (name: string): boolean => /_ids?$/i.test(name) && kindFromName(name) !== null;
