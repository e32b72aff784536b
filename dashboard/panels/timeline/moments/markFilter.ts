/** Filter of the drawn marks, in the query string. */
import type { LocationQuery } from 'vue-router';
import type { Mark } from './marks.ts';

export const markFilters = ['all', 'warnings', 'errors', 'commands', 'none'] as const;
export type MarkFilter = (typeof markFilters)[number];

export function markFilterFromQuery(query: LocationQuery): MarkFilter {
  return markFilters.find((filter) => filter === query['marks']) ?? 'all';
}

/** Nodes log exceptions at any level, so the kind counts as well as the event's level. */
const isError = ({ kind, level }: Mark): boolean => kind === 'error' || level >= 40;
const matchers: Readonly<Record<MarkFilter, (mark: Mark) => boolean>> = {
  all: () => true,
  warnings: (mark) => isError(mark) || mark.level >= 30 || mark.kind === 'stop' || mark.kind === 'gone',
  errors: isError,
  commands: ({ kind }) => kind === 'command' || kind === 'stop',
  none: () => false,
};

export function filterMarks(marks: readonly Mark[], filter: MarkFilter): readonly Mark[] {
  return filter === 'all' ? marks : marks.filter(matchers[filter]);
}
