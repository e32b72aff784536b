/** What a field offers to take: any other text may be typed. */
export interface Suggestion {
  /** What the field then says, and what is sent. */
  readonly value: string;
  /** What people know it by, where that is not the value. */
  readonly title?: string;
  /** What tells it from the others: what stands there, where it is. */
  readonly sub?: string;
}

/** What fields of a form can be offered. */
export interface Suggestions {
  readonly locations: readonly Suggestion[];
  readonly resources: readonly Suggestion[];
}
export const noSuggestions: Suggestions = { locations: [], resources: [] };
